import { inTurns, JOB_TIME, type JobTime, type TimeSlice } from '../scheduling/time_slice.ts';

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
 * Nanoseconds of work that is short: a part of it needs no slice of its own, so that it is counted once. What
 * was counted twice beside it cost a photograph of 12 megapixels a turn.
 */
export const SHORT_TIME = 2 * JOB_TIME;

/**
 * Runs a scan to its end; gives turns in between.
 * @param parts the scan, which yields the bytes it has passed
 * @param bytes of the file
 * @param time counts the whole scan before it and, if it is not short, its parts and the whole again after
 * it, so that a long part has a slice of its own; of a short one only what goes beyond the file's bytes
 * @throws whatever turns throw
 */
export async function scanned<Facts>(
  parts: Generator<number, Facts>,
  bytes: number,
  time: JobTime,
): Promise<Facts> {
  const slice = bytesIn(time);
  await slice.spend(bytes);
  if (bytes * SCAN_TIME <= SHORT_TIME) return inTurns(parts, beyond(bytes, slice));
  const facts = await inTurns(parts, slice);
  await slice.spend(bytes);
  return facts;
}

/** A slice that spends only what goes beyond the bytes that are counted already. */
function beyond(counted: number, slice: Pick<TimeSlice, 'spend'>): Pick<TimeSlice, 'spend'> {
  let left = counted;
  return {
    spend(bytes) {
      const more = Math.max(0, bytes - left);
      left = Math.max(0, left - bytes);
      return slice.spend(more);
    },
  };
}
