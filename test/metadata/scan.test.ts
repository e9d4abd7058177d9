import { describe, expect, it } from 'vitest';
import { blockNames } from '../../src/metadata/block_names.ts';
import { WORK_AT_ONCE } from '../../src/metadata/cursor.ts';
import { scan, scanInParts } from '../../src/metadata/scan.ts';
import { hasPosition } from '../../src/metadata/values/values.ts';
import { box, type ItemSpec, ispe, sequenceHeader, avif as writeAvif } from '../fixtures/avif_writer.ts';
import { bytes, u16, u32 } from '../fixtures/bytes.ts';
import { jpeg } from '../fixtures/jpeg_writer/segments.ts';
import { fixtures } from '../fixtures/metadata/all.ts';
import type { Fixture } from '../fixtures/metadata/fixture.ts';
import { gif } from '../fixtures/metadata/gif_files.ts';
import { filled, manyItems } from '../fixtures/metadata/hostile_files.ts';
import { joined, PNG_END, PNG_SIGNATURE, pngChunk } from '../fixtures/png_writer.ts';
import { faultsOf } from './block_faults.ts';
import { valuesOf } from './values/read.ts';

/** What goes without saying of a whole file. */
const USUAL = { complete: true, orientation: 1 };

function check({ bytes, blocks, facts }: Fixture): void {
  const found = scan(bytes);
  expect(found).not.toBeNull();
  expect(blockNames(found!)).toEqual(blocks);
  expect(faultsOf(found!, bytes.length)).toEqual([]);
  const { defect, hasGps = false, ...rest } = facts;
  expect(found).toMatchObject({ ...USUAL, ...rest });
  expect(hasPosition(valuesOf(bytes)!)).toBe(hasGps);
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
    const parts = [...scanInParts(bytes)];
    expect(parts.length).toBeGreaterThan(2);
    const work = parts.reduce((sum, part) => sum + part, 0);
    expect(work).toBeGreaterThan(10 * MEGABYTE);
    expect(work).toBeLessThan(11 * MEGABYTE);
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
  const many = (structure: Uint8Array, count = COUNT) => filled([], structure, count * structure.length);
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
  const avif = (...content: Uint8Array[]) => bytes(box('ftyp', 'avif0000avif'), content);

  /** A JPEG of one segment over and over. */
  const segment = (marker: number, head: string, content: string, times: number) => {
    const body = bytes(head, content);
    const unit = bytes([0xff, marker], u16(body.length + 2), body);
    return filled([0xff, 0xd8], unit, 2 + times * unit.length);
  };
  const rawProfile = (length: number) => {
    const head = bytes(PNG_SIGNATURE, u32(length), 'tEXt', 'Raw profile type exif', 0, '\nexif\n9\n');
    return filled(head, ' ', head.length + length);
  };
  /** A PNG whose Exif has so many directories, each with the packet behind them. */
  const sharedPacket = (directories: number, length: number) => {
    const start = 8 + directories * 18;
    const links = Array.from({ length: directories }, (_, n) =>
      bytes(u16(1), u16(700), u16(1), u32(length), u32(start), u32(8 + (n + 1) * 18)),
    );
    const exif = bytes('MM', u16(42), u32(8), links, new Uint8Array(length).fill(0x67));
    return joined([PNG_SIGNATURE, pngChunk('eXIf', exif)]);
  };
  const tiles = (side: number) => {
    const image = bytes(sequenceHeader(64, 64));
    const item = (id: number): ItemSpec => ({ id, type: 'av01', extents: [image], properties: [1] });
    const grid = bytes([0, 0, side - 1, side - 1], u16(64 * side), u16(64 * side));
    const ids = Array.from({ length: side * side }, (_, n) => n + 2);
    return writeAvif({
      items: [{ id: 1, type: 'grid', extents: [grid] }, ...ids.map(item)],
      properties: [ispe(64, 64)],
      references: [{ type: 'dimg', from: 1, to: ids }],
      version: 1,
    });
  };

  it.each([
    ['chunks of a PNG', joined([PNG_SIGNATURE, many(pngChunk('prVt'))])],
    ['segments of a JPEG', bytes(0xff, 0xd8, many(Uint8Array.of(0xff, 0xe5, 0, 2)))],
    ['extensions of a GIF', bytes('GIF89a0000000', many(Uint8Array.of(0x21, 0xfe, 0)))],
    ['chunks of a WebP', bytes('RIFF\xff\xff\xff\x7fWEBP', many(bytes('abcd\0\0\0\0')))],
    ['strips of a TIFF', tiff(1, COUNT)],
    ['directories of a TIFF', tiff(30_000, 1)],
    ['boxes of an AVIF', avif(many(box('free'), 60_000))],
    ['items of an AVIF', avif(box('meta', u32(0), many(box('iinf', u32(0), u32(0)))))],
    ['fill bytes of a JPEG', filled([0xff, 0xd8], 0xff, 30 * COUNT)],
    ['stuffed bytes of a JPEG', filled(jpeg({ end: [] }), [0xff, 0], 5 * COUNT)],
    ['restarts of a JPEG', filled(jpeg({ end: [] }), [0xff, 0xd0], 5 * COUNT)],
    ['beginnings of a video behind a JPEG', filled(jpeg(), 'f', 10 * COUNT)],
    ['sub-blocks of a GIF', filled(gif([], [0x21, 0xff, 11, 'XMP DataXMP']), [1, 0x47], 10 * COUNT)],
    [
      'codes of a GIF that is cut',
      filled(gif([], [0x2c, new Uint8Array(9), 2]), [255, new Uint8Array(255)], 10 * COUNT),
    ],
    ['letters of XMP', segment(0xe1, 'http://ns.adobe.com/xap/1.0/\0', 'G'.repeat(65_000), 50)],
    ['segments that continue Exif', segment(0xe1, 'Exif\0\0', 'x'.repeat(65_000), 50)],
    ['small segments that continue Exif', segment(0xe1, 'Exif\0\0', 'II*\0', COUNT)],
    ['segments that continue a Photoshop resource', segment(0xed, 'Photoshop 3.0\0', '8'.repeat(65_000), 50)],
    ['small segments that continue a resource', segment(0xed, 'Photoshop 3.0\0', '8BIM', COUNT)],
    ['white space in a profile in hexadecimal', rawProfile(10 * COUNT)],
    ['directories of Exif that share one packet of XMP', sharedPacket(2000, 2 * COUNT)],
    ['XMP items that share the whole file', manyItems('mime', (length) => [u32(0), u32(length)], 20 * COUNT)],
    ['tiles of a grid', tiles(100)],
    ['boxes of a track', avif(box('moov', box('trak', many(box('tkhd'), 60_000))))],
  ])('are gone through in parts: %s', (_name, file) => {
    const parts = [...scanInParts(file)];
    expect(parts.length).toBeGreaterThan(0);
    for (const part of parts) expect(part).toBeLessThan(WORK_AT_ONCE + (5 << 20));
  });

  // What each takes was measured; what is charged of it decides when others have a turn.
  it.each([
    ['chunks of a PNG', joined([PNG_SIGNATURE, many(pngChunk('prVt'))]), COUNT, 450],
    ['texts of a PNG', joined([PNG_SIGNATURE, many(pngChunk('tEXt', 'a', 0, 'b'))]), COUNT, 1100],
    ['tiles of a grid', tiles(150), 22_500, 11_300],
  ])('count as the work that they take: %s', (_name, file, count, each) => {
    const parts = [...scanInParts(file)];
    expect(parts.reduce((sum, part) => sum + part, 0)).toBeGreaterThan(count * each);
  });
});
