import { inTurns, type TimeSlice } from '../scheduling/time_slice.ts';

/** How many bytes are searched in the time that opening counts as a pixel (src/sanitize/pixel_time.ts). */
const BYTES_A_PIXEL = 17;

/**
 * Runs a walk through a file's own structure to its end.
 * @param parts yields its work as bytes searched, as scanners do
 * @param slice of `Decoder.open`
 */
export const walked = <Result>(
  parts: Generator<number, Result>,
  slice: Pick<TimeSlice, 'spend'>,
): Promise<Result> => inTurns(parts, { spend: (bytes) => slice.spend(bytes / BYTES_A_PIXEL) });
