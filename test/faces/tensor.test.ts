import { describe, expect, it } from 'vitest';
import { blankPicture, fillPart, inputSize, type Picture, rotatedSize } from '../../src/faces/tensor.ts';

/** Every pixel its own colour, none black; with so many black pixels on all sides. */
function framed(width: number, height: number, margin: number): Picture {
  const picture = blankPicture({ width: width + 2 * margin, height: height + 2 * margin });
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
      const [plain, wide] = [framed(9, 6, 0), framed(9, 6, 4)];
      const size = inputSize(rotatedSize(wide, turns));
      const [given, expected] = [new Float32Array(3 * 32 * 32), new Float32Array(3 * 32 * 32)];
      fillPart(given, plain, 0, 0, plain, size, turns, 4);
      fillPart(expected, wide, 0, 0, wide, size, turns);
      expect(given).toEqual(expected);
      expect(given.some((value) => value > 0)).toBe(true);
    },
  );
});
