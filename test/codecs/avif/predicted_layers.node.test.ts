import { expect, it } from 'vitest';
import { avifDecoder } from '../../../src/codecs/avif/decoder.ts';
import { MAX_FRAMES } from '../../../src/codecs/avif/predicted_cost.ts';
import { isolateMemoryPool } from '../../../src/core/memory_pool.ts';
import { scan } from '../../../src/metadata/scan.ts';
import { decodeWhole } from '../../cases/decoder_cases.ts';
import { keptStream } from '../../fixtures/av1/kept_streams.ts';
import { predictedLayers } from '../../fixtures/av1/predicted_layers.ts';
import { fileOfItem } from '../../fixtures/avif_files.ts';
import { av1C, avif, ispe, nclx, pixi } from '../../fixtures/avif_writer.ts';
import { bytes as bytesOf, u16 } from '../../fixtures/bytes.ts';
import {
  greenOverRed,
  greenOverRedObus,
  HEADER_END,
  resizedGreenOverRed,
  UPPER_LAYER,
} from '../../fixtures/green_over_red.ts';
import { mostApart } from '../../fixtures/raster.ts';
import { readBySharp } from '../../fixtures/sharp_reader.ts';

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

it('three layers of a photo are those that libaom decodes', async () => {
  // With others, beside avifdec: predicted_layers.slow.node.test.ts.
  const stream = predictedLayers(keptStream('video-444-10'), 3);
  const properties = [ispe(80, 60), pixi(10, 10, 10), av1C(0x40), nclx(1, 13, 6)];
  const bytes = fileOfItem(stream, { width: 80, height: 60 }, { properties });
  expect(scan(bytes)!.avif!.predicted!.frames).toBe(3);
  const { pixels } = await read(bytes);
  const theirs = await readBySharp(bytes);
  expect(theirs).toMatchObject({ width: 80, height: 60 });
  expect(mostApart(pixels, theirs.pixels)).toBeLessThanOrEqual(1);
});
