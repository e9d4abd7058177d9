import { describe, expect, it } from 'vitest';
import { avifDecoder } from '../../../src/codecs/avif/decoder.ts';
import { MAX_FRAMES } from '../../../src/codecs/avif/predicted_cost.ts';
import { isolateMemoryPool } from '../../../src/core/memory_pool.ts';
import { scan } from '../../../src/metadata/scan.ts';
import { decodeWhole } from '../../cases/decoder_cases.ts';
import { haveAomTools } from '../../fixtures/av1/aom_tools.ts';
import { predictedLayers } from '../../fixtures/av1/predicted_layers.ts';
import { type YuvPicture, yuvPicture } from '../../fixtures/av1/yuv_pictures.ts';
import { fileOfItem } from '../../fixtures/avif_files.ts';
import { decodeByAvifdec, haveAvifTools } from '../../fixtures/avif_tools.ts';
import { auxC, av1C, avif, box, ispe, nclx, pixi } from '../../fixtures/avif_writer.ts';
import { bytes as bytesOf, u16 } from '../../fixtures/bytes.ts';
import {
  greenOverRed,
  greenOverRedObus,
  HEADER_END,
  resizedGreenOverRed,
  UPPER_LAYER,
} from '../../fixtures/green_over_red.ts';

const SIZE = { width: 80, height: 60 };
const a1op = (point: number) => box('a1op', point);
const lsel = (layer: number) => box('lsel', u16(layer));

/** Different pictures, so that a lower one is not taken for the one above. */
const pictures = (count: number, layout: YuvPicture['layout'] = '420', depth: YuvPicture['depth'] = 8) =>
  Array.from({ length: count }, (_, i) => yuvPicture('photo', 80, 60, layout, depth, 3 + i));

/** Levels between two pictures of the same size, at most and in the mean. */
function difference(ours: ArrayLike<number>, theirs: ArrayLike<number>): { most: number; mean: number } {
  expect(ours.length).toBe(theirs.length);
  let [most, sum] = [0, 0];
  for (let i = 0; i < ours.length; i++) {
    const apart = Math.abs(ours[i]! - theirs[i]!);
    most = Math.max(most, apart);
    sum += apart;
  }
  return { most, mean: sum / ours.length };
}

/** With alpha, where nothing shows colours are as good as any. */
const multiplied = (pixels: ArrayLike<number>) =>
  Array.from(pixels, (value, i) => (i % 4 === 3 ? value : (value * pixels[i | 3]!) / 255));

const read = (bytes: Uint8Array<ArrayBuffer>) => decodeWhole(avifDecoder, { bytes, facts: scan(bytes)! });
const flat = (pixel: readonly number[]) => Array.from({ length: 32 * 16 }, () => pixel).flat();

const obus = greenOverRedObus();
/** The upper layer, again and again. */
const frames = (count: number) =>
  bytesOf(
    obus.subarray(0, UPPER_LAYER),
    ...Array.from({ length: count - 1 }, () => obus.subarray(UPPER_LAYER)),
  );

/** Decoders that go by the last sequence header of a picture show one of another size. */
const larger = resizedGreenOverRed(64, 48);
const twoHeaders = bytesOf(obus.subarray(0, HEADER_END), larger);
/** The upper layer again, as the lowest: libaom shows what comes last, dav1d the highest layer. */
const outOfOrder = bytesOf(obus, obus.subarray(UPPER_LAYER));
outOfOrder[obus.length + 1] = 0;

it('the shown layer comes out, not the one that it is predicted from', async () => {
  const bytes = greenOverRed();
  expect(scan(bytes)!.avif!.predicted).toEqual({ frames: 2, bytes: greenOverRedObus().length });
  expect([...(await read(bytes)).pixels]).toEqual(flat([0, 255, 1, 255]));
});

it('a bitstream in pieces is joined, and what is no part of the picture is left out', async () => {
  // A unit of metadata (type 5) in front; behind the lower layer the sequence header again.
  const again = obus.subarray(0, HEADER_END);
  const pieces = [obus.subarray(0, 20), obus.subarray(20, UPPER_LAYER), again, obus.subarray(UPPER_LAYER)];
  const extents = [bytesOf((5 << 3) | 2, 3, 1, 2, 3), ...pieces];
  const properties = [ispe(32, 16), av1C(0x0c)];
  const bytes = avif({ items: [{ id: 1, type: 'av01', extents, properties: [1, 2] }], properties });
  expect([...(await read(bytes)).pixels]).toEqual(flat([0, 255, 1, 255]));
});

it('columns are those of the whole', async () => {
  const bytes = greenOverRed();
  using raster = await avifDecoder.open(bytes, scan(bytes)!, {});
  const strips = [...raster.columns!(3, 5).columns!(1, 2).strips()];
  expect(strips).toMatchObject([{ y: 0, rows: 16, pixels: { length: 2 * 16 * 4 } }]);
});

it.each([
  ['a size larger than the layers', { width: 64 }, 'decoding', 'promises 64 × 16'],
  ['a size smaller than the layer', { width: 16 }, 'decoding', 'AVIF'],
  ['RGB of which samples lack', { properties: [nclx(1, 13, 0)] }, 'unsupported', 'RGB'],
  ['a matrix that is not read', { properties: [nclx(9, 16, 14)] }, 'unsupported', 'ICtCp'],
  ['data that are cut off', { obus: obus.subarray(0, -9) }, 'decoding', 'truncated'],
  ['data that are wrong', { obus: obus.slice().fill(0x55, -12) }, 'decoding', 'layers'],
  ['two sequence headers', { obus: twoHeaders }, 'decoding', 'sequence headers that differ'],
  ['layers out of order', { obus: outOfOrder }, 'decoding', 'do not ascend'],
  ['more frames than layers', { obus: frames(MAX_FRAMES + 1) }, 'limit', `${MAX_FRAMES} at most`],
])('%s is refused, and the memory given back', async (_, form, kind, message) => {
  const before = isolateMemoryPool.usedBytes;
  const refusal = { name: 'Fault', kind, message: expect.stringContaining(message) };
  await expect(read(greenOverRed(form))).rejects.toMatchObject(refusal);
  expect(isolateMemoryPool.usedBytes).toBe(before);
});

it('a grid of such tiles is refused with the reason', async () => {
  const extents = [greenOverRedObus()];
  const size = bytesOf(0, 0, 0, 1, u16(64), u16(16));
  const bytes = avif({
    items: [
      { id: 1, type: 'grid', extents: [size], properties: [2] },
      { id: 2, type: 'av01', extents, properties: [1, 3] },
    ],
    properties: [ispe(32, 16), ispe(64, 16), av1C(0x0c)],
    references: [{ type: 'dimg', from: 1, to: [2, 2] }],
  });
  const facts = scan(bytes)!;
  expect(facts.avif!.predicted).toBeUndefined();
  await expect(decodeWhole(avifDecoder, { bytes, facts })).rejects.toMatchObject({
    kind: 'unsupported',
    message: expect.stringContaining('without layers'),
  });
});

describe.skipIf(!haveAomTools || !haveAvifTools)('layers predicted from lower ones, beside avifdec', () => {
  const good = ['--cpu-used=8'];
  const halfSize = ['--resize-mode=1', '--resize-kf-denominator=16', '--resize-denominator=8'];

  const compare = async (bytes: Uint8Array<ArrayBuffer>, count: number) => {
    const facts = scan(bytes)!;
    expect(facts.avif!.predicted!.frames).toBe(count);
    const { pixels } = await read(bytes);
    const theirs = (await decodeByAvifdec(bytes, 8)).pixels;
    const { most, mean } = difference(multiplied(pixels), multiplied(theirs));
    expect(most).toBeLessThanOrEqual(3);
    expect(mean).toBeLessThan(0.5);
    return pixels;
  };

  it.each([
    ['two of 8 bits', pictures(2), good],
    ['three of 10 bits, 4:4:4', pictures(3, '444', 10), good],
    ['two of 12 bits, 4:2:2', pictures(2, '422', 12), good],
    ['four with film grain', pictures(4), [...good, '--film-grain-test=3']],
    ['one above one of half the size', pictures(2), halfSize],
    ['two with superres', pictures(2), [...good, '--superres-mode=1', '--superres-denominator=12']],
  ])('%s', async (_, layers, switches) => {
    const [{ depth, layout }] = layers as unknown as readonly [YuvPicture];
    const flags = { 8: 0, 10: 0x40, 12: 0x60 }[depth] | { 420: 0x0c, 422: 8, 444: 0, 400: 0x1c }[layout];
    const properties = [ispe(80, 60), pixi(depth, depth, depth), av1C(flags), nclx(1, 13, 6)];
    const stream = predictedLayers(layers, switches);
    await compare(fileOfItem(stream, SIZE, { properties }), layers.length);
  });

  it('the one that lsel chooses, or the operating point, of three', async () => {
    const stream = predictedLayers(pictures(3), good, [0x701, 0x301, 0x101]);
    const properties = [ispe(80, 60), pixi(8, 8, 8), av1C(0x0c), nclx(1, 13, 6)];
    const shown = await compare(fileOfItem(stream, SIZE, { properties }), 3);
    for (const chosen of [lsel(1), a1op(1)]) {
      const middle = await compare(fileOfItem(stream, SIZE, { properties: [...properties, chosen] }), 3);
      expect(difference(shown, middle).mean).toBeGreaterThan(2);
    }
  });

  it.each([false, true])('with alpha, premultiplied: %s', async (premultiplied) => {
    const extents = [predictedLayers(pictures(2), good), predictedLayers(pictures(2, '400'), good)];
    const properties = [
      ...[ispe(80, 60), pixi(8, 8, 8), av1C(0x0c), nclx(1, 13, 6)],
      ...[pixi(8), av1C(0x1c), auxC('urn:mpeg:mpegB:cicp:systems:auxiliary:alpha')],
    ];
    const bytes = avif({
      items: [
        { id: 1, type: 'av01', extents: [extents[0]!], properties: [1, 2, 3, 4] },
        { id: 2, type: 'av01', extents: [extents[1]!], properties: [1, 5, 6, 7] },
      ],
      properties,
      references: [
        { type: 'auxl', from: 2, to: [1] },
        ...(premultiplied ? [{ type: 'prem', from: 1, to: [2] }] : []),
      ],
    });
    await compare(bytes, 2);
  });
});
