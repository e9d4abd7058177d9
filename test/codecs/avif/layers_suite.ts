import { keptStream } from '../../fixtures/av1/kept_streams.ts';
import { BASE_LAYER, BOTH_LAYERS, CodedFrame, temporalUnit } from '../../fixtures/av1/layered_streams.ts';
import { fileOfItem } from '../../fixtures/avif_files.ts';
import { av1C, avif, box, ispe, nclx, pixi } from '../../fixtures/avif_writer.ts';
import { u16 } from '../../fixtures/bytes.ts';

type Size = readonly [width: number, height: number];

const [UPPER, LOWER]: readonly [Size, Size] = [
  [150, 100],
  [130, 70],
];
const whole = new CodedFrame(keptStream('coded-150-100'));
const base = new CodedFrame(keptStream('coded-130-70'));
const form = { type: 'intra-only', layer: 1, refresh: 2 } as const;
const upper = whole.frame(form);
export const predicted = whole.frame({ ...form, type: 'inter' });
const head = [...whole.sequence([BOTH_LAYERS, BASE_LAYER]), ...base.frame({ layer: 0 }, whole)];

const commonOf = ([width, height]: Size) => [ispe(width, height), pixi(8, 8, 8), av1C(0x0c), nclx(1, 13, 1)];

const a1op = (point: number) => box('a1op', point);
export const lsel = (layer: number) => box('lsel', u16(layer));
/** Bytes of all layers but the last. */
const a1lx = (bytes: number) => box('a1lx', 0, u16(bytes), u16(0), u16(0));

/** A file of two layers, neither predicted from the other. @param chosen properties that choose one */
export const layeredFile = (
  size: Size,
  chosen: readonly Uint8Array[],
  behind: readonly number[] = upper,
): Uint8Array<ArrayBuffer> => {
  const properties = [...commonOf(size), ...chosen];
  const extents = [Uint8Array.from(head), Uint8Array.from(behind)];
  const indices = properties.map((_, index) => index + 1);
  const optional = chosen[0]?.[7] === 'x'.charCodeAt(0) ? [5] : [];
  return avif({
    items: [{ id: 1, type: 'av01', extents, properties: indices, optional }],
    properties,
  });
};

const fileOf = (frame: CodedFrame, [width, height]: Size) =>
  fileOfItem(
    temporalUnit(frame.sequence(), frame.frame()),
    { width, height },
    { properties: commonOf([width, height]) },
  );
const [higher, lower] = [fileOf(whole, UPPER), fileOf(base, LOWER)];

/** What chooses a layer, and a file that has it alone. */
export const choices = [
  ['the highest, which a1lx lets others show one by one', UPPER, [a1lx(head.length)], higher],
  ['the highest, where lsel asks for all', UPPER, [a1lx(head.length), lsel(0xffff)], higher],
  ['the one that lsel chooses', LOWER, [lsel(0)], lower],
  ['the higher one that lsel chooses', UPPER, [lsel(1)], higher],
  ['that of the operating point', LOWER, [a1op(1)], lower],
] as const;

/** Levels that a decoder may be away by, which widens chroma another way. */
export const MOST_APART = 6;
