import { Fault } from '../faults.ts';
import { releaseBytes } from '../memory/owned_bytes.ts';
import type { FileFacts } from '../metadata/facts.ts';
import { scan } from '../metadata/scan.ts';

/**
 * The finished output, scanned by the same scanner as the input. What does not pass gives its memory back.
 * @throws Fault 'unclean' when it carries a block or is not whole: it must not be sent
 */
export function assertClean(output: Uint8Array): FileFacts {
  const facts = scan(output);
  if (facts?.complete && facts.blocks.length === 0) return facts;
  releaseBytes(output);
  throw new Fault('unclean', 'The output did not pass its scan');
}
