import { Fault } from '../faults.ts';
import type { OwnedBytes } from '../memory/owned_bytes.ts';
import type { FileFacts } from '../metadata/facts.ts';
import { scan } from '../metadata/scan.ts';

/**
 * Scans the finished output by the same scanner as the input, and disposes of one that does not pass.
 * @throws Fault 'unclean' when it carries a block or is not whole: it must not be sent
 */
export function assertClean(output: OwnedBytes): FileFacts {
  const facts = scan(output.bytes);
  if (facts?.complete && facts.blocks.length === 0) return facts;
  output[Symbol.dispose]();
  throw new Fault('unclean', 'The output did not pass its scan');
}
