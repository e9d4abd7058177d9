import { inTurns, type JobTime, type TimeSlice } from '../time_slice.ts';

/**
 * Nanoseconds to scan a byte of a file: the checksum of a PNG, or a search for the markers of a JPEG. It
 * stands apart from those of pixels (pixel_time.ts), which know the codecs: a scan alone loads none.
 */
export const SCANNING = 0.7;

/** Takes what scanners and readers of values yield: the bytes that are searched in the time of their work. */
export const bytesIn = (time: JobTime): Pick<TimeSlice, 'spend'> => ({
  spend: (bytes) => time.spend(bytes * SCANNING),
});

/**
 * What a scan comes to, giving turns in between.
 * @param parts the scan, which yields bytes gone through
 * @param bytes of the file
 * @param time counts the scan before and after it, so that a long part stands alone between two turns
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
