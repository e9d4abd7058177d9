/** Copies pixels inside an entropy-coded image's ring. */
import { copyMatch } from '../../../inflate/copy';
import { EntropyImage } from './image';

/**
 * Repeats `length` pixels that lie `distance` pixels before `out`, up to `rowEnd`; the rest is noted for the
 * next row. Source and target are known to lie inside the image.
 * @returns where the next pixel goes
 */
export function copyPixels(
  image: EntropyImage,
  out: usize,
  rowEnd: usize,
  distance: u32,
  length: u32,
): usize {
  const shift = image.shift;
  const back = (<usize>distance) << shift;
  const end = min(rowEnd, out + ((<usize>length) << shift));
  image.copyLeft = length - <u32>((end - out) >> shift);
  image.copyDistance = distance;
  while (out < end) {
    if (out - image.ring >= back) {
      copyMatch(out, back, end - out);
      return end;
    }
    // From the ring's end, where the oldest pixels are, as far as those reach.
    const from = out - back + (image.ringEnd - image.ring);
    const bytes = min(end - out, image.ringEnd - from);
    copyMatch(out, out - from, bytes);
    out += bytes;
  }
  return end;
}
