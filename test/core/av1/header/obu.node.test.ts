import { describe, expect, it } from 'vitest';
import { readAv1 } from '../../../fixtures/av1/av1_reader.ts';
import { planeDifference } from '../../../fixtures/av1/yuv_pictures.ts';
import { obusBySharp } from '../../../fixtures/avif_files.ts';
import { photoPicture } from '../../../fixtures/raster.ts';

/** obu_type, section 6.2.2. */
const SEQUENCE = 1;
const DELIMITER = 2;
const METADATA = 5;
const FRAME = 6;
const REDUNDANT_HEADER = 7;
const TILE_LIST = 8;
const RESERVED = 10;
const PADDING = 15;

interface Obu {
  readonly type: number;
  readonly payload: Uint8Array;
}

/** The OBUs of a stream, each of less than 16 KB. */
function obusOf(stream: Uint8Array): Obu[] {
  const found: Obu[] = [];
  for (let at = 0; at < stream.length; ) {
    const type = (stream[at]! >> 3) & 15;
    const long = stream[at + 1]! >= 0x80;
    const size = (stream[at + 1]! & 0x7f) | (long ? stream[at + 2]! << 7 : 0);
    const from = at + (long ? 3 : 2);
    found.push({ type, payload: stream.slice(from, from + size) });
    at = from + size;
  }
  return found;
}

/** Writes an OBU. @param layer spatial_id, in an extension header @param sized obu_has_size_field */
function obu(
  { type, payload }: Obu,
  { layer, sized = true }: { layer?: number; sized?: boolean } = {},
): number[] {
  const extension = layer === undefined ? [] : [layer << 3];
  const first = (type << 3) | (extension.length << 2) | (sized ? 2 : 0);
  const size = sized ? [(payload.length & 0x7f) | 0x80, payload.length >> 7] : [];
  return [first, ...extension, ...size, ...payload];
}

const filler = (type: number): Obu => ({ type, payload: Uint8Array.of(4, 1, 2, 3, 0x80) });

describe('the OBUs of a picture', async () => {
  const encode = async (seed: number) =>
    obusOf(await obusBySharp(photoPicture(72, 66, seed), { quality: 40 }));
  const [first, second] = [await encode(1), await encode(2)];
  const sequence = first.find(({ type }) => type === SEQUENCE)!;
  const frames = [first, second].map((obus) => obus.find(({ type }) => type === FRAME)!);
  const plain = frames.map((frame) => readAv1(Uint8Array.from([...obu(sequence), ...obu(frame)])));

  const read = (...obus: number[][]) => readAv1(Uint8Array.from(obus.flat()));
  const same = (planes: ReturnType<typeof readAv1>, index: number) =>
    expect(planeDifference(planes, plain[index]!)).toBeUndefined();

  it('may stand between others, which are passed over', () => {
    expect(planeDifference(plain[0]!, plain[1]!)).toBeDefined();
    const others = [METADATA, TILE_LIST, RESERVED, PADDING].map((type) => obu(filler(type)));
    const delimiter = obu({ type: DELIMITER, payload: new Uint8Array() });
    same(read(delimiter, ...others, obu(sequence), ...others, obu(frames[0]!), ...others), 0);
    same(read(obu(sequence), delimiter, obu(sequence), obu(frames[0]!)), 0);
    same(read(obu(sequence), obu(frames[0]!), obu(filler(REDUNDANT_HEADER))), 0);
  });

  it('need no size where one is the last', () => {
    same(read(obu(sequence), obu(frames[0]!, { sized: false })), 0);
  });

  it('are of the first picture where there are several', () => {
    same(read(obu(sequence), obu(frames[0]!), obu(frames[1]!)), 0);
  });

  it('are of the highest layer of the first temporal unit', () => {
    const layers = [obu(frames[0]!, { layer: 0 }), obu(frames[1]!, { layer: 1 })];
    same(read(obu(sequence), ...layers), 1);
    const delimiter = obu({ type: DELIMITER, payload: new Uint8Array() });
    same(read(obu(sequence), layers[0]!, delimiter, layers[1]!), 0);
  });

  it('have sizes that end inside the data', () => {
    const frame = obu(frames[0]!);
    expect(() => read(obu(sequence), frame.slice(0, -1))).toThrow('end early');
    // Before the extension, and within the size.
    expect(() => read(obu(sequence), [0x36])).toThrow('end early');
    expect(() => read(obu(sequence), [0x32, 0x80])).toThrow('end early');
    expect(() => read(obu(sequence), [0x32, ...Array(9).fill(0x80)])).toThrow('(OBU)');
    expect(() => read(obu(sequence), [0x32, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f])).toThrow(
      'end early',
    );
  });

  it('are at most 4,160, whatever they hold: twelve million of two bytes held the thread for 90 ms', () => {
    const delimiters = (count: number) => Array<readonly number[]>(count).fill([0x12, 0]).flat();
    const padding = (count: number) => Array<readonly number[]>(count).fill([0x7a, 0]).flat();
    same(read(delimiters(4000), obu(sequence), obu(frames[0]!)), 0);
    expect(() => read(delimiters(4160), obu(sequence), obu(frames[0]!))).toThrow('more units (OBUs)');
    expect(() => read(Array(4161).fill(obu(sequence)).flat(), obu(frames[0]!))).toThrow('more units (OBUs)');
    // What follows the picture is not needed.
    same(read(obu(sequence), obu(frames[0]!), padding(5000)), 0);
  });
});
