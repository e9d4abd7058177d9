import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { identify } from '../../src/metadata/signatures.ts';
import { box } from '../fixtures/avif_writer.ts';
import { bytes, type Part, u32 } from '../fixtures/bytes.ts';
import { allFixtures } from '../fixtures/metadata/all.ts';

const ftyp = (...brands: string[]) => box('ftyp', brands[0]!, u32(0), brands.slice(1));

describe('identify', () => {
  it.each(allFixtures)('$name', ({ bytes: data, facts }) => {
    if (facts.format) expect(identify(data)).toEqual({ format: facts.format });
  });

  it.each<[string, Part]>([
    ['an empty body', []],
    ['unknown data', [1, 2, 3, 4, 5]],
    ['HEIC', ftyp('heic', 'mif1', 'heic')],
    ['HEIC', ftyp('mif1', 'mif1', 'heix')],
    ['HEIF', ftyp('mif1', 'miaf')],
    ['MP4 video', ftyp('isom', 'mp42')],
    ['QuickTime video', ftyp('qt  ')],
    ['an ISO media file of an unknown brand', ftyp('zzzz')],
    ['JPEG XL', [0xff, 0x0a, 0, 0]],
    ['JPEG XL', [0, 0, 0, 12, 'JXL \r\n', 0x87, '\n']],
    ['JPEG XR', ['II', 0xbc, 1]],
    ['BMP', 'BM123456'],
    ['PCX', [10, 5, 1, 8]],
    ['PDF', '%PDF-1.7'],
    ['gzip archive', [0x1f, 0x8b, 8]],
    ['ZIP archive', 'PK\x03\x04'],
    ['tar archive', [new Uint8Array(257), 'ustar']],
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['SVG', '\xef\xbb\xbf<?xml version="1.0"?>\n<!-- drawn by hand -->\n<!DOCTYPE svg>\n<svg>'],
    ['XML', '<?xml version="1.0"?><rss/>'],
    ['HTML', '  <!DOCTYPE html><html>'],
    ['HTML', '<html><svg></svg></html>'],
    ['JSON', '{"image": 1}'],
    ['a data URL', 'data:image/png;base64,AAAA'],
    ['text', 'hello, world'],
    ['white space', ' \n\t '],
    ['a damaged PNG (its signature was altered in transfer)', [0x89, 'PNG\n', 0x1a, '\n']],
    ['a JPEG whose first bytes are damaged', [0, 0, 0xff, 0xe0, 0, 16, 'JFIF', 0]],
  ])('%s', (name, data) => {
    expect(identify(bytes(data))).toEqual({ format: null, name });
  });

  it('finds the AVIF brand wherever it stands, but not behind the box', () => {
    expect(identify(ftyp('mif1', 'miaf', 'avif'))).toEqual({ format: 'avif' });
    expect(identify(ftyp('avis'))).toEqual({ format: 'avif' });
    expect(identify(bytes(ftyp('heic'), 'avif'))).toEqual({ format: null, name: 'HEIC' });
    // the minor version is no brand
    expect(identify(box('ftyp', 'heic', 'avif'))).toEqual({ format: null, name: 'HEIC' });
  });

  it('answers for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (data) => {
        const { format, name } = identify(data);
        expect(format === null ? name.length > 0 : name === undefined).toBe(true);
      }),
      { seed: 3 },
    );
  });

  it('names a long run of comments without delay', () => {
    const hostile = bytes('<!---->'.repeat(5000));
    expect(identify(hostile)).toEqual({ format: null, name: 'text' });
  });
});
