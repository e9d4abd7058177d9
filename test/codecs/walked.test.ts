import { expect, it } from 'vitest';
import { gifDecoder } from '../../src/codecs/gif/decoder.ts';
import { walked } from '../../src/codecs/walked.ts';
import { scan } from '../../src/metadata/scan.ts';
import { uninterrupted } from '../../src/scheduling/time_slice.ts';
import { bytes } from '../fixtures/bytes.ts';
import { frame, gif } from '../fixtures/metadata/gif_files.ts';
import { filled } from '../fixtures/metadata/hostile_files.ts';

/** Counts what is spent, and the turns that it gives at each. */
function counting() {
  const spent: number[] = [];
  return { ...uninterrupted, spent, spend: async (pixels: number) => void spent.push(pixels) };
}

it('counts the bytes that a walk passes as pixels, and gives what it comes to', async () => {
  const slice = counting();
  function* parts() {
    yield 1700;
    yield 34;
    return 'place';
  }
  expect(await walked(parts(), slice)).toBe('place');
  expect(slice.spent).toEqual([100, 2]);
});

it('gives turns on the way to a frame behind very many sub-blocks of a GIF', async () => {
  const begin = filled(gif([], [0x21, 0xff, 11, 'XMP DataXMP']), [1, 0x47], 400_000);
  const whole = bytes(begin, begin.at(-1) === 1 ? 0x47 : [], 0, frame(), 0x3b);
  const slice = counting();
  using raster = await gifDecoder.open(whole, scan(whole)!, {}, slice);
  expect(raster.width).toBe(7);
  expect(slice.spent.length).toBeGreaterThan(3);
});
