import type { AvifOptions } from 'sharp';
import { describe, expect, it } from 'vitest';
import { bandWork } from '../../../src/codecs/avif/bands.ts';
import { avifDecoder } from '../../../src/codecs/avif/decoder.ts';
import { TILE_WORK } from '../../../src/codecs/avif/grid.ts';
import type { ColumnBand } from '../../../src/codecs/types.ts';
import { createCore } from '../../../src/core/instance.ts';
import { totalBytes } from '../../../src/memory/memory_cost.ts';
import { CoreBytes } from '../../../src/memory/owned_bytes.ts';
import type { FileFacts } from '../../../src/metadata/facts.ts';
import { scan } from '../../../src/metadata/scan.ts';
import { crop } from '../../../src/pixels/crop.ts';
import { rowsWork } from '../../../src/scheduling/work.ts';
import { decoderCases, decodeWhole, firstDifference } from '../../cases/decoder_cases.ts';
import { meanDifference } from '../../cases/encoder_cases.ts';
import { avifBySharp, gridBySharp, obusOf } from '../../fixtures/avif_files.ts';
import { av1C, avif, ispe } from '../../fixtures/avif_writer.ts';
import { u16 } from '../../fixtures/bytes.ts';
import { avifByJsquash, SUBSAMPLE } from '../../fixtures/jsquash_avif.ts';
import {
  mostApart,
  noisePicture,
  type Picture,
  photoPicture,
  rasterOf,
  readPicture,
  strips16Of,
  stripsOf,
} from '../../fixtures/raster.ts';
import { readBySharp } from '../../fixtures/sharp_reader.ts';

const named = (name: string, bytes: Uint8Array<ArrayBuffer>) => ({ name, bytes, facts: scan(bytes)! });

const bySharp = async (name: string, picture: Picture, options: AvifOptions) =>
  named(name, await avifBySharp(picture, options));
/** Without alpha. */
const byJsquash = (picture: Picture, layout: keyof typeof SUBSAMPLE, bitDepth = 8) =>
  avifByJsquash(picture, { quality: 60, speed: 10, subsample: SUBSAMPLE[layout], bitDepth });

describe('AVIF decoder', async () => {
  const samples = [
    await bySharp('4:4:4', photoPicture(33, 25, 33), { chromaSubsampling: '4:4:4' }),
    await bySharp('4:2:0', photoPicture(64, 150, 64), { chromaSubsampling: '4:2:0' }),
    await bySharp('4:4:4 with alpha', noisePicture(40, 70, 4, 'any'), {
      chromaSubsampling: '4:4:4',
      quality: 90,
    }),
  ];
  decoderCases({ decoder: avifDecoder, samples, cuts: 24, namesRow: false });

  it.each(samples)('$name gives the pixels that sharp gives, within a level', async ({ bytes, facts }) => {
    const { pixels: ours } = await decodeWhole(avifDecoder, { bytes, facts });
    const theirs = await readBySharp(bytes);
    expect(meanDifference(ours, theirs.pixels)).toBeLessThan(1);
  });

  it('gives way within a row of superblocks that is long, and goes on where it stopped', async () => {
    const { bytes, facts } = await bySharp('wide', photoPicture(6000, 100, 3), { quality: 80 });
    using raster = await avifDecoder.open(bytes, facts, {});
    const first = [...raster.strips()].findIndex((strip) => typeof strip !== 'number');
    expect(first).toBeGreaterThan(4);
    const { pixels: ours } = await decodeWhole(avifDecoder, { bytes, facts });
    expect(meanDifference(ours, (await readBySharp(bytes)).pixels)).toBeLessThan(1);
  });

  // Other depths and matrices: avifdec.slow.node.test.ts. libheif repeats the chroma of 4:2:2.
  it.each<[keyof typeof SUBSAMPLE, number, number]>([
    ['400', 8, 1],
    ['422', 8, 12],
    ['444', 10, 2],
    ['444', 12, 2],
  ])(
    'layout %s of %i bits gives the pixels that sharp gives, within %i levels',
    async (layout, depth, most) => {
      const bytes = await byJsquash(photoPicture(96, 70, depth), layout, depth);
      const facts = scan(bytes)!;
      expect(facts.bitDepth).toBe(depth);
      const { pixels: ours } = await decodeWhole(avifDecoder, { bytes, facts });
      expect(mostApart(ours, (await readBySharp(bytes)).pixels)).toBeLessThanOrEqual(most);
    },
  );

  it('reads a file that lies in a core where it is, and leaves nothing there', async () => {
    const { bytes, facts } = samples[1]!;
    using file = CoreBytes.allocate(createCore(), bytes.length);
    file.bytes.set(bytes);
    const { core } = file;
    const before = core.exports.mark();
    {
      using raster = await avifDecoder.open(file, facts, {});
      expect(raster.core).toBe(core);
      const { pixels } = await decodeWhole(avifDecoder, { bytes, facts });
      expect(firstDifference(readPicture(raster).pixels, pixels)).toBe('none');
    }
    expect(core.exports.mark()).toBe(before);
  });

  it('gives the same pixels in memory that others have used', async () => {
    for (const { bytes, facts } of samples) {
      const clean = await decodeWhole(avifDecoder, { bytes, facts });
      using file = CoreBytes.allocate(createCore(), bytes.length);
      file.bytes.set(bytes);
      const { core } = file;
      const used = core.alloc(4_000_000);
      core.view(used, 4_000_000).fill(0xa7);
      core.exports.release(used);
      using raster = await avifDecoder.open(file, facts, {});
      expect(firstDifference(readPicture(raster).pixels, clean.pixels)).toBe('none');
    }
  });

  it('reads a grid of one tile that reaches beyond it, whole and by columns', async () => {
    const tile = await avifBySharp(noisePicture(40, 30, 6), { lossless: true, chromaSubsampling: '4:4:4' });
    const [width, height] = [23, 17];
    const bytes = avif({
      items: [
        { id: 1, type: 'grid', extents: [[0, 0, 0, 0], u16(width), u16(height)], properties: [1] },
        { id: 2, type: 'av01', extents: [obusOf(tile)], properties: [2, 3] },
      ],
      properties: [ispe(width, height), ispe(40, 30), av1C(0)],
      references: [{ type: 'dimg', from: 1, to: [2] }],
    });
    const facts = scan(bytes)!;
    expect(facts).toMatchObject({ width, height, complete: true });
    const whole = await decodeWhole(avifDecoder, { bytes: tile, facts: scan(tile)! });
    const wanted = readPicture(crop(rasterOf(whole), { x: 0, y: 0, width, height })).pixels;
    const found = await decodeWhole(avifDecoder, { bytes, facts });
    expect(firstDifference(found.pixels, wanted)).toBe('none');
    const columnBands = [
      { x: 9, width: 14 },
      { x: 0, width: 9 },
    ];
    using banded = await avifDecoder.open(bytes, facts, { columnBands });
    for (const { x, width: across } of columnBands) {
      const part = readPicture(
        crop(rasterOf({ width, height, pixels: wanted }), { x, y: 0, width: across, height }),
      );
      expect(firstDifference(readPicture(banded.columns!(x, across)).pixels, part.pixels)).toBe('none');
    }
  });

  it('refuses a file whose image data have another size than the header says', async () => {
    const { bytes, facts } = samples[0]!;
    const wrong: FileFacts = { ...facts, width: facts.width + 1 };
    await expect(avifDecoder.open(bytes, wrong, {})).rejects.toThrow(/promises 34 × 25 .* has 33 × 25/);
  });

  it('names the row that a cut bitstream was decoded to', async () => {
    const { bytes, facts } = await bySharp('tall', noisePicture(64, 700, 3), { quality: 90 });
    const broken = bytes.slice();
    broken.fill(0xff, bytes.length >> 1, (bytes.length >> 1) + 200);
    await expect(decodeWhole(avifDecoder, { bytes: broken, facts })).rejects.toThrow(/row \d+ of 700/);
  });
});

describe('columns of an AVIF', () => {
  /**
   * Reads bands of 300 columns, twice, from the right.
   * @param codedIn how many coded pictures a band is decoded from
   * @returns how many bytes differ from the whole's; how often its pixels were decoded, and memory: also as
   * planned
   */
  async function readBands(
    { bytes, facts }: { bytes: Uint8Array; facts: FileFacts },
    codedIn: (band: ColumnBand) => number,
  ) {
    const whole = await decodeWhole(avifDecoder, { bytes, facts });
    const { width, height } = facts;
    const columnBands: ColumnBand[] = [];
    for (let x = 0; x < width; x += 300) columnBands.unshift({ x, width: Math.min(300, width - x) });
    using raster = await avifDecoder.open(bytes, facts, { columnBands });
    let different = 0;
    let work = 0;
    for (const band of [...columnBands, ...columnBands]) {
      const { x, width: count } = band;
      // Rows of coded pictures have a price of their own.
      work -= codedIn(band) * rowsWork(height, 0);
      for (const item of raster.columns!(x, count).strips()) {
        if (typeof item === 'number') {
          work += item;
          continue;
        }
        for (let row = 0; row < item.rows; row++) {
          const at = ((item.y + row) * width + x) * 4;
          const part = item.pixels.subarray(row * count * 4, (row + 1) * count * 4);
          part.forEach((value, i) => {
            different += Number(value !== whole.pixels[at + i]);
          });
        }
      }
    }
    const held = raster.core.heldBytes - bytes.length;
    const cost = totalBytes(avifDecoder.cost(facts, { columnBands }));
    const { first, later } = bandWork(facts.avif!, columnBands, width);
    return { different, work: work / (width * height), held, cost, first, later };
  }

  it.each([
    ['4:2:0', { chromaSubsampling: '4:2:0' }],
    ['4:4:4 of 10 bits', { chromaSubsampling: '4:4:4', bitdepth: 10 }],
  ] as const)(
    '%s: have the pixels of the whole, for the work and the memory that are planned',
    async (_, options) => {
      const { bytes, facts } = await bySharp('wide', photoPicture(1401, 90, 5), options);
      const { different, work, held, cost, first, later } = await readBands({ bytes, facts }, () => 2);
      expect(different).toBe(0);
      // sharp has made alpha, too, which is decoded in the same columns.
      expect(facts.hasAlpha).toBe(true);
      // Superblocks of very many coded bytes count for a little more than their pixels.
      const planned = first.pixels + later.pixels;
      expect(work / 2).toBeGreaterThan(planned - 1e-9);
      expect(work / 2).toBeLessThan(planned * 1.02);
      expect(first.pixels).toBeGreaterThanOrEqual(later.pixels);
      expect(cost).toBeGreaterThanOrEqual(held);
    },
  );

  it('of a grid are decoded from the tiles that hold them', async () => {
    const tiles = [7, 8, 9, 10].map((seed) => photoPicture(256, 128, seed));
    const bytes = await gridBySharp(tiles, { columns: 4, rows: 1, width: 1024, height: 128 });
    const facts = scan(bytes)!;
    expect(facts.avif!.colour).toMatchObject({ columns: 4, rows: 1 });
    const tilesOf = ({ x, width }: ColumnBand) => Math.ceil((x + width) / 256) - Math.floor(x / 256);
    const { different, work, first, later } = await readBands({ bytes, facts }, tilesOf);
    expect(different).toBe(0);
    // Four bands, of which three reach into a second tile, are read twice.
    const opened = (2 * 7 * TILE_WORK) / (1024 * 128);
    expect(work).toBeCloseTo(first.pixels + later.pixels + opened, 10);
    expect(later.pixels).toBeLessThan(4);
  });

  it('of more than 8 bits keep them', async () => {
    const { bytes, facts } = await bySharp('deep', photoPicture(500, 60, 8), { bitdepth: 10 });
    const columnBands = [{ x: 121, width: 47 }];
    using raster = await avifDecoder.open(bytes, facts, { columnBands, preferHighBitDepth: true });
    const whole = new Uint16Array(500 * 60 * 4);
    for (const { y, samples } of strips16Of(raster)) whole.set(samples, y * 500 * 4);
    const part = raster.columns!(121, 47);
    for (const { y, rows, samples } of strips16Of(part)) {
      for (let row = 0; row < rows; row++) {
        const expected = whole.subarray(((y + row) * 500 + 121) * 4, ((y + row) * 500 + 168) * 4);
        expect(samples.subarray(row * 47 * 4, (row + 1) * 47 * 4)).toEqual(expected);
      }
    }
  });
});

describe('AVIF decoding', () => {
  it('holds what its cost says, within a quarter', async () => {
    const large = photoPicture(1024, 768, 9);
    const tiles = [1, 2, 3, 4].map((seed) => photoPicture(512, 384, seed));
    const grid = await gridBySharp(tiles, { columns: 2, rows: 2, width: 1024, height: 768 });
    for (const bytes of [
      await byJsquash(large, '420'),
      await byJsquash(large, '444', 10),
      await byJsquash(large, '400'),
      grid,
    ]) {
      using file = CoreBytes.allocate(createCore(), bytes.length);
      file.bytes.set(bytes);
      const facts = scan(bytes)!;
      using raster = await avifDecoder.open(file, facts, {});
      readPicture(raster);
      const held = raster.core.heldBytes - bytes.length;
      const predicted = totalBytes(avifDecoder.cost(facts, {}));
      expect(predicted).toBeGreaterThanOrEqual(held - 65_536);
      if (bytes !== grid) expect(predicted).toBeLessThanOrEqual(held * 1.25 + 65_536);
    }
  });

  it('of many coded bytes counts by these: pixels without loss take four times as long', async () => {
    const { bytes, facts } = await bySharp('noise', noisePicture(256, 192, 9), { lossless: true });
    using raster = await avifDecoder.open(bytes, facts, {});
    let work = 0;
    for (const item of raster.strips()) if (typeof item === 'number') work += item;
    expect(work).toBeGreaterThan(3 * bytes.length);
    expect(work).toBeGreaterThan(4 * 192 * 256);
  });

  it('lets others have their turn: work comes between strips', async () => {
    const bytes = await byJsquash(photoPicture(256, 192, 7), '444');
    using raster = await avifDecoder.open(bytes, scan(bytes)!, {});
    let work = 0;
    for (const item of raster.strips()) if (typeof item === 'number') work += item;
    expect(work).toBe(rowsWork(192, 256));
    expect([...stripsOf(raster)].length).toBeGreaterThan(0);
  });

  it('lets them have it after some superblocks of a lossless picture: rows of 16,384 took 10 ms at a time', async () => {
    const { bytes, facts } = await bySharp('noise', noisePicture(2048, 64, 9), { lossless: true });
    using raster = await avifDecoder.open(bytes, facts, {});
    let most = 0;
    for (const item of raster.strips()) if (typeof item === 'number') most = Math.max(most, item);
    const bytesAtOnce = (bytes.length * 128 ** 2) / (2048 * 64);
    expect(most).toBeLessThan(1.5 * 3.5 * bytesAtOnce);
  });
});
