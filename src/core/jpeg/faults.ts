import * as Code from '../../../wasm/assembly/jpeg/decode/faults.ts';
import { Fault, type FaultKind } from '../../faults.ts';

const hex = (marker: number) => `0xFF${marker.toString(16).toUpperCase().padStart(2, '0')}`;

/** What each code means, in words for the sender; `detail` is what the decoder noted with the code. */
const meanings: Readonly<Record<number, readonly [FaultKind, (detail: number) => string]>> = {
  [Code.OUT_OF_MEMORY]: ['limit', () => 'There is no memory left to read this JPEG'],
  [Code.NO_SOI]: ['decoding', () => 'The JPEG does not begin with its start marker (SOI)'],
  [Code.SEGMENT_OVERRUN]: ['decoding', (marker) => `The JPEG ends inside its segment ${hex(marker)}`],
  [Code.UNKNOWN_MARKER]: [
    'decoding',
    (marker) => `The JPEG has a marker ${hex(marker)} where none may stand`,
  ],
  [Code.BAD_FRAME]: [
    'decoding',
    () => 'The JPEG frame header (SOF) is missing, repeated or holds values outside their range',
  ],
  [Code.BAD_SCAN]: ['decoding', () => 'A JPEG scan header (SOS) contradicts the frame header'],
  [Code.BAD_HUFFMAN_TABLE]: ['decoding', () => 'A JPEG Huffman table is corrupt or missing'],
  [Code.BAD_QUANT_TABLE]: ['decoding', () => 'A JPEG quantisation table is corrupt'],
  [Code.MISSING_QUANT_TABLE]: ['decoding', () => 'A JPEG quantisation table is missing'],
  [Code.NO_SCAN]: ['decoding', () => 'The JPEG holds no image data: it ends before its first scan'],
  [Code.MISSING_COMPONENT]: [
    'decoding',
    (component) => `The JPEG ends before its colour component ${component} was sent`,
  ],
  [Code.MISSING_LINES]: [
    'decoding',
    () =>
      'The JPEG says nothing of its height: 0 in the frame header and no DNL segment after the first scan',
  ],
  [Code.BAD_PROGRESSION]: [
    'decoding',
    () => 'A progressive JPEG scan does not go on from the scans before it',
  ],
  [Code.TOO_MANY_SCANS]: [
    'limit',
    (scans) => `The JPEG asks for more work than its size warrants: its first ${scans} scans pass the limit`,
  ],
  [Code.ARITHMETIC]: [
    'unsupported',
    () => 'This JPEG is arithmetic-coded, which is not read here: expected Huffman coding',
  ],
  [Code.LOSSLESS]: [
    'unsupported',
    () => 'This is a lossless JPEG, which is not read here: expected baseline or progressive',
  ],
  [Code.HIERARCHICAL]: [
    'unsupported',
    () => 'This is a hierarchical JPEG, which is not read here: expected baseline or progressive',
  ],
  [Code.PRECISION]: ['unsupported', (bits) => `This JPEG has ${bits} bits a sample: only 8 are read here`],
  [Code.COMPONENT_COUNT]: [
    'unsupported',
    (count) => `This JPEG has ${count} colour components: expected 1, 3 or 4`,
  ],
  [Code.ENTROPY_ENDED]: ['decoding', () => 'the image data ends early'],
  [Code.ENTROPY_CODE]: ['decoding', () => 'the image data holds a code that does not exist'],
  [Code.ENTROPY_LEFT_OVER]: ['decoding', () => 'image data is left over'],
  [Code.RESTART_MISSING]: ['decoding', () => 'a restart marker is missing or out of order'],
  [Code.MISSING_EOI]: ['decoding', () => 'the end marker (EOI) is missing'],
  [Code.BAD_DRI]: ['decoding', () => 'The JPEG restart interval segment (DRI) has the wrong length'],
};

/** Codes of row decoding: their meanings are only parts of a sentence. */
const OF_ROWS: ReadonlySet<number> = new Set([
  Code.ENTROPY_ENDED,
  Code.ENTROPY_CODE,
  Code.ENTROPY_LEFT_OVER,
  Code.RESTART_MISSING,
  Code.MISSING_EOI,
]);

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
