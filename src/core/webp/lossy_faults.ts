import * as Code from '../../../wasm/assembly/webp/vp8/decode/faults.ts';
import { Fault, type FaultKind } from '../../faults.ts';

export const { OUT_OF_MEMORY } = Code;

const NO_MEMORY = 'There is no memory left to read this WebP';

/** What each code means, in words for the sender. */
const meanings: Readonly<Record<number, readonly [FaultKind, string]>> = {
  [OUT_OF_MEMORY]: ['limit', NO_MEMORY],
  [Code.HEADER_CUT]: ['decoding', 'The WebP ends inside its frame header'],
  [Code.NO_START_CODE]: ['decoding', 'The WebP frame does not begin with the start code of VP8'],
  [Code.NOT_KEY_FRAME]: ['decoding', 'The WebP frame is no key frame, which a picture must be'],
  [Code.VERSION]: ['unsupported', 'This WebP has a version of VP8 that does not exist: expected 0 to 3'],
  [Code.NOT_SHOWN]: ['decoding', 'The WebP frame is marked as not to be shown'],
  [Code.NO_PIXELS]: ['decoding', 'The WebP frame says that it has no pixels'],
  [Code.FIRST_PARTITION_CUT]: ['decoding', 'The WebP ends inside its first partition'],
  [Code.TOKEN_PARTITIONS_CUT]: ['decoding', 'The WebP ends before its coefficients'],
  [Code.HEADER_ENDED]: ['decoding', 'The WebP frame header is longer than its partition'],
  [Code.MODES_ENDED]: ['decoding', 'The WebP is truncated or corrupt: the prediction modes end early'],
  [Code.TOKENS_ENDED]: ['decoding', 'The WebP is truncated or corrupt: the coefficients end early'],
};

/** Codes met while decoding rows. */
const OF_ROWS: ReadonlySet<number> = new Set([Code.MODES_ENDED, Code.TOKENS_ENDED]);

/**
 * The fault for a code of the core.
 * @param row pixel rows decoded before it
 * @param height rows of the picture
 */
export function webpLossyFault(code: number, row: number, height: number): Fault {
  const [kind, text] = meanings[code] ?? ['decoding', `The WebP is corrupt (${code})`];
  return new Fault(kind, OF_ROWS.has(code) ? `${text} (row ${row} of ${height} reached)` : text);
}
