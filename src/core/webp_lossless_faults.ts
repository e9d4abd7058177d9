import { Fault, type FaultKind } from '../faults.ts';

/** Codes of wasm/assembly/webp/vp8l/faults.ts that the host itself needs. */
export const OUT_OF_MEMORY = 1;

/** What each code of wasm/assembly/webp/vp8l/faults.ts means, as the end of a sentence for the sender. */
const meanings: Readonly<Record<number, readonly [FaultKind, string]>> = {
  2: ['decoding', 'it does not begin with its signature'],
  3: ['decoding', 'its version is not 0'],
  4: ['decoding', 'it has the same transform twice'],
  5: ['decoding', 'its colour cache has a size that does not exist'],
  6: ['decoding', 'a prefix code is none'],
  7: ['decoding', 'the image data ends early'],
  8: ['decoding', 'a backward reference leaves the image'],
  11: ['decoding', 'its header holds values that do not exist'],
};

/**
 * The fault for a code of the core.
 * @param what is read: "WebP" or "WebP alpha"
 * @param row rows decoded before it
 * @param height rows of the image; 0 when it is not known yet
 */
export function losslessFault(code: number, what: string, row: number, height: number): Fault {
  if (code === OUT_OF_MEMORY) return new Fault('limit', `There is no memory left to read this ${what}`);
  if (code === 9) return new Fault('limit', `The ${what} asks for more memory than its size warrants`);
  if (code === 10) return new Fault('limit', `The ${what} asks for more work than its size warrants`);
  const [kind, text] = meanings[code] ?? ['decoding', `fault ${code}`];
  const reached = height > 0 ? ` (row ${row} of ${height} reached)` : '';
  return new Fault(kind, `The ${what} is truncated or corrupt: ${text}${reached}`);
}
