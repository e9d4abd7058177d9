import type { Core } from '../../core/instance.ts';
import { decodingFault } from '../../faults.ts';
import { bytesOf, type ImageFile } from '../../memory/image_file.ts';
import { CoreBytes } from '../../memory/owned_bytes.ts';
import { type AvifPicture, type CodedImage, findPicture } from '../../metadata/avif/coded_picture.ts';
import type { TimeSlice } from '../../scheduling/time_slice.ts';
import { walked } from '../walked.ts';

/** Bytes in a core. */
interface Place {
  readonly at: number;
  readonly length: number;
}

/**
 * The picture of a file.
 * @throws Fault 'decoding' if there is none, saying why, or if its bytes are not in the file
 */
export async function readPicture(bytes: Uint8Array, slice: TimeSlice): Promise<AvifPicture> {
  const picture = await walked(findPicture(bytes), slice);
  if ('defect' in picture) throw decodingFault(`The AVIF ${picture.defect}`);
  for (const { tiles } of [picture.colour, picture.alpha ?? { tiles: [] }]) {
    for (const { extents } of tiles) {
      if (extents.some(({ start, end }) => start > end || end > bytes.length))
        throw decodingFault('The image data of the AVIF reach beyond the end of the file');
    }
  }
  return picture;
}

/**
 * Where the bitstream of an image lies in a core: in the file itself if that is in the core and holds it in
 * one piece, otherwise in a copy.
 * @throws Fault 'limit' when the memory cannot grow that far
 */
export function placeIn(core: Core, file: ImageFile, { extents }: CodedImage): Place {
  const [first] = extents;
  if (file instanceof CoreBytes && file.core === core && extents.length === 1) {
    return { at: file.at + first!.start, length: first!.end - first!.start };
  }
  const length = extents.reduce((sum, { start, end }) => sum + end - start, 0);
  const at = core.alloc(length);
  const target = core.view(at, length);
  const bytes = bytesOf(file);
  let filled = 0;
  for (const { start, end } of extents) {
    target.set(bytes.subarray(start, end), filled);
    filled += end - start;
  }
  return { at, length };
}
