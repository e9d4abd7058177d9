import { Fault, type FaultKind } from '../faults.ts';

/** Codes of wasm/assembly/jpeg/decode/faults.ts that the host itself needs. */
export const OUT_OF_MEMORY = 1;

const hex = (marker: number) => `0xFF${marker.toString(16).toUpperCase().padStart(2, '0')}`;

/**
 * What each code of wasm/assembly/jpeg/decode/faults.ts means, in words for the sender; `detail` as set
 * there.
 */
const meanings: Readonly<Record<number, readonly [FaultKind, (detail: number) => string]>> = {
  1: ['limit', () => 'There is no memory left to read this JPEG'],
  2: ['decoding', () => 'The JPEG does not begin with its start marker (SOI)'],
  3: ['decoding', (marker) => `The JPEG ends inside its segment ${hex(marker)}`],
  4: ['decoding', (marker) => `The JPEG has a marker ${hex(marker)} where none may stand`],
  5: [
    'decoding',
    () => 'The JPEG frame header (SOF) is missing, repeated or holds values outside their range',
  ],
  6: ['decoding', () => 'A JPEG scan header (SOS) contradicts the frame header'],
  7: ['decoding', () => 'A JPEG Huffman table is corrupt or missing'],
  8: ['decoding', () => 'A JPEG quantisation table is corrupt'],
  9: ['decoding', () => 'A JPEG quantisation table is missing'],
  10: ['decoding', () => 'The JPEG holds no image data: it ends before its first scan'],
  11: ['decoding', (component) => `The JPEG ends before its colour component ${component} was sent`],
  12: [
    'decoding',
    () =>
      'The JPEG says nothing of its height: 0 in the frame header and no DNL segment after the first scan',
  ],
  13: ['decoding', () => 'A progressive JPEG scan does not go on from the scans before it'],
  14: [
    'limit',
    (scans) => `The JPEG asks for more work than its size warrants: its first ${scans} scans pass the limit`,
  ],
  15: ['unsupported', () => 'This JPEG is arithmetic-coded, which is not read here: expected Huffman coding'],
  16: [
    'unsupported',
    () => 'This is a lossless JPEG, which is not read here: expected baseline or progressive',
  ],
  17: [
    'unsupported',
    () => 'This is a hierarchical JPEG, which is not read here: expected baseline or progressive',
  ],
  18: ['unsupported', (bits) => `This JPEG has ${bits} bits a sample: only 8 are read here`],
  19: ['unsupported', (count) => `This JPEG has ${count} colour components: expected 1, 3 or 4`],
  20: ['decoding', () => 'the image data ends early'],
  21: ['decoding', () => 'the image data holds a code that does not exist'],
  22: ['decoding', () => 'image data is left over'],
  23: ['decoding', () => 'a restart marker is missing or out of order'],
  24: ['decoding', () => 'the end marker (EOI) is missing'],
  25: ['decoding', () => 'The JPEG restart interval segment (DRI) has the wrong length'],
};

/** Codes met while decoding rows: the meaning alone is no sentence. */
const OF_ROWS: ReadonlySet<number> = new Set([20, 21, 22, 23, 24]);

/**
 * The fault for a code of the core.
 * @param row pixel rows decoded before it
 * @param height rows of the image; 0 when it is not known yet
 */
export function jpegFault(code: number, detail: number, row: number, height: number): Fault {
  const [kind, say] = meanings[code] ?? ['decoding', () => `The JPEG is corrupt (${code})`];
  const text = OF_ROWS.has(code) ? `The JPEG is truncated or corrupt: ${say(detail)}` : say(detail);
  const reached = kind === 'decoding' && height > 0 ? ` (row ${row} of ${height} reached)` : '';
  return new Fault(kind, text + reached);
}
