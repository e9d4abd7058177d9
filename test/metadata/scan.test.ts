import { describe, expect, it } from 'vitest';
import { blockNames } from '../../src/metadata/block_names.ts';
import { scan, scanInParts } from '../../src/metadata/scan.ts';
import { fixtures } from '../fixtures/metadata/all.ts';
import type { Fixture } from '../fixtures/metadata/fixture.ts';
import { joined, PNG_END, PNG_SIGNATURE, pngChunk } from '../fixtures/png_writer.ts';
import { faultsOf } from './block_faults.ts';

/** What goes without saying of a whole file. */
const USUAL = { complete: true, hasGps: false, orientation: 1 };

function check({ bytes, blocks, facts }: Fixture): void {
  const found = scan(bytes);
  expect(found).not.toBeNull();
  expect(blockNames(found!)).toEqual(blocks);
  expect(faultsOf(found!, bytes.length)).toEqual([]);
  const { defect, ...rest } = facts;
  expect(found).toMatchObject({ ...USUAL, ...rest });
  // an empty object matches any; what is not told must not be there
  if (facts.colorimetry) expect(found!.colorimetry).toEqual(facts.colorimetry);
  if (defect instanceof RegExp) expect(found!.defect).toMatch(defect);
  else expect(found!.defect).toBeUndefined();
}

for (const [container, { whole, broken }] of Object.entries(fixtures)) {
  describe(`${container}: whole files`, () => {
    it.each(whole)('$name', check);
  });
  describe(`${container}: broken files`, () => {
    it.each(broken)('$name', check);
  });
}

describe('what is none of the six', () => {
  it.each([
    ['nothing', new Uint8Array(0)],
    ['text', new TextEncoder().encode('hello')],
    ['noise', Uint8Array.from({ length: 64 }, (_, index) => (index * 151) & 0xff)],
  ])('%s', (_, bytes) => {
    expect(scan(bytes)).toBeNull();
  });
});

describe('a long chunk of a PNG', () => {
  const MEGABYTE = 1 << 20;
  const file = () => {
    const header = pngChunk('IHDR', [0, 0, 0, 9, 0, 0, 0, 7, 8, 2, 0, 0, 0]);
    const data = new Uint8Array(10 * MEGABYTE).fill(7);
    return joined([PNG_SIGNATURE, header, pngChunk('IDAT', data), PNG_END]);
  };

  it('is gone through in parts, all of which count', () => {
    const bytes = file();
    const parts = scanInParts(bytes);
    const steps = [parts.next(), parts.next(), parts.next()];
    expect(steps.map(({ value, done }) => done || value)).toEqual([4 * MEGABYTE, 4 * MEGABYTE, true]);
    expect(steps[2]!.value).toEqual(scan(bytes));
    expect(scan(bytes)).toMatchObject({ complete: true, width: 9, height: 7 });
    for (const at of [100, 5 * MEGABYTE, 10 * MEGABYTE]) {
      const changed = bytes.slice();
      changed[at]! ^= 1;
      expect(scan(changed)!.defect).toBe('the checksum of its IDAT chunk is wrong');
    }
  });
});

describe('very many small structures', () => {
  const COUNT = 100_000;
  const latin = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  const box = (type: string, content: readonly Uint8Array[] = []) => {
    const body = joined(content);
    const size = 8 + body.length;
    return joined([Uint8Array.of(size >>> 24, size >>> 16, size >>> 8, size), latin(type), body]);
  };
  const many = (structure: Uint8Array, count = COUNT) => {
    const all = new Uint8Array(count * structure.length);
    for (let n = 0; n < count; n++) all.set(structure, n * structure.length);
    return all;
  };
  /** A TIFF of chained directories of one entry each: the first names `strips` strips, behind them. */
  const tiff = (directories: number, strips: number) => {
    const start = 8 + directories * 18;
    const words = new DataView(new ArrayBuffer(start + 4 * strips));
    words.setUint32(0, 0x4d4d002a);
    words.setUint32(4, 8);
    for (let n = 0, at = 8; n < directories; n++, at += 18) {
      words.setUint16(at, 1);
      words.setUint32(at + 2, (273 << 16) | 4);
      words.setUint32(at + 6, n === 0 ? strips : 1);
      words.setUint32(at + 10, start);
      words.setUint32(at + 14, n + 1 < directories ? at + 18 : 0);
    }
    return new Uint8Array(words.buffer);
  };
  const avif = (...content: Uint8Array[]) => joined([box('ftyp', [latin('avif0000avif')]), ...content]);
  const full = Uint8Array.of(0, 0, 0, 0);

  it.each([
    ['chunks of a PNG', joined([PNG_SIGNATURE, many(pngChunk('prVt'))])],
    ['segments of a JPEG', joined([latin('\xff\xd8'), many(Uint8Array.of(0xff, 0xe5, 0, 2))])],
    ['extensions of a GIF', joined([latin('GIF89a0000000'), many(Uint8Array.of(0x21, 0xfe, 0))])],
    ['chunks of a WebP', joined([latin('RIFF\xff\xff\xff\x7fWEBP'), many(latin('abcd\0\0\0\0'))])],
    ['strips of a TIFF', tiff(1, COUNT)],
    ['directories of a TIFF', tiff(30_000, 1)],
    ['boxes of an AVIF', avif(many(box('free'), 60_000))],
    ['items of an AVIF', avif(box('meta', [full, many(box('iinf', [full, full]), COUNT)]))],
    ['boxes of a track', avif(box('moov', [box('trak', [many(box('tkhd'), 60_000)])]))],
  ])('are gone through in parts: %s', (_name, file) => {
    const parts = [...scanInParts(file)];
    expect(parts.length).toBeGreaterThan(0);
    for (const part of parts) expect(part).toBeLessThan(4 * 1024 * 1024);
  });
});
