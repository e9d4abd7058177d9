import type { Raster } from '../types.ts';

/** Samples of a pixel: 1 grey, 2 grey and alpha, 3 RGB, 4 RGBA. */
export type Channels = 1 | 2 | 3 | 4;

/** How pixels are written. */
export type Layout = Channels | 'indexed';

const channelsFor = (grey: boolean, opaque: boolean) => ((grey ? 1 : 3) + (opaque ? 0 : 1)) as Channels;

/** The channels that every pixel of a raster with these traits fits into. */
export const channelsByTraits = ({ grey, opaque }: Pick<Raster, 'grey' | 'opaque'>): Channels =>
  channelsFor(grey, opaque);

/** The channels that these RGBA pixels need. */
export function neededChannels(...parts: readonly Uint8Array[]): Channels {
  return channelsFor(parts.every(isGrey), parts.every(isOpaque));
}

/** Whether this many channels hold these RGBA pixels without loss. */
export function fitsChannels(rgba: Uint8Array, channels: Channels): boolean {
  return (channels > 2 || isGrey(rgba)) && (channels % 2 === 0 || isOpaque(rgba));
}

function isGrey(rgba: Uint8Array): boolean {
  for (let at = 0; at < rgba.length; at += 4) {
    if (rgba[at] !== rgba[at + 1] || rgba[at] !== rgba[at + 2]) return false;
  }
  return true;
}

function isOpaque(rgba: Uint8Array): boolean {
  for (let at = 3; at < rgba.length; at += 4) if (rgba[at] !== 255) return false;
  return true;
}
