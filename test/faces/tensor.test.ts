import { describe, expect, it } from 'vitest';
import { DetectorMemory } from '../../src/faces/detector_memory.ts';
import {
  blankPicture,
  fillEnlarged,
  fillPart,
  fillPixel,
  inputSize,
  type Picture,
  rotatedSize,
} from '../../src/faces/tensor.ts';

/** Every pixel its own colour, none black; with so many black pixels on all sides. */
function framed(memory: DetectorMemory, width: number, height: number, margin: number): Picture {
  const picture = blankPicture({ width: width + 2 * margin, height: height + 2 * margin }, memory);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      for (let c = 0; c < 3; c++)
        picture.pixels[((y + margin) * picture.width + x + margin) * 3 + c] = 1 + y * width + x + 60 * c;
  return picture;
}

describe('fillPart', () => {
  it.each([0, 1, 2, 3] as const)(
    'with a margin shows a picture as if black lay around it, turned %i',
    (turns) => {
      using memory = DetectorMemory.open(40_000);
      const [plain, wide] = [framed(memory, 9, 6, 0), framed(memory, 9, 6, 4)];
      const size = inputSize(rotatedSize(wide, turns));
      const [given, expected] = [memory.floats(3 * 32 * 32), memory.floats(3 * 32 * 32)];
      const kernels = memory.core.exports;
      fillPart({ input: given, kernels }, plain, 0, 0, plain, size, turns, 4);
      fillPart({ input: expected, kernels }, wide, 0, 0, wide, size, turns);
      expect(given).toEqual(expected);
      expect(given.some((value) => value > 0)).toBe(true);
    },
  );

  it('writes each colour into its plane, and nothing beside the part, whatever lay there', () => {
    for (const width of [1, 3, 4, 7, 31, 32]) {
      using memory = DetectorMemory.open(20_000);
      const picture = framed(memory, 32, 2, 0);
      const input = memory.floats(3 * 32 * 32).fill(7);
      const part = { width, height: 2 };
      const size = { width: 32, height: 32 };
      fillPart({ input, kernels: memory.core.exports }, picture, 32 - width, 0, part, size);
      const expected = Float32Array.from({ length: 3 * 32 * 32 }, (_, i) => {
        const [c, y, x] = [i >> 10, (i >> 5) & 31, i & 31];
        return x < width && y < 2 ? picture.pixels[(y * 32 + x + 32 - width) * 3 + c]! : 0;
      });
      expect(input).toEqual(expected);
    }
  });
});

describe('fillEnlarged', () => {
  it.each([0, 1, 2, 3] as const)(
    'puts the same colours as point by point, to the last bit, turned %i',
    (turns) => {
      using memory = DetectorMemory.open(10_000);
      const picture = framed(memory, 13, 9, 0);
      const enlarged = { width: 19, height: 14 };
      // It begins within the picture, and ends at its last pixel.
      const [left, top] = [3, 2];
      const part = { width: enlarged.width - left, height: enlarged.height - top };
      const size = { width: 32, height: 32 };
      const given = new Float32Array(3 * 32 * 32).fill(7);
      fillEnlarged(given, picture, enlarged, left, top, part, size, turns);
      const expected = new Float32Array(3 * 32 * 32);
      for (let y = 0; y < part.height; y++) {
        for (let x = 0; x < part.width; x++) {
          const [fromX, fromY] = [
            ((left + x + 0.5) * picture.width) / enlarged.width - 0.5,
            ((top + y + 0.5) * picture.height) / enlarged.height - 0.5,
          ];
          const [column, row] = [
            [x, y],
            [part.height - 1 - y, x],
            [part.width - 1 - x, part.height - 1 - y],
            [y, part.width - 1 - x],
          ][turns]! as [number, number];
          fillPixel(expected, size, row * size.width + column, picture, fromX, fromY);
        }
      }
      expect(given).toEqual(expected);
    },
  );
});
