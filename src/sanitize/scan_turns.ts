import { inTurns, type JobTime } from '../time_slice.ts';
import { SCANNING } from './pixel_time.ts';

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
  const slice = { spend: (count: number) => time.spend(count * SCANNING) };
  await slice.spend(bytes);
  const facts = await inTurns(parts, slice);
  await slice.spend(bytes);
  return facts;
}
