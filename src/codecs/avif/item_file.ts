import { ascii, type Bytes, box, fullBox, u16, u32 } from '../../metadata/box_writer.ts';
import type { Av1Format, CodePoints } from '../../metadata/facts.ts';
import type { Size } from '../types.ts';

/** An AV1 bitstream as an item, and which of its layers is the picture. */
export interface CodedItem {
  readonly format: Omit<Av1Format, 'width' | 'height'>;
  /** Of the bitstream. */
  readonly bytes: number;
  /** The value of `a1op`. */
  readonly operatingPoint: number;
  /** The value of `lsel`; −1 if absent. */
  readonly layer: number;
}

/** A picture as an AVIF of its own, with nothing of its file's container. */
export interface ItemPicture extends Size {
  readonly colour: CodedItem;
  readonly alpha?: CodedItem | undefined;
  readonly premultiplied: boolean;
  readonly codePoints: CodePoints;
}

const [COLOUR, ALPHA] = [1, 2];
/** Marks a property that readers must understand: ipma, ISO/IEC 23008-12 §9.3.1. */
const ESSENTIAL = 0x80;

/**
 * The beginning of the file, up to the bitstreams, which follow at once, colour first: boxes of ISO/IEC
 * 14496-12 and 23008-12, items as in AVIF §2.
 */
export function itemFileHead(picture: ItemPicture): Uint8Array {
  const { colour, alpha } = picture;
  const bytes = colour.bytes + (alpha?.bytes ?? 0);
  const before = (offset: number): Bytes => [
    ...box('ftyp', ascii('avif'), u32(0), ascii('avifmif1')),
    ...metaBox(picture, offset),
    ...u32(8 + bytes),
    ...ascii('mdat'),
  ];
  return Uint8Array.from(before(before(0).length));
}

function metaBox({ colour, alpha, premultiplied, ...picture }: ItemPicture, offset: number): Bytes {
  const items = [{ id: COLOUR, item: colour }, ...(alpha ? [{ id: ALPHA, item: alpha }] : [])];
  const places = items.map(({ id, item }) => [
    ...[...u16(id), ...u16(0), ...u16(1)],
    ...u32(id === COLOUR ? offset : offset + colour.bytes),
    ...u32(item.bytes),
  ]);
  const entries = items.map(({ id }) => fullBox('infe', 2, u16(id), u16(0), ascii('av01'), [0]));
  const references = [
    box('auxl', u16(ALPHA), u16(1), u16(COLOUR)),
    ...(premultiplied ? [box('prem', u16(COLOUR), u16(1), u16(ALPHA))] : []),
  ];
  const lists = items.map(({ id, item }) => propertiesOf(item, picture, id === ALPHA));
  const known = lists.flat();
  const associations = items.map(({ id }, i) => {
    const indices = lists[i]!.map((property) => known.indexOf(property) + 1);
    return [...u16(id), indices.length, ...indices.map((index) => ESSENTIAL | index)];
  });
  return fullBox(
    'meta',
    0,
    fullBox('hdlr', 0, u32(0), ascii('pict'), u32(0), u32(0), u32(0), [0]),
    fullBox('pitm', 0, u16(COLOUR)),
    // Offsets and lengths of four bytes each, no base.
    fullBox('iloc', 0, [0x44, 0], u16(items.length), ...places),
    fullBox('iinf', 0, u16(items.length), ...entries),
    ...(alpha ? [fullBox('iref', 0, ...references)] : []),
    box('iprp', box('ipco', ...known), fullBox('ipma', 0, u32(items.length), ...associations)),
  );
}

function propertiesOf(
  { format, operatingPoint, layer }: CodedItem,
  { width, height, codePoints }: Pick<ItemPicture, 'width' | 'height' | 'codePoints'>,
  isAlpha: boolean,
): readonly Bytes[] {
  const { depth, monochrome, subX, subY } = format;
  const channels = monochrome ? 1 : 3;
  const { primaries, transfer, matrix, fullRange } = codePoints;
  const colours = [primaries, transfer, matrix].flatMap(u16);
  const profile = depth === 12 || (subX === 1 && subY === 0) ? 2 : subX === 0 ? 1 : 0;
  const flags = (depth > 8 ? 0x40 : 0) | (depth > 10 ? 0x20 : 0) | (monochrome ? 0x10 : 0);
  return [
    fullBox('ispe', 0, u32(width), u32(height)),
    fullBox('pixi', 0, [channels, ...Array<number>(channels).fill(depth)]),
    // AV1-ISOBMFF §2.3.3.
    box('av1C', [0x81, profile << 5, flags | (subX << 3) | (subY << 2), 0]),
    isAlpha
      ? fullBox('auxC', 0, ascii('urn:mpeg:mpegB:cicp:systems:auxiliary:alpha'), [0])
      : box('colr', ascii('nclx'), colours, [fullRange ? 0x80 : 0]),
    ...(operatingPoint > 0 ? [box('a1op', [operatingPoint])] : []),
    ...(layer >= 0 ? [box('lsel', u16(layer))] : []),
  ];
}
