import { expect, it } from 'vitest';
import { brandsOf, formatOf } from '../../src/metadata/format_of.ts';
import { box } from '../fixtures/avif_writer.ts';
import { bytes, u32 } from '../fixtures/bytes.ts';

const ftyp = (...brands: string[]) => bytes(box('ftyp', brands[0]!, u32(0), brands.slice(1)));

it.each([
  ['jpeg', bytes([0xff, 0xd8, 0xff, 0xe0])],
  ['png', bytes('\x89PNG\r\n\x1a\n')],
  ['gif', bytes('GIF89a')],
  ['webp', bytes('RIFF', u32(9), 'WEBP')],
  ['tiff', bytes('MM\0*')],
  ['avif', ftyp('mif1', 'avif')],
])('knows a %s by its first bytes', (format, data) => {
  expect(formatOf(data)).toBe(format);
});

it.each([
  ['nothing', new Uint8Array(0)],
  ['an image of another format', ftyp('heic', 'mif1')],
  // Its box comes first: what looks like a JPEG behind the length of the box is none.
  ['an ISO media file that begins like a JPEG', bytes([0xff, 0xd8, 0xff, 0x10], 'ftypisom')],
])('knows %s for no input format', (_, data) => {
  expect(formatOf(data)).toBeNull();
});

it('lists the brands of ISO base media files alone, without the minor version', () => {
  expect(brandsOf(ftyp('heic', 'mif1'))).toEqual(new Set(['heic', 'mif1']));
  expect(brandsOf(bytes(box('ftyp', 'heic', 'avif')))).toEqual(new Set(['heic']));
  expect(brandsOf(bytes('GIF89a'))).toBeUndefined();
});
