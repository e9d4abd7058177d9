import { inTurns, type JobTime, type TimeSlice } from '../scheduling/time_slice.ts';

/**
 * Nanoseconds to scan a byte of a file: the checksum of a PNG, or a search for the markers of a JPEG. It is
 * not with those of pixels (pixel_time.ts), because that file imports the codecs, which a scan alone does not
 * load.
 */
export const SCAN_TIME = 0.7;

/**
 * A slice for scanners and readers of values, which yield bytes searched: it converts these to the job's
 * time.
 */
export const bytesIn = (time: JobTime): Pick<TimeSlice, 'spend'> => ({
  spend: (bytes) => time.spend(bytes * SCAN_TIME),
});

/**
 * Runs a scan to its end; gives turns in between.
 * @param parts the scan, which yields the bytes it has passed
 * @param bytes of the file
 * @param time counts the whole scan before and after it, so that a long part has a slice of its own
 * @throws whatever turns throw
 */
export async function scanned<Facts>(
  parts: Generator<number, Facts>,
  bytes: number,
  time: JobTime,
): Promise<Facts> {
  const slice = bytesIn(time);
  await slice.spend(bytes);
  const facts = await inTurns(parts, slice);
  await slice.spend(bytes);
  return facts;
}
