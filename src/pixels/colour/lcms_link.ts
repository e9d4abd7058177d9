import { type Lcms, PixelSpace, pixelFormat } from './lcms_instance.ts';

/**
 * Links of RGB and CMYK profiles to sRGB, made in parts. LittleCMS makes a link in one piece: it computes a
 * grid of colours, which holds the thread for 30 ms and more. Here it converts the grid's points as if they
 * were pixels, some at a time. They become a device link, a profile whose only table is the grid, which takes
 * LittleCMS a third of the time to link.
 */

/** What is linked, as the device link names it. */
interface Linked {
  /** Four characters of ICC.1:2022 table 19. */
  readonly space: string;
  /** Its pixel format's space. */
  readonly pixelSpace: number;
  readonly channels: number;
  /** Points along each channel, as many as LittleCMS itself takes (cmspcs.c). */
  readonly grid: number;
  /** The code of white in each channel. */
  readonly white: number;
}

/**
 * RGB is called "three colours": for RGB samples of 8 bits LittleCMS would look for curves before its table,
 * which takes three times as long as the table and cannot be done in parts.
 */
export const LINKS = {
  rgb: { space: '3CLR', pixelSpace: PixelSpace.threeColours, channels: 3, grid: 33, white: 0xffff },
  cmyk: { space: 'CMYK', pixelSpace: PixelSpace.cmyk, channels: 4, grid: 17, white: 0 },
} as const satisfies Record<string, Linked>;

/** Grid points between two yields. */
const POINTS_AT_ONCE = 16_384;
/** Samples of a point, before and after: 16 bits each. */
const SAMPLE_BYTES = 2;
const OUTPUTS = 3;
/** Pixel format of converted points. */
export const POINT_OUTPUT = pixelFormat(PixelSpace.rgb, OUTPUTS, SAMPLE_BYTES);

/** Bytes of the buffers that points are converted in. */
export const POINT_BYTES = POINTS_AT_ONCE * 4 * SAMPLE_BYTES;

/** The pixel format of points. @param space of the profile, which need not be what the link is called */
export const pointInput = (space: number, { channels }: Linked): number =>
  pixelFormat(space, channels, SAMPLE_BYTES);

/** Bytes of a profile's header, number of tags, and the one entry of its tag table (ICC.1:2022 section 7). */
const TAG_AT = 128 + 4 + 12;
/** Bytes of `lutAToBType` before its table, and of the table's head (sections 10.12.1 and 10.12.3). */
const LUT_HEAD = 32;
const TABLE_HEAD = 20;
/** Where the grid's values begin. */
const VALUES_AT = TAG_AT + LUT_HEAD + TABLE_HEAD;
/** Bytes of a grid point's values. */
const VALUES_BYTES = OUTPUTS * SAMPLE_BYTES;

/**
 * The device link of a transform that converts `pointInput` to POINT_OUTPUT. Yields where others should have
 * a turn.
 * @param input, output buffers of POINT_BYTES in the instance's memory
 */
export function* deviceLink(
  lcms: Lcms,
  transform: number,
  linked: Linked,
  input: number,
  output: number,
): Generator<void, Uint8Array> {
  const { channels, grid, white } = linked;
  const count = grid ** channels;
  const profile = new Uint8Array(VALUES_AT + count * VALUES_BYTES);
  const view = new DataView(profile.buffer);
  writeHeads(view, linked);
  for (let first = 0; first < count; first += POINTS_AT_ONCE) {
    if (first > 0) yield;
    const points = Math.min(POINTS_AT_ONCE, count - first);
    writePoints(new Uint16Array(lcms.memory.buffer, input, points * channels), first, linked);
    lcms.cmsDoTransform(transform, input, output, points);
    const converted = new Uint16Array(lcms.memory.buffer, output, points * OUTPUTS);
    const at = VALUES_AT + first * VALUES_BYTES;
    for (let i = 0; i < converted.length; i++) view.setUint16(at + i * SAMPLE_BYTES, converted[i]!);
  }
  // White stays white, as in LittleCMS' own links.
  const whiteAt = VALUES_AT + (white === 0 ? 0 : count - 1) * VALUES_BYTES;
  profile.fill(0xff, whiteAt, whiteAt + VALUES_BYTES);
  return profile;
}

/** Writes the samples of a grid's points from the given one on; the last channel varies fastest. */
function writePoints(samples: Uint16Array, first: number, { channels, grid }: Linked): void {
  for (let at = 0, point = first; at < samples.length; at += channels, point++) {
    for (let channel = channels - 1, rest = point; channel >= 0; channel--) {
      samples[at + channel] = Math.round(((rest % grid) * 0xffff) / (grid - 1));
      rest = Math.floor(rest / grid);
    }
  }
}

/** Everything before the table: one tag, of a table without curves. */
function writeHeads(view: DataView, { space, channels, grid }: Linked): void {
  const bytes = new Uint8Array(view.buffer);
  const text = (at: number, characters: string) => bytes.set(new TextEncoder().encode(characters), at);
  view.setUint32(0, bytes.length);
  view.setUint32(8, 0x0430_0000);
  text(12, `link${space}RGB `);
  text(36, 'acsp');
  view.setUint32(128, 1);
  text(132, 'A2B0');
  view.setUint32(136, TAG_AT);
  view.setUint32(140, bytes.length - TAG_AT);
  text(TAG_AT, 'mAB ');
  bytes.set([channels, OUTPUTS], TAG_AT + 8);
  // Where its table begins; 0 stands for each part that is not there.
  view.setUint32(TAG_AT + 24, LUT_HEAD);
  bytes.fill(grid, TAG_AT + LUT_HEAD, TAG_AT + LUT_HEAD + channels);
  bytes[TAG_AT + LUT_HEAD + 16] = SAMPLE_BYTES;
}
