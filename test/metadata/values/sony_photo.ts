import { bytes, u16, u32 } from '../../fixtures/bytes.ts';
import { exifSegment, jpeg } from '../../fixtures/jpeg_writer/segments.ts';
import { ascii, child, undefinedBytes, writeTiffStructure } from '../../fixtures/tiff_structure.ts';
import { valuesOf } from './read.ts';

/** Bytes of the field of a camera of 2012. */
export const FIELD = 944;

/** The cipher as it is published: the third power modulo 249, for bytes below that. */
const enciphered = (plain: Uint8Array) => plain.map((byte) => (byte < 249 ? byte ** 3 % 249 : byte));

/** A photo of a Sony camera, with this in its field 0x9050. */
export function photo(model: string, plain: Uint8Array) {
  // Offsets in the note count from the structure around it, whose first bytes behind the header this is.
  const entry = [u16(0x9050, true), u16(7, true), u32(plain.length, true), u32(8, true)];
  const note = bytes('SONY DSC ', 0, 0, 0, u16(1, true), entry, u32(0, true));
  const fields = [ascii(271, 'SONY'), ascii(272, model), child(34665, [undefinedBytes(37500, note)])];
  const structure = writeTiffStructure([fields], { little: true, head: enciphered(plain) });
  return jpeg({ head: exifSegment(structure) });
}

/** The serial number that is found in a file. */
export const serialIn = (file: Uint8Array) =>
  valuesOf(file)!.device.find(({ field }) => field === 'Sony:InternalSerialNumber')?.value;
