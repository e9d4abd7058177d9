import { Fault } from '../faults.ts';
import type { OwnedBytes } from '../memory/owned_bytes.ts';
import type { FileFacts } from '../metadata/facts.ts';
import { scan } from '../metadata/scan.ts';
import type { JobTime } from '../time_slice.ts';
import { SCANNING } from './pixel_time.ts';

/**
 * Scans the finished output by the same scanner as the input, and disposes of one that does not pass.
 * @param time counts the scan before and after it, so that a long one stands alone between two turns
 * @throws Fault 'unclean' when it carries a block or is not whole: it must not be sent. Whatever turns throw
 */
export async function assertClean(output: OwnedBytes, time: JobTime): Promise<FileFacts> {
  const scanning = output.bytes.length * SCANNING;
  try {
    await time.spend(scanning);
    const facts = scan(output.bytes);
    if (!facts?.complete || facts.blocks.length > 0) {
      throw new Fault('unclean', 'The output did not pass its scan');
    }
    await time.spend(scanning);
    return facts;
  } catch (error) {
    output[Symbol.dispose]();
    throw error;
  }
}
