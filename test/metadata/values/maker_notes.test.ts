import { describe, expect, it } from 'vitest';
import { bytes, type Part, u16, u32 } from '../../fixtures/bytes.ts';
import { exifSegment, jpeg } from '../../fixtures/jpeg_writer/segments.ts';
import { fullExif, selfContainedNote } from '../../fixtures/metadata/value_files.ts';
import { ascii, child, long, undefinedBytes, writeTiffStructure } from '../../fixtures/tiff_structure.ts';
import { valuesOf } from './read.ts';

/** What a maker note in an otherwise usual Exif payload gives, as "field: value". */
function notes(makerNote: Uint8Array, make = 'ACME', little = false): string[] {
  const values = valuesOf(jpeg({ head: exifSegment(fullExif({ make, makerNote, little })) }))!;
  const all = [...values.device, ...values.texts, ...values.people, ...(values.place?.names ?? [])];
  return all.filter(({ block }) => block === 'makernote').map(({ field, value }) => `${field}: ${value}`);
}
/** A directory of inline fields behind a signature: what counts its offsets from the structure around it. */
const inline = (signature: Part, entries: readonly Part[]) =>
  bytes(signature, u16(entries.length), entries, u32(0));

describe('maker notes', () => {
  it('of Nikon', () => {
    const structure = writeTiffStructure([[ascii(0x1d, '3001234'), ascii(0xa0, 'NO= 200123')]], {
      little: true,
    });
    expect(notes(bytes('Nikon', 0, 2, 0x10, 0, 0, structure))).toEqual([
      'Nikon:SerialNumber: 3001234',
      'Nikon:SerialNumber: NO= 200123',
    ]);
  });

  it('of Fujifilm, always little-endian', () => {
    const note = selfContainedNote(bytes('FUJIFILM', u32(12, true)), [ascii(0x10, 'FPX 1234')], true);
    expect(notes(note)).toEqual(['FujiFilm:InternalSerialNumber: FPX 1234']);
  });

  it.each([
    ['OLYMPUS', bytes('OLYMPUS', 0, 'II', 3, 0)],
    ['OM SYSTEM', bytes('OM SYSTEM', 0, 0, 0, 'II', 4, 0)],
  ])('of Olympus, its equipment too: %s', (_, signature) => {
    const equipment = child(0x2010, [
      ascii(0x101, 'BHP123456'),
      ascii(0x202, 'ABC98765'),
      ascii(0x203, 'M.12-40'),
    ]);
    const note = selfContainedNote(signature, [ascii(0x404, 'A1'), { ...equipment, type: 13 }], true);
    expect(notes(note)).toEqual([
      'Olympus:SerialNumber: A1',
      'Olympus:SerialNumber: BHP123456',
      'Olympus:LensSerialNumber: ABC98765',
      'Olympus:LensModel: M.12-40',
    ]);
  });

  it('of Panasonic, Sony and the older Olympus, in the byte order around them', () => {
    const entry = (tag: number) => [u16(tag), u16(2), u32(4), 'AB7', 0];
    expect(notes(inline(bytes('Panasonic', 0, 0, 0), [entry(0x25), entry(0x66)]))).toEqual([
      'Panasonic:InternalSerialNumber: AB7',
      'Panasonic:BabyName: AB7',
    ]);
    expect(notes(inline(bytes('SONY DSC ', 0, 0, 0), [entry(0x2031)]))).toEqual(['Sony:SerialNumber: AB7']);
    expect(notes(inline(bytes('OLYMP', 0, 1, 0), [entry(0x404)]))).toEqual(['Olympus:SerialNumber: AB7']);
  });

  it('of Canon, told by its maker alone', () => {
    const note = inline('', [
      [u16(0x0c), u16(4), u32(1), u32(1_234_567_890)],
      [u16(0x96), u16(2), u32(4), 'H12', 0],
    ]);
    expect(notes(note, 'Canon')).toEqual([
      'Canon:SerialNumber: 1234567890',
      'Canon:InternalSerialNumber: H12',
    ]);
    expect(notes(note, 'ACME')).toEqual([]);
  });

  it('of Pentax', () => {
    const note = selfContainedNote(bytes('PENTAX ', 0, 'MM'), [ascii(0x229, '77')], false);
    expect(notes(note)).toEqual(['Pentax:SerialNumber: 77']);
  });

  it('that nobody knows say nothing, and broken ones no more', () => {
    expect(notes(bytes('a maker note of ACME'))).toEqual([]);
    expect(notes(bytes('Apple iOS', 0, 0, 1, 'MM', 0xff, 0xff))).toEqual([]);
    expect(notes(bytes('FUJIFILM', u32(0xffffffff, true)))).toEqual([]);
    const list = undefinedBytes(3, bytes('bplist00', new Uint8Array(40).fill(0xff)));
    expect(notes(selfContainedNote(bytes('Apple iOS', 0, 0, 1, 'MM'), [list, long(1, 5)], false))).toEqual(
      [],
    );
  });
});
