import sharp from 'sharp';
import { describe, expect, it, vi } from 'vitest';
import { openChunk, PageRows, rgbaForm } from '../../../src/codecs/tiff/chunk_rows.ts';
import { declaredBytes, planPage } from '../../../src/codecs/tiff/cost.ts';
import { JpegRows } from '../../../src/codecs/tiff/jpeg_rows.ts';
import { TiffRaster } from '../../../src/codecs/tiff/raster.ts';
import { Sources } from '../../../src/codecs/tiff/sources.ts';
import { createCore } from '../../../src/core/instance.ts';
import { scan } from '../../../src/metadata/scan.ts';
import { readWhole, stillFacts } from '../../cases/decoder_cases.ts';
import { finished } from '../../fixtures/open_jpeg.ts';
import { pageOf } from '../../fixtures/tiff_page.ts';
import { writeTiff } from '../../fixtures/tiff_writer.ts';

/** Bytes that the core holds with the chunks of one row all open, and what was planned besides the strip. */
function held(bytes: Uint8Array): { counted: number; planned: number } {
  const page = pageOf(bytes);
  const plan = planPage(page);
  const sources = new Sources(page);
  const shared = new PageRows(page, rgbaForm(page));
  const pixels = new Uint8Array(page.width * 4);
  const columns = plan.oneByOne ? 1 : page.chunks.across;
  for (let column = 0; column < columns; column++) {
    const stored = shared.planes.map((plane) => page.chunks.bytesOf(column, 0, plane));
    const rows =
      page.compression === 7
        ? finished(JpegRows.opening(shared, sources.core(), stored, 0))
        : openChunk(
            shared,
            stored.map((part) => sources.open(part)),
          );
    if (rows.reach) finished(rows.reach(0));
    rows.next(pixels, 0, Math.min(page.chunks.width, page.width - column * page.chunks.width), 0);
  }
  return { counted: sources.core().heldBytes, planned: plan.bytes - plan.stripRows * page.width * 4 };
}

describe('the memory planned for decoding a TIFF', () => {
  it.each([1, 2, 5])('covers inflate streams in %i tiles side by side', (tiles) => {
    const recipe = { width: 64 * tiles, height: 600, compression: 8, value: (x: number, y: number) => x ^ y };
    const { counted, planned } = held(writeTiff({ ...recipe, tile: [64, 608] }));
    expect(counted).toBeLessThanOrEqual(planned);
    expect(planned).toBeLessThan(counted + tiles * 64 * 1024 + 400 * 1024);
  });

  it.each([
    ['baseline, halved colour', { chromaSubsampling: '4:2:0' }],
    ['baseline, whole colour', { chromaSubsampling: '4:4:4' }],
    ['progressive', { progressive: true }],
  ])('covers JPEG data: %s', async (_name, options) => {
    const width = 1500;
    const raw = Buffer.from(Array.from({ length: width * 40 * 3 }, (_, at) => (at * 7) & 255));
    const stored = new Uint8Array(
      await sharp(raw, { raw: { width, height: 40, channels: 3 } })
        .jpeg(options)
        .toBuffer(),
    );
    const recipe = { width, height: 40, samples: 3, photometric: 6, compression: 7, stored: [stored] };
    const { counted, planned } = held(writeTiff({ ...recipe, value: () => 0 }));
    expect(counted).toBeLessThanOrEqual(planned);
  });

  it.each([
    ['strips', { rowsPerStrip: 2 }],
    ['tiles one by one', { tile: [16, 16] }],
  ] as const)('stays the same however many %s are read', (_name, cut) => {
    const made = vi.spyOn(Sources.prototype, 'core');
    const recipe = { width: 160, height: 60, compression: 8, value: (x: number, y: number) => x ^ y, ...cut };
    const page = pageOf(writeTiff(recipe));
    const plan = planPage(page);
    using core = createCore();
    readWhole(new TiffRaster(page, plan, core));
    const cores = new Set(made.mock.results.map(({ value }) => value));
    made.mockRestore();
    expect(cores.size).toBe(1);
    for (const core of cores) expect(core.heldBytes).toBeLessThanOrEqual(plan.bytes);
  });

  it('is within what the facts declare, for all common strips and tiles', () => {
    for (const [width, height, samples, bits] of [
      [200, 100, 1, 1],
      [200, 100, 3, 8],
      [500, 30, 4, 16],
    ] as const) {
      for (const compression of [1, 5, 8, 32773, ...(bits === 1 ? [4] : [])]) {
        for (const cut of [
          {},
          { rowsPerStrip: 7 },
          { tile: [16, 16] },
          { tile: [48, 80] },
          { tile: [256, 256] },
        ] as const) {
          for (const planar of [false, true]) {
            const stored = Array(300).fill(new Uint8Array(1));
            const recipe = {
              width,
              height,
              samples,
              bits,
              photometric: samples > 1 ? 2 : 1,
              compression,
              planar,
              ...cut,
            };
            const file = writeTiff({ ...recipe, stored, value: () => 0 });
            const { bytes } = planPage(pageOf(file));
            const declared = declaredBytes(
              stillFacts('tiff', width, height, { channels: samples, bitDepth: bits }),
            );
            expect(bytes, JSON.stringify(recipe)).toBeLessThanOrEqual(declared);
            const exactly = declaredBytes(scan(file)!);
            expect(bytes, JSON.stringify(recipe)).toBeLessThanOrEqual(exactly);
            // Only the floating-point predictor's second row is beyond what is needed.
            expect(exactly - bytes, JSON.stringify(recipe)).toBeLessThanOrEqual(width * samples * 2);
          }
        }
      }
    }
  });
});
