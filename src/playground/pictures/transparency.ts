import type { Pixels } from '../stage/block_means.ts';

/** Alpha below this counts as transparent; smoothing and rounding stay above it. */
const OPAQUE_FROM = 250;

/** Whether a picture has transparent parts. */
export function isTransparent({ data }: Pixels): boolean {
  for (let at = 3; at < data.length; at += 4) if (data[at]! < OPAQUE_FROM) return true;
  return false;
}
