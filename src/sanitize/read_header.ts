import { decodingFault, imageName, limitFault, OutOfMemoryFault } from '../faults.ts';
import type { FileFacts } from '../metadata/facts.ts';
import { scanInParts } from '../metadata/scan.ts';
import type { JobTime } from '../scheduling/time_slice.ts';
import { MAX_PIXELS } from '../vocabulary/vocabulary.ts';
import { scanned } from './scan_turns.ts';
import { unknownFormat } from './unknown_format.ts';

/**
 * Reads a file's facts from its container alone; gives turns in between, as `scanInTurns` does.
 * @throws Fault 'unsupported' for other than the input formats; it names what the bytes are
 */
export async function readFactsInTurns(bytes: Uint8Array, time: JobTime): Promise<FileFacts> {
  const facts = await scanInTurns(bytes, time);
  if (!facts) throw unknownFormat(bytes);
  return facts;
}

/** As `scan`; gives turns in between, as `scanned` does. */
export const scanInTurns = (bytes: Uint8Array, time: JobTime): Promise<FileFacts | null> =>
  scanned(scanInParts(bytes), bytes.length, time);

/**
 * Refuses what cannot be decoded, by the header alone.
 * @throws Fault 'decoding' for a truncated or corrupt container; 'limit' for more pixels than allowed
 */
export function requireDecodable(facts: FileFacts): void {
  const { format, width, height } = facts;
  const pixels = width * height;
  if (pixels > MAX_PIXELS) {
    const megapixels = (pixels / 1e6).toFixed(1);
    throw limitFault(
      `Expected at most ${MAX_PIXELS / 1e6} megapixels but the image has ${width} × ${height} = ${megapixels} megapixels`,
    );
  }
  if (!facts.complete) {
    throw decodingFault(
      `The ${format.toUpperCase()} file is truncated or corrupt: ${facts.defect ?? 'its end is missing'}`,
    );
  }
  if (pixels === 0) throw decodingFault(`The ${format.toUpperCase()} file has no image of a known size`);
}

/** The fault to report for `error`: if a codec or a step ran out of memory, one that names the image. */
export function namedFault(error: unknown, facts: FileFacts): unknown {
  return error instanceof OutOfMemoryFault
    ? limitFault(`There is no memory left to process this ${imageName(facts)}`)
    : error;
}
