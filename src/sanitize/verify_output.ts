import { Fault } from '../faults.ts';
import type { OwnedBytes } from '../memory/image_file.ts';
import type { FileFacts } from '../metadata/facts.ts';
import type { JobTime } from '../scheduling/time_slice.ts';
import { scanInTurns } from './read_header.ts';

/**
 * Scans the finished output with the same scanner as the input. Disposes of an output that does not pass.
 * @throws Fault 'unclean' when it carries a block or is not complete: it must not be sent. Whatever turns
 * throw
 */
export async function assertClean(output: OwnedBytes, time: JobTime): Promise<FileFacts> {
  try {
    const facts = await scanInTurns(output.bytes, time);
    if (!facts?.complete || facts.blocks.length > 0) {
      throw new Fault('unclean', 'The output did not pass its scan');
    }
    return facts;
  } catch (error) {
    output[Symbol.dispose]();
    throw error;
  }
}
