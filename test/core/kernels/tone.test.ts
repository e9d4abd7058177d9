import { describe, expect, it } from 'vitest';
import { createCore } from '../../../src/core/instance.ts';
import { LIGHT_STEPS } from '../../../src/core/kernels/colour.ts';
import { ToneConverter, toneConverterBytes } from '../../../src/core/kernels/tone.ts';

const codes = Uint8Array.from({ length: LIGHT_STEPS + 1 }, (_, step) =>
  Math.round((255 * step) / LIGHT_STEPS),
);
const one = [1, 0, 0, 0, 1, 0, 0, 0, 1];

/** Codes are light up to 4; light is shown as it is up to 0.5, then more slowly, up to 1 at 4. */
const colour = {
  curve: (code: number) => code * 4,
  toSrgb: one,
  toBt2020: one,
  luminance: [0.2627, 0.678, 0.0593] as const,
  toned: (light: number) => (light < 0.5 ? light : 0.5 + (light - 0.5) / 7),
  peak: 4,
  codes,
};

describe('tone curves in the core', () => {
  it('multiply all channels by what the brightest one becomes', () => {
    using core = createCore();
    using converter = new ToneConverter(core, 4, colour, true);
    const at = (light: number) => Math.round((light / 4) * 65_535);
    const samples = Uint16Array.from([
      ...[at(0.4), at(0.2), at(0), 65_535],
      ...[at(4), at(2), at(1), 0x8000],
      ...[at(1), at(1), at(1), 0x7fff],
      ...[at(0), at(0), at(2.25), 0],
    ]);
    const found = [...converter.convert(samples)];
    const wanted = [
      ...[102, 51, 0, 255],
      ...[255, 127.5, 63.75, 0x80],
      ...[145.7, 145.7, 145.7, 0x7f],
      ...[0, 0, 191.25, 0],
    ];
    found.forEach((code, i) => {
      expect(Math.abs(code - wanted[i]!)).toBeLessThanOrEqual(1);
    });
  });

  it('multiply light of a scene by its luminance first', () => {
    using core = createCore();
    const scene = {
      ...colour,
      curve: (code: number) => code,
      sceneGain: (luminance: number) => 2 * luminance,
    };
    using converter = new ToneConverter(core, 2, scene, true);
    const found = converter.convert(Uint16Array.of(0, 32_768, 0, 65_535, 13_107, 13_107, 13_107, 65_535));
    // Green of 0.5 has a luminance of 0.339; grey of 0.2 is 0.08.
    expect(Math.abs(found[1]! - 255 * 0.339)).toBeLessThanOrEqual(1);
    expect(Math.abs(found[4]! - 255 * 0.08)).toBeLessThanOrEqual(1);
  });

  it('show what is brighter than the peak as bright as white', () => {
    using core = createCore();
    using converter = new ToneConverter(core, 1, { ...colour, peak: 2, toned: (light) => light / 2 }, true);
    expect([...converter.convert(Uint16Array.of(65_535, 32_768, 0, 65_535))]).toEqual([255, 128, 0, 255]);
  });

  it.each([
    [1, false],
    [4000, false],
    [50_000, true],
    [4000, true],
  ])('hold for rows of %i pixels what was predicted (16 bits: %s)', (width, is16Bit) => {
    using core = createCore();
    const before = core.exports.mark();
    using converter = new ToneConverter(core, width, colour, is16Bit);
    expect(core.exports.mark() - before).toBe(toneConverterBytes(width, is16Bit));
    expect(converter.pieceRows).toBeGreaterThanOrEqual(1);
  });
});
