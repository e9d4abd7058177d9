import { describe, expect, it } from 'vitest';
import { avifDecoder } from '../../../src/codecs/avif/decoder.ts';
import { scan } from '../../../src/metadata/scan.ts';
import { decodeWhole } from '../../cases/decoder_cases.ts';
import { encodeFramesByAomenc, haveAomTools } from '../../fixtures/av1/aom_tools.ts';
import { predictedLayers, VIDEO } from '../../fixtures/av1/predicted_layers.ts';
import { type YuvPicture, yuvPicture } from '../../fixtures/av1/yuv_pictures.ts';
import { fileOfItem } from '../../fixtures/avif_files.ts';
import { decodeByAvifdec, haveAvifTools } from '../../fixtures/avif_tools.ts';
import { auxC, av1C, avif, box, ispe, nclx, pixi } from '../../fixtures/avif_writer.ts';
import { u16 } from '../../fixtures/bytes.ts';

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

const layersOf = (
  layers: readonly YuvPicture[],
  switches: readonly string[] = [],
  points?: readonly number[],
) => predictedLayers(encodeFramesByAomenc(layers, [...VIDEO, ...switches]), layers.length, points);

describe.skipIf(!haveAomTools || !haveAvifTools)('layers predicted from lower ones, beside avifdec', () => {
  const halfSize = ['--resize-mode=1', '--resize-kf-denominator=16', '--resize-denominator=8'];

  const compare = async (bytes: Uint8Array<ArrayBuffer>, count: number) => {
    const facts = scan(bytes)!;
    expect(facts.avif!.predicted!.frames).toBe(count);
    const { pixels } = await decodeWhole(avifDecoder, { bytes, facts });
    const theirs = (await decodeByAvifdec(bytes, 8)).pixels;
    const { most, mean } = difference(multiplied(pixels), multiplied(theirs));
    expect(most).toBeLessThanOrEqual(3);
    expect(mean).toBeLessThan(0.5);
    return pixels;
  };

  it.each([
    ['two of 8 bits', pictures(2), []],
    ['three of 10 bits, 4:4:4', pictures(3, '444', 10), []],
    ['two of 12 bits, 4:2:2', pictures(2, '422', 12), []],
    ['four with film grain', pictures(4), ['--film-grain-test=3']],
    ['one above one of half the size', pictures(2), halfSize],
    ['two with superres', pictures(2), ['--superres-mode=1', '--superres-denominator=12']],
  ])('%s', async (_, layers, switches) => {
    const [{ depth, layout }] = layers as unknown as readonly [YuvPicture];
    const flags = { 8: 0, 10: 0x40, 12: 0x60 }[depth] | { 420: 0x0c, 422: 8, 444: 0, 400: 0x1c }[layout];
    const properties = [ispe(80, 60), pixi(depth, depth, depth), av1C(flags), nclx(1, 13, 6)];
    const stream = layersOf(layers, switches);
    await compare(fileOfItem(stream, SIZE, { properties }), layers.length);
  });

  it('the one that lsel chooses, or the operating point, of three', async () => {
    const stream = layersOf(pictures(3), [], [0x701, 0x301, 0x101]);
    const properties = [ispe(80, 60), pixi(8, 8, 8), av1C(0x0c), nclx(1, 13, 6)];
    const shown = await compare(fileOfItem(stream, SIZE, { properties }), 3);
    for (const chosen of [lsel(1), a1op(1)]) {
      const middle = await compare(fileOfItem(stream, SIZE, { properties: [...properties, chosen] }), 3);
      expect(difference(shown, middle).mean).toBeGreaterThan(2);
    }
  });

  it.each([false, true])('with alpha, premultiplied: %s', async (premultiplied) => {
    const extents = [layersOf(pictures(2)), layersOf(pictures(2, '400'))];
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
