import { decoders } from '../codecs/registry.ts';
import type { DecodedRaster, Size, Want } from '../codecs/types.ts';
import { decodingFault } from '../faults.ts';
import { bytesOf, type ImageFile } from '../memory/image_file.ts';
import type { FileFacts } from '../metadata/facts.ts';
import type { JobTime } from '../scheduling/time_slice.ts';
import { COPY_TIME, OPEN_TIME, WALK_TIME } from './pixel_time.ts';
import { SHORT_TIME } from './scan_turns.ts';

/** A readable image as it is stored, perhaps shrunk by its decoder. */
export interface OpenImage extends Disposable {
  readonly raster: DecodedRaster;
  /** The factor by which the decoder has shrunk it: its size is ceil(stored / factor) in both directions. */
  readonly factor: number;
}

/**
 * Opens an image that can be read once or more.
 * @param time counts the copying before it, and that of a long file after it as well, so that it has a slice
 * of its own
 * @throws Fault 'decoding' when the pixels have another size than the header states; what decoders throw
 */
export async function openImage(
  file: ImageFile,
  facts: FileFacts,
  want: Want,
  time: JobTime,
): Promise<OpenImage> {
  const copying = bytesOf(file).length * COPY_TIME;
  await time.spend(copying);
  const raster = await decoders[facts.format].open(file, facts, want, time.perPixel(WALK_TIME));
  try {
    const factor = shrinkFactor(facts, raster);
    await time.spend(OPEN_TIME + (copying <= SHORT_TIME ? 0 : copying));
    return { raster, factor, [Symbol.dispose]: () => raster[Symbol.dispose]() };
  } catch (error) {
    raster[Symbol.dispose]();
    throw error;
  }
}

/** The sizes that decoders shrink to, in eighths. */
const SHRUNK_TO = [8, 5, 4, 3, 2, 1] as const;

function shrinkFactor(facts: FileFacts, { width, height }: Size): number {
  const shrunk = (side: number, eighths: number) => Math.ceil((side * eighths) / 8);
  const eighths = SHRUNK_TO.find(
    (part) => shrunk(facts.width, part) === width && shrunk(facts.height, part) === height,
  );
  if (eighths === undefined) {
    throw decodingFault(
      `The header promises ${facts.width} × ${facts.height} pixels but the image has ${width} × ${height}`,
    );
  }
  return 8 / eighths;
}
