import { describe, expect, it } from 'vitest';
import { Fault } from '../../../src/faults.ts';
import { BitWriter } from '../../fixtures/webp_lossless_codes.ts';
import { decodeLossless } from '../../fixtures/webp_lossless_rows.ts';

/** Fields of a header, each `value:bits`. */
function stream(fields: string): Uint8Array {
  const bits = new BitWriter();
  for (const field of fields.trim().split(/\s+/)) {
    const [value = 0, count = 0] = field.split(':').map(Number);
    bits.write(value, count);
  }
  return bits.finish();
}

/** Signature, size, hint and version of a picture of 3 × 3 pixels. */
const START = '47:8 2:14 2:14 0:1 0:3';
/** No transform, no colour cache, one group. */
const ONE_GROUP = `${START} 0:1 0:1 0:1`;
/** A code of the code lengths for 1 and 18, which takes a bit for each. */
const LENGTHS = '0:1 0:4 0:3 1:3 0:3 1:3';
/** Green codes: of symbol 256 alone, a copy of one pixel; of 0 and 266, copies of 33 to 48. */
const COPIES = `${LENGTHS} 1:1 0:3 1:2 1:1 127:7 1:1 107:7 0:1`;
const LONG_COPIES = `${LENGTHS} 1:1 0:3 2:2 0:1 1:1 127:7 1:1 116:7 0:1`;

describe('a lossless stream that is not right', () => {
  it.each([
    ['', /signature/],
    ['48:8 2:14 2:14 0:40', /signature/],
    ['47:8 2:14 2:10', /ends early/],
    ['47:8 2:14 2:14 0:1 1:3 0:30', /version/],
    [`${START} 1:1 2:2 1:1 2:2 0:30`, /same transform twice/],
    [`${START} 0:1 1:1 0:4 0:30`, /colour cache/],
    [`${START} 0:1 1:1 12:4 0:30`, /colour cache/],
    // Codes of the code lengths: none, too few, too many codewords.
    [`${ONE_GROUP} 0:1 0:4 0:12 0:30`, /prefix code/],
    [`${ONE_GROUP} 0:1 0:4 1:3 2:3 0:6 0:30`, /prefix code/],
    [`${ONE_GROUP} 0:1 0:4 1:3 1:3 1:3 0:3 0:30`, /prefix code/],
    // More lengths than symbols: 282 of 280.
    [`${ONE_GROUP} 0:1 0:4 0:6 1:3 0:3 1:1 4:3 280:10 0:30`, /prefix code/],
    // A distance code whose only symbol is 40.
    [`${ONE_GROUP} 1:4 1:4 1:4 1:4 5:3 40:8 0:30`, /prefix code/],
    // Every pixel repeats the one above; and one pixel, repeated 33 times.
    [`${ONE_GROUP} ${COPIES} 1:4 1:4 1:4 1:4 0:30`, /backward reference/],
    [`${ONE_GROUP} ${LONG_COPIES} 1:4 1:4 1:4 5:3 1:8 0:1 1:1 0:4 0:30`, /backward reference/],
  ])('says so: %s', (fields, message) => {
    const bytes = fields === '' ? new Uint8Array(0) : stream(fields);
    expect(() => decodeLossless(bytes)).toThrow(message);
    expect(() => decodeLossless(bytes)).toThrow(Fault);
  });

  it('may not ask for more memory than its size warrants', () => {
    // The smallest blocks there are, for 16,384 × 16,384 pixels.
    const modes = stream('47:8 16383:14 16383:14 0:4 1:1 0:2 0:3 0:60');
    expect(() => decodeLossless(modes)).toThrow(expect.objectContaining({ kind: 'limit' }));
  });

  it('may not have more large codes than its size warrants', () => {
    // One pixel, of the last of 65,536 groups, all of which have large codes: 8 bits for each of 256 symbols.
    const large = '0:1 8:4 0:30 0:3 1:3 1:1 3:3 254:8';
    const groups = `${large} ${large} ${large} ${large} 1:1 0:3 `.repeat(17_000);
    const number = '0:1 5:3 255:8 5:3 255:8 1:4 1:4 1:4';
    const codes = stream(`47:8 0:14 0:14 0:4 0:1 0:1 1:1 0:3 ${number} ${groups}`);
    expect(() => decodeLossless(codes)).toThrow(/more work/);
    expect(() => decodeLossless(codes)).toThrow(expect.objectContaining({ kind: 'limit' }));
  });
});
