import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DataBlocks } from '../../../src/codecs/gif/blocks.ts';
import { type LzwInput, type LzwOptions, LzwReader } from '../../../src/codecs/lzw/reader.ts';
import { lzwData } from '../../fixtures/tiff_packers.ts';

/** Compressed bytes in pieces of one size. */
class Pieces implements LzwInput {
  readonly bytes: Uint8Array;
  readonly size: number;
  private at: number;

  constructor(bytes: Uint8Array, size: number, at = 0) {
    this.bytes = bytes;
    this.size = size;
    this.at = at;
  }
  clone(): Pieces {
    return new Pieces(this.bytes, this.size, this.at);
  }
  next(): Uint8Array | undefined {
    if (this.at >= this.bytes.length) return undefined;
    this.at += this.size;
    return this.bytes.subarray(this.at - this.size, this.at);
  }
}

const options = (old: boolean): LzwOptions => ({ literalBits: 8, earlyChange: !old, descending: !old });

/** Everything that is left, in reads of `size` bytes. */
function readAll(reader: LzwReader, size: number): number[] {
  const all: number[] = [];
  const part = new Uint8Array(size);
  for (;;) {
    const count = reader.read(part);
    all.push(...part.subarray(0, count));
    if (count < size) return all;
  }
}

const texts = fc.array(fc.tuple(fc.nat(255), fc.integer({ min: 1, max: 90 })), { maxLength: 60 });
const spelled = (text: readonly (readonly [number, number])[]) =>
  text.flatMap(([byte, times]) => Array<number>(times).fill(byte));

describe('the LZW reader', () => {
  it('gives back what was packed, whatever the sizes of pieces and reads', () => {
    const size = fc.integer({ min: 1, max: 300 });
    fc.assert(
      fc.property(texts, size, size, fc.boolean(), (text, piece, read, old) => {
        const data = spelled(text);
        const input = new Pieces(Uint8Array.from(lzwData(data, old)), piece);
        expect(readAll(new LzwReader(input, options(old)), read)).toEqual(data);
      }),
      { seed: 20261103, numRuns: 150 },
    );
  });

  it('goes on from a clone as from itself, in the middle of a string too', () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 500 }), fc.boolean(), (text, before, old) => {
        const data = spelled(text);
        const reader = new LzwReader(new Pieces(Uint8Array.from(lzwData(data, old)), 7), options(old));
        reader.read(new Uint8Array(before));
        const twin = reader.clone();
        expect(readAll(twin, 11)).toEqual(data.slice(before));
        expect(readAll(reader, 13)).toEqual(data.slice(before));
      }),
      { seed: 20261104, numRuns: 100 },
    );
  });

  it('ends with the data, with or without an end code', () => {
    const packed = Uint8Array.from(lzwData([1, 2, 3, 4], false));
    const cut = new LzwReader(new Pieces(packed.subarray(0, 3), 9), options(false));
    expect(readAll(cut, 2)).toEqual([1]);
    expect(cut.read(new Uint8Array(5))).toBe(0);
  });

  it('refuses a code that no string was given to', () => {
    // The clear code, then code 300, 9 bits each.
    const wrong = Uint8Array.of(0b10000000, 0b01001011, 0b00000000);
    const reader = new LzwReader(new Pieces(wrong, 9), options(false));
    expect(() => reader.read(new Uint8Array(4))).toThrow(/code 300/);
  });
});

describe('GIF data blocks', () => {
  it('come one by one up to the block of none, or as far as the file goes', () => {
    const bytes = Uint8Array.of(9, 2, 10, 11, 1, 12, 0, 3, 13);
    const blocks = new DataBlocks(bytes, 1);
    const first = blocks.next();
    const twin = blocks.clone();
    expect([first, blocks.next(), blocks.next()]).toEqual([
      Uint8Array.of(10, 11),
      Uint8Array.of(12),
      undefined,
    ]);
    expect(twin.next()).toEqual(Uint8Array.of(12));
    const cut = new DataBlocks(bytes, 7);
    expect([cut.next(), cut.next()]).toEqual([Uint8Array.of(13), undefined]);
  });

  it('begins with other data in the same memory, whatever it had read, with nothing left of it', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.uint8Array({ maxLength: 600 }), fc.boolean(), fc.nat(700)), { minLength: 2 }),
        (streams) => {
          let reader: LzwReader | undefined;
          for (const [data, old, read] of streams) {
            const stored = new Pieces(new Uint8Array(lzwData([...data], old)), 50);
            if (reader) reader.restart(stored, options(old));
            else reader = new LzwReader(stored, options(old));
            expect([...data.subarray(0, read)]).toEqual(
              ((into) => [...into.subarray(0, reader.read(into))])(new Uint8Array(read)),
            );
          }
        },
      ),
      { numRuns: 100, seed: 9 },
    );
  });

  it('takes a few clear codes too many, and refuses megabytes of them, which give nothing', () => {
    // Clear codes of nine bits: 256 eight times is nine bytes.
    const clears = (count: number) => {
      const nine = [0x80, 0x40, 0x20, 0x10, 0x08, 0x04, 0x02, 0x01, 0x00];
      return new Uint8Array(Array.from({ length: count * 9 }, (_, at) => nine[at % 9]!));
    };
    const read = (data: Uint8Array) =>
      new LzwReader(new Pieces(data, 4096), options(false)).read(new Uint8Array(1));
    expect(read(clears(100))).toBe(0);
    expect(() => read(clears(10_000))).toThrow('65537 clear codes on end');
  });
});
