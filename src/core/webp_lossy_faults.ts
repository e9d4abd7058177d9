import { Fault, type FaultKind } from '../faults.ts';

/** Codes of wasm/assembly/webp/vp8/faults.ts that the host itself needs. */
export const OUT_OF_MEMORY = 1;

const NO_MEMORY = 'There is no memory left to read this WebP';

/** What each code of wasm/assembly/webp/vp8/faults.ts means, in words for the sender. */
const meanings: Readonly<Record<number, readonly [FaultKind, string]>> = {
  [OUT_OF_MEMORY]: ['limit', NO_MEMORY],
  2: ['decoding', 'The WebP ends inside its frame header'],
  3: ['decoding', 'The WebP frame does not begin with the start code of VP8'],
  4: ['decoding', 'The WebP frame is no key frame, which a picture must be'],
  5: ['unsupported', 'This WebP has a version of VP8 that does not exist: expected 0 to 3'],
  6: ['decoding', 'The WebP frame is marked as not to be shown'],
  7: ['decoding', 'The WebP frame says that it has no pixels'],
  8: ['decoding', 'The WebP ends inside its first partition'],
  9: ['decoding', 'The WebP ends before its coefficients'],
  10: ['decoding', 'The WebP frame header is longer than its partition'],
  11: ['decoding', 'The WebP is truncated or corrupt: the prediction modes end early'],
  12: ['decoding', 'The WebP is truncated or corrupt: the coefficients end early'],
};

/** Codes met while decoding rows. */
const OF_ROWS: ReadonlySet<number> = new Set([11, 12]);

/**
 * The fault for a code of the core.
 * @param row pixel rows decoded before it
 * @param height rows of the picture
 */
export function webpLossyFault(code: number, row: number, height: number): Fault {
  const [kind, text] = meanings[code] ?? ['decoding', `The WebP is corrupt (${code})`];
  return new Fault(kind, OF_ROWS.has(code) ? `${text} (row ${row} of ${height} reached)` : text);
}
