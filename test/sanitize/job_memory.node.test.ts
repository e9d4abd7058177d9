import { describe, expect, it } from 'vitest';
import { jobBytes } from '../../src/api/workshop.ts';
import { faceSession } from '../../src/faces/session.ts';
import { countJob, largeFile } from '../fixtures/job_memory.ts';

const MEGABYTE = 1024 * 1024;
const regions = [{ x: 100, y: 100, w: 900, h: 700 }];

const MOST_ABOVE = 1.25;

describe('sanitizing 50 megapixels with faces', () => {
  it.each([
    ['jpeg', 1, 'jpeg'],
    ['jpeg', 6, 'jpeg'],
    ['progressive', 6, 'jpeg'],
    ['jpeg', 3, 'jpeg'],
    ['png', 1, 'jpeg'],
    ['png', 1, 'png'],
  ] as const)(
    '%s of orientation %i to %s holds what is predicted, and at most 100 MB',
    async (kind, orientation, format) => {
      const file = await largeFile(kind, orientation);
      const { predicted, counted } = await countJob(file, { pixelate: { regions }, output: { format } });
      expect(predicted).toBeGreaterThanOrEqual(counted);
      expect(predicted).toBeLessThanOrEqual(counted * MOST_ABOVE);
      expect(counted + (await faceSession()).heapBytes).toBeLessThanOrEqual(100 * MEGABYTE);
      // It runs where 128 MB are for everything.
      expect(predicted).toBeLessThanOrEqual(jobBytes('128'));
    },
  );
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
      expect(counted + (await faceSession()).heapBytes).toBeLessThanOrEqual(100 * MEGABYTE);
    },
  );
});
