import { leb128, UnitType } from '../avif/av1_units.ts';
import { ascii, box, fullBox, u16, u32 } from '../box_writer.ts';
import type { Cursor } from '../cursor.ts';
import type { PictureItem } from '../payloads.ts';

/** Most units read of a thumbnail; the extreme is a frame of 4096 tiles, each in a unit of its own. */
const MAX_UNITS = 4100;
/** Units that make up a picture. Others (delimiters, padding, metadata) may contain anything. */
const PICTURE_UNITS: readonly number[] = [
  UnitType.sequenceHeader,
  UnitType.frameHeader,
  UnitType.tileGroup,
  UnitType.frame,
];
/** Bytes of `av1C` before its own units, which repeat the item's (AV1-ISOBMFF §2.3.3). */
const CONFIGURATION_BYTES = 4;
/** Bytes of a `colr` box of code points: its kind, three numbers and a flag (ISO/IEC 14496-12 §12.1.5). */
const CODE_POINTS_BYTES = 11;

/**
 * Makes an AVIF file of a thumbnail that is an AV1 item: a container with the item's own picture units and
 * what decoding needs, and nothing else. The picture is as stored, that is without `irot` and `imir`.
 * @param data the item's bytes
 * @returns null if its configuration is missing, or its bytes are not a sequence of units
 */
export function avifOf(data: Cursor, item: PictureItem): Uint8Array<ArrayBuffer> | null {
  const { width, height, configuration, codePoints } = item;
  const units = pictureUnits(data);
  const setup = configuration?.span(0, CONFIGURATION_BYTES);
  if (!units || !setup || width <= 0 || height <= 0) return null;
  const [, level = 0, format = 0] = setup;
  // high_bitdepth, twelve_bit, monochrome
  const depth = (format & 0x40) === 0 ? 8 : (format & 0x20) === 0 ? 10 : 12;
  const channels = (format & 0x10) === 0 ? 3 : 1;
  const isNamed = codePoints?.matches(0, 'nclx') === true;
  const colour = isNamed ? codePoints.span(0, CODE_POINTS_BYTES) : null;
  const properties = [
    box('av1C', [0x81, level, format, 0]),
    fullBox('ispe', 0, u32(width), u32(height)),
    fullBox('pixi', 0, [channels], new Array(channels).fill(depth)),
    ...(colour ? [box('colr', [...colour])] : []),
  ];
  // The configuration is essential (highest bit); readers may skip the others.
  const links = properties.map((_, n) => (n === 0 ? 0x81 : n + 1));
  const length = units.reduce((sum, unit) => sum + unit.length, 0);
  const head = (start: number) => [
    ...box('ftyp', [...ascii('avif'), ...u32(0), ...ascii('avifmif1miaf')]),
    ...fullBox(
      'meta',
      0,
      fullBox('hdlr', 0, u32(0), ascii('pict'), new Array(13).fill(0)),
      fullBox('pitm', 0, u16(1)),
      fullBox('iloc', 0, [0x44, 0], u16(1), u16(1), u16(0), u16(1), u32(start), u32(length)),
      fullBox('iinf', 0, u16(1), infe()),
      box('iprp', [
        ...box('ipco', properties.flat()),
        ...fullBox('ipma', 0, u32(1), u16(1), [links.length, ...links]),
      ]),
    ),
    ...u32(8 + length),
    ...ascii('mdat'),
  ];
  const start = head(0).length;
  const file = new Uint8Array(start + length);
  file.set(head(start));
  let at = start;
  for (const unit of units) {
    file.set(unit, at);
    at += unit.length;
  }
  return file;
}

/** The units of the picture; null if the bytes are not units. */
function pictureUnits(data: Cursor): Uint8Array[] | null {
  const units: Uint8Array[] = [];
  let at = 0;
  for (let n = 0; at < data.length; n++) {
    const header = data.u8(at);
    const start = at;
    at += (header & 4) === 0 ? 1 : 2;
    // A unit without a size extends to the end.
    const size = (header & 2) === 0 ? { value: data.length - at, bytes: 0 } : leb128(data, at);
    at += size.bytes + size.value;
    if (n === MAX_UNITS || header < 0 || header > 0x7f || at > data.length) return null;
    if (!PICTURE_UNITS.includes(header >> 3)) continue;
    const unit = data.span(start, at);
    if (!unit) return null;
    units.push(unit);
  }
  return units.length > 0 ? units : null;
}

/** The entry of the only item, in version 2: number, no protection, type, no name. */
const infe = () => fullBox('infe', 2, u16(1), u16(0), ascii('av01'), [0]);
