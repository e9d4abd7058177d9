import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Core, createCore } from '../../../src/core/instance.ts';
import { LIGHT_STEPS, MatrixConverter, matrixConverterBytes } from '../../../src/core/kernels/colour.ts';

const curve = (code: number) => code ** 2.2;
const encode = (light: number) => Math.round(255 * Math.min(1, Math.max(0, light)) ** (1 / 2.2));
const codes = Uint8Array.from({ length: LIGHT_STEPS + 1 }, (_, step) => encode(step / LIGHT_STEPS));

const matrices = fc.array(fc.double({ min: -2, max: 2, noNaN: true }), { minLength: 9, maxLength: 9 });

/** The same by numbers. */
function expected(matrix: readonly number[], colour: readonly number[], most: number): number[] {
  const light = colour.map((code) => curve(code / most));
  return [0, 3, 6].map((row) =>
    encode(matrix[row]! * light[0]! + matrix[row + 1]! * light[1]! + matrix[row + 2]! * light[2]!),
  );
}

/** Codes differ by 1 at most, save where the curve is so steep that one step of light is several codes. */
function closeTo(
  found: Uint8Array,
  samples: Uint8Array | Uint16Array,
  matrix: readonly number[],
  most: number,
): void {
  for (let i = 0; i < found.length; i += 4) {
    const wanted = expected(matrix, [...samples.subarray(i, i + 3)], most);
    for (let channel = 0; channel < 3; channel++) {
      const difference = Math.abs(found[i + channel]! - wanted[channel]!);
      expect(difference).toBeLessThanOrEqual(wanted[channel]! < 16 ? 8 : 1);
    }
  }
}

/** Samples where a converter reads them: of 8 bits in the core, of 16 wherever they are. */
function placed<Samples extends Uint8Array | Uint16Array>(core: Core, samples: Samples): Samples {
  if (samples instanceof Uint16Array) return samples;
  const pixels = core.view(core.alloc(samples.length), samples.length);
  pixels.set(samples);
  return pixels as unknown as Samples;
}

describe('curves and matrix in the core', () => {
  const pixels = fc
    .uint8Array({ minLength: 4, maxLength: 400 })
    .map((bytes) => bytes.slice(0, bytes.length & ~3));

  function expectNumbers(
    matrix: readonly number[],
    samples: Uint8Array | Uint16Array,
    alphaShift: 0 | 8,
  ): void {
    using core = createCore();
    const to = { curves: [curve, curve, curve], matrix, codes } as const;
    using converter = new MatrixConverter(core, samples.length / 4, to, alphaShift > 0);
    const found = converter.convert(placed(core, samples));
    closeTo(found, samples, matrix, alphaShift > 0 ? 65_535 : 255);
    for (let i = 3; i < samples.length; i += 4) expect(found[i]).toBe(samples[i]! >> alphaShift);
  }

  it('convert 8-bit pixels as numbers do, and leave alpha', () => {
    fc.assert(
      fc.property(matrices, pixels, (matrix, samples) => expectNumbers(matrix, samples, 0)),
      { numRuns: 100, seed: 4 },
    );
  });

  it('convert 16-bit pixels as numbers do, with the high byte of alpha', () => {
    const samples16 = fc
      .uint16Array({ minLength: 4, maxLength: 400 })
      .map((words) => words.slice(0, words.length & ~3));
    fc.assert(
      fc.property(matrices, samples16, (matrix, samples) => expectNumbers(matrix, samples, 8)),
      { numRuns: 40, seed: 5 },
    );
  });

  it('takes each channel by its own curve', () => {
    const one = [1, 0, 0, 0, 1, 0, 0, 0, 1];
    const curves = [() => 0, () => 1, curve] as const;
    for (const is16Bit of [false, true]) {
      using core = createCore();
      using converter = new MatrixConverter(core, 1, { curves, matrix: one, codes }, is16Bit);
      const samples = is16Bit ? Uint16Array.of(9, 9, 0x8080, 0xffff) : Uint8Array.of(9, 9, 0x80, 255);
      const found = converter.convert(placed(core, samples));
      expect([...found]).toEqual([0, 255, 0x80, 255]);
    }
  });

  it.each([
    [1, false],
    [4000, false],
    [50_000, false],
    [4000, true],
  ])('holds for rows of %i pixels what was predicted (16 bits: %s)', (width, is16Bit) => {
    // Three curves of their own, the most there can be.
    const curves = [curve, (code: number) => code, () => 1] as const;
    using core = createCore();
    const before = core.exports.mark();
    using converter = new MatrixConverter(
      core,
      width,
      { curves, matrix: [1, 0, 0, 0, 1, 0, 0, 0, 1], codes },
      is16Bit,
    );
    const length = converter.pieceRows * width * 4;
    expect(core.exports.mark() - before).toBe(matrixConverterBytes(width, is16Bit));
    const samples = is16Bit ? new Uint16Array(length) : new Uint8Array(length);
    expect(converter.convert(placed(core, samples)).length).toBe(length);
  });
});
