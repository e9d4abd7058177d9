import { expect, it } from 'vitest';
import { liftingCost, liftShadows, lumaToLift } from '../../src/faces/dark.ts';
import { DetectorMemory } from '../../src/faces/detector_memory.ts';
import { pictureCost } from '../../src/faces/pass_inputs.ts';
import { blankPicture } from '../../src/faces/tensor.ts';

const sizes = [
  [1, 1],
  [1, 4],
  [5, 1],
  [7, 5],
] as const;

it.each(sizes)(
  'lifts the mean of 3 × 3 pixels, those at the border counted again: %i × %i',
  (width, height) => {
    const size = { width, height };
    using memory = DetectorMemory.open(2 * pictureCost(size) + liftingCost(width));
    const picture = blankPicture(size, memory);
    for (let i = 0; i < picture.pixels.length; i++) picture.pixels[i] = (i * 37) % 90;
    const before = picture.pixels.slice();
    const luma = 30;
    const gamma = Math.log(110 / 255) / Math.log(luma / 255);
    const within = (at: number, count: number) => Math.max(0, Math.min(count - 1, at));
    const expected = Array.from(before, (_, i) => {
      const [x, y] = [Math.floor(i / 3) % width, Math.floor(i / 3 / width)];
      let sum = 0;
      for (const down of [-1, 0, 1])
        for (const right of [-1, 0, 1])
          sum += before[(within(y + down, height) * width + within(x + right, width)) * 3 + (i % 3)]!;
      return Math.round(255 * (sum / (9 * 255)) ** gamma);
    });
    const lifted = liftShadows(picture, luma, memory);
    expect([...lifted.pixels]).toEqual(expected);
    expect(picture.pixels).toEqual(before);
  },
);

it('leaves black black and white white, however dark the picture is', () => {
  const size = { width: 2, height: 1 };
  for (const luma of [0, 1, 49, 200, 255]) {
    for (const level of [0, 255]) {
      using memory = DetectorMemory.open(2 * pictureCost(size) + liftingCost(size.width));
      const picture = blankPicture(size, memory);
      picture.pixels.fill(level);
      expect(new Set(liftShadows(picture, luma, memory).pixels)).toEqual(new Set([level]));
    }
  }
});

it('lifts a night by its mean, and deep shadow before light by twice the mean of the darker half', () => {
  const size = { width: 10, height: 4 };
  using memory = DetectorMemory.open(pictureCost(size));
  const picture = blankPicture(size, memory);
  const halves = (dark: number, light: number) => {
    for (let i = 0; i < picture.pixels.length; i++) picture.pixels[i] = i % 30 < 15 ? dark : light;
    return lumaToLift(picture, (dark + light) / 2);
  };
  expect(halves(30, 49)).toBe(39.5);
  expect(halves(11, 200)).toBe(22);
  expect(halves(0, 200)).toBe(0);
  expect(halves(12, 200)).toBeUndefined();
});
