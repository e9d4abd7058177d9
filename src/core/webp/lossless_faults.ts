import * as Code from '../../../wasm/assembly/webp/vp8l/decode/faults.ts';
import { Fault, type FaultKind } from '../../faults.ts';

export const { OUT_OF_MEMORY } = Code;

/** What each code means, as the end of a sentence for the sender. */
const meanings: Readonly<Record<number, readonly [FaultKind, string]>> = {
  [Code.BAD_SIGNATURE]: ['decoding', 'it does not begin with its signature'],
  [Code.BAD_VERSION]: ['decoding', 'its version is not 0'],
  [Code.REPEATED_TRANSFORM]: ['decoding', 'it has the same transform twice'],
  [Code.BAD_CACHE_SIZE]: ['decoding', 'its colour cache has a size that does not exist'],
  [Code.BAD_CODE]: ['decoding', 'a prefix code is none'],
  [Code.TRUNCATED]: ['decoding', 'the image data ends early'],
  [Code.BAD_REFERENCE]: ['decoding', 'a backward reference leaves the image'],
  [Code.BAD_ALPHA_HEADER]: ['decoding', 'its header holds values that do not exist'],
};

/**
 * The fault for a code of the core.
 * @param what is read: "WebP" or "WebP alpha"
 * @param row rows decoded before it
 * @param height rows of the image; 0 when it is not known yet
 */
export function losslessFault(code: number, what: string, row: number, height: number): Fault {
  if (code === OUT_OF_MEMORY) return new Fault('limit', `There is no memory left to read this ${what}`);
  if (code === Code.TOO_MUCH_MEMORY)
    return new Fault('limit', `The ${what} asks for more memory than its size warrants`);
  if (code === Code.TOO_MANY_CODES)
    return new Fault('limit', `The ${what} asks for more work than its size warrants`);
  const [kind, text] = meanings[code] ?? ['decoding', `fault ${code}`];
  const reached = height > 0 ? ` (row ${row} of ${height} reached)` : '';
  return new Fault(kind, `The ${what} is truncated or corrupt: ${text}${reached}`);
}
