import { expect, it } from 'vitest';
import { libavifBytes, MAX_FRAMES, predictedLayersCost } from '../../../src/codecs/avif/predicted_cost.ts';
import { totalBytes } from '../../../src/memory/memory_cost.ts';
import type { Av1Coding } from '../../../src/metadata/facts.ts';

type Chroma = '400' | '420' | '422' | '444';

function coding(width: number, height: number, chroma: Chroma = '420', depth = 8): Av1Coding {
  const [subX, subY] = { 400: [1, 1], 420: [1, 1], 422: [1, 0], 444: [0, 0] }[chroma] as [number, number];
  const shape = { monochrome: chroma === '400', subX, subY, depth };
  return { ...{ columns: 1, rows: 1, width, height }, ...shape, decoderBytes: 0, copiedBytes: 0 };
}

// Streams of aomenc 3.6 in what @jsquash/avif 2.1.1 has of libavif and libaom, in megabytes.
it.each([
  [1000, 1000, '420', 8, 2, 37.4],
  [1000, 1000, '420', 10, 2, 39.4],
  [1000, 1000, '444', 8, 2, 39.8],
  [1000, 1000, '444', 10, 4, 67.1],
  [1920, 1080, '444', 10, 4, 120.3],
  [1600, 1200, '420', 10, 4, 82.6],
  [2000, 1500, '420', 8, 2, 81.1],
  [2000, 1500, '420', 8, 4, 87.9],
  [64, 20_000, '420', 8, 2, 57.0],
  [64, 20_000, '444', 10, 4, 147.1],
  [20_000, 64, '444', 10, 4, 150.3],
  [32, 16, '420', 8, 2, 16.8],
] as const)('%i × %i, %s, %i bits, %i frames: at least what was measured, at most half more', (...row) => {
  const [width, height, chroma, depth, frames, megabytes] = row;
  const bytes = libavifBytes({ colour: coding(width, height, chroma, depth) }, { frames, bytes: 0 });
  expect(bytes / 1e6).toBeGreaterThanOrEqual(megabytes - 0.05);
  expect(bytes / 1e6).toBeLessThanOrEqual(megabytes * 1.5);
});

// Photographs of high quality: libaom notes their symbols.
it.each([
  [1000, 1000, '420', 1.1, 38.8],
  [1000, 1000, '420', 1.4, 55.8],
  [1000, 1000, '444', 2.04, 59.0],
  [1600, 1200, '420', 1.13, 68.2],
] as const)('%i × %i, %s, %d MB: at least what was measured', (width, height, chroma, coded, megabytes) => {
  const colour = coding(width, height, chroma);
  const bytes = libavifBytes({ colour }, { frames: 2, bytes: coded * 1e6 });
  expect(bytes / 1e6).toBeGreaterThanOrEqual(megabytes);
  expect(bytes / 1e6).toBeLessThanOrEqual(megabytes * 1.5);
});

it('grows with frames up to their limit, with alpha and with the bitstream', () => {
  const colour = coding(2000, 1000);
  const bytesOf = (frames: number, bytes = 0, alpha?: Av1Coding) =>
    libavifBytes({ colour, ...(alpha && { alpha }) }, { frames, bytes });
  expect(bytesOf(3)).toBeGreaterThan(bytesOf(2));
  expect(bytesOf(MAX_FRAMES + 5)).toBe(bytesOf(MAX_FRAMES));
  expect(bytesOf(2, 5e6)).toBeGreaterThanOrEqual(bytesOf(2) + 60e6);
  expect(bytesOf(2, 0, coding(2000, 1000, '400'))).toBeGreaterThan(1.8 * bytesOf(2) - 17e6);
});

it('the cost is that memory, a strip, and a copy of what lies in pieces', () => {
  const colour = { ...coding(1200, 900), copiedBytes: 12_345 };
  const predicted = { frames: 2, bytes: 12_345 };
  const cost = predictedLayersCost({ width: 1200, height: 900 }, { colour }, predicted);
  expect(cost.elsewhere).toBe(12_345);
  expect(totalBytes(cost)).toBeGreaterThan(libavifBytes({ colour }, predicted) + 32 * 1200 * 4);
  expect(totalBytes(cost)).toBeLessThan(libavifBytes({ colour }, predicted) + 1e6);
});
