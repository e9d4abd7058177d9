import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { jobBytes } from '../../src/api/job_bytes.ts';
import { countJob, largeFile } from '../fixtures/job_memory.ts';
import { whiteNoise } from '../fixtures/pink_noise.ts';
import { seededRandom } from '../fixtures/random.ts';

const MEGABYTE = 1024 * 1024;
const regions = [{ x: 100, y: 100, w: 900, h: 700 }];

const MOST_ABOVE = 1.25;
/** Large pictures take a minute on a busy machine. */
const TIMEOUT_MS = 600_000;

describe('sanitizing 50 megapixels with faces', () => {
  it.each([
    ['jpeg', 1, 'jpeg'],
    ['jpeg', 6, 'jpeg'],
    ['progressive', 6, 'jpeg'],
    ['jpeg', 3, 'jpeg'],
    ['png', 1, 'jpeg'],
    ['avif', 1, 'jpeg'],
    ['avif', 6, 'jpeg'],
    ['png', 1, 'png'],
    ['jpeg', 1, 'webp'],
    ['webp', 1, 'webp'],
    ['webp', 1, 'jpeg'],
  ] as const)(
    '%s of orientation %i to %s holds what is predicted, and at most 100 MB',
    async (kind, orientation, format) => {
      // What a quarter turn of an AVIF of grain becomes is a JPEG longer than any photograph's.
      const texture = kind === 'avif' && orientation === 6 ? 'structure' : 'grain';
      const file = await largeFile(kind, orientation, texture);
      // As long as a phone's at good quality: 0.3 bytes a pixel.
      if (kind === 'avif') expect(file.length).toBeGreaterThan(0.3 * 8160 * 6120);
      const { predicted, counted } = await countJob(file, { pixelate: { regions }, output: { format } });
      expect(predicted).toBeGreaterThanOrEqual(counted);
      expect(predicted).toBeLessThanOrEqual(counted * MOST_ABOVE);
      console.log(
        `${kind} to ${format}: ${counted / MEGABYTE} MB counted, ${predicted / MEGABYTE} predicted`,
      );
      if (kind === 'webp') expect(counted).toBeLessThanOrEqual(70 * MEGABYTE);
      expect(counted).toBeLessThanOrEqual(100 * MEGABYTE);
      // It runs where 128 MB are for everything.
      expect(predicted).toBeLessThanOrEqual(jobBytes('128'));
    },
    TIMEOUT_MS,
  );
});

describe('sanitizing a lossless WebP of 12 megapixels', async () => {
  const raw = { width: 2000, height: 2000, channels: 3 } as const;
  const picture = sharp(await whiteNoise(2000, 120, 4, seededRandom(2)), { raw });
  const file = await picture
    .resize(4000, 3000, { fit: 'fill' })
    .webp({ lossless: true, effort: 0 })
    .toBuffer();

  it.each(['webp', 'jpeg'] as const)('to %s holds at most 42 MB, and what is predicted', async (format) => {
    const { predicted, counted } = await countJob(file, { pixelate: { regions }, output: { format } });
    console.log(
      `${file.length / MEGABYTE} MB: ${counted / MEGABYTE} counted, ${predicted / MEGABYTE} predicted`,
    );
    expect(predicted).toBeGreaterThanOrEqual(counted);
    expect(predicted).toBeLessThanOrEqual(counted * MOST_ABOVE);
    expect(counted).toBeLessThanOrEqual(42 * MEGABYTE);
  });
});

describe('sanitizing a close-up', () => {
  it.each([0, 1400, 2000])('of a face of %i pixels holds what is predicted', async (side) => {
    const picture = sharp(await whiteNoise(2000, 120, 12, seededRandom(1)), {
      raw: { width: 2000, height: 2000, channels: 3 },
    });
    const file = await picture.resize(3000, 2000, { fit: 'fill' }).jpeg({ quality: 88 }).toBuffer();
    const ops = { pixelate: { strength: 1 }, output: { format: 'jpeg', quality: 92 } } as const;
    const face = { x: 0, y: 0, w: side, h: side, confidence: 0.9 };
    const { predicted, counted } = await countJob(file, ops, side === 0 ? [] : [face]);
    expect(predicted).toBeGreaterThanOrEqual(counted);
  });
});

describe('a PNG of a JPEG of 50 megapixels', () => {
  it.each([
    ['jpeg', 1],
    ['jpeg', 6],
    ['progressive', 6],
  ] as const)(
    '%s of orientation %i holds what is predicted, and at most 100 MB',
    async (kind, orientation) => {
      const file = await largeFile(kind, orientation, 'structure');
      const { predicted, counted } = await countJob(file, {
        pixelate: { regions },
        output: { format: 'png' },
      });
      expect(predicted).toBeGreaterThanOrEqual(counted);
      expect(predicted).toBeLessThanOrEqual(counted * MOST_ABOVE);
      expect(counted).toBeLessThanOrEqual(100 * MEGABYTE);
    },
  );
});
