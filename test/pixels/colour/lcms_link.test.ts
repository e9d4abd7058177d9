import { describe, expect, it } from 'vitest';
import { openTransform } from '../../../src/pixels/colour/lcms.ts';
import {
  createLcms,
  PixelSpace,
  pixelFormat,
  RELATIVE_COLORIMETRIC,
} from '../../../src/pixels/colour/lcms_instance.ts';
import { pressProfile, scannerProfile } from '../../fixtures/icc_writer.ts';
import { seededBelow } from '../../fixtures/random.ts';

const PIXELS = 4096;
const BLACK_POINT_COMPENSATION = 0x2000;
const OUTPUT = pixelFormat(PixelSpace.rgb, 3, 1, 1);

/** What LittleCMS makes of pixels by a link, or in steps, that it makes itself. */
function byLittleCms(profile: Uint8Array, format: number, flags: number, pixels: Uint8Array | Uint16Array) {
  const lcms = createLcms(64 * 1024 * 1024);
  const at = lcms.malloc(profile.length);
  const stored = new Uint8Array(pixels.buffer);
  const [input, output] = [lcms.malloc(stored.length), lcms.malloc(PIXELS * 4)];
  new Uint8Array(lcms.memory.buffer).set(profile, at);
  const from = lcms.cmsOpenProfileFromMem(at, profile.length);
  const to = lcms.cmsCreate_sRGBProfile();
  const transform = lcms.cmsCreateTransform(from, format, to, OUTPUT, RELATIVE_COLORIMETRIC, flags);
  new Uint8Array(lcms.memory.buffer).set(stored, input);
  lcms.cmsDoTransform(transform, input, output, PIXELS);
  return new Uint8Array(lcms.memory.buffer, output, PIXELS * 4);
}

function colours(bytes: 1 | 2): Uint8Array | Uint16Array {
  const below = seededBelow(21);
  const codes = Array.from({ length: PIXELS * 4 }, () => below(bytes === 1 ? 256 : 65_536));
  codes.fill(0, 0, 4);
  codes.fill(bytes === 1 ? 255 : 65_535, 4, 8);
  return bytes === 1 ? Uint8Array.from(codes) : Uint16Array.from(codes);
}

/** Differences of the codes, without alpha. */
function differences(one: Uint8Array, other: Uint8Array): number[] {
  return [...one].flatMap((code, at) => (at % 4 === 3 ? [] : [Math.abs(code - other[at]!)]));
}

describe('a link that is made in parts', () => {
  for (const bytes of [1, 2] as const) {
    it(`converts ${bytes * 8} bits of CMYK as LittleCMS' own does, which held the thread for 41 ms`, () => {
      const profile = pressProfile();
      const pixels = colours(bytes);
      const format = pixelFormat(PixelSpace.cmyk, 4, bytes);
      const expected = byLittleCms(profile, format, BLACK_POINT_COMPENSATION, pixels);
      expect(Math.max(...differences(openTransform(profile, 'cmyk', bytes)!.convert(pixels), expected))).toBe(
        0,
      );
    });

    it(`converts ${bytes * 8} bits of RGB as in steps, and keeps white`, () => {
      const profile = scannerProfile();
      const pixels = colours(bytes);
      const format = pixelFormat(PixelSpace.rgb, 3, bytes, 1);
      const converted = openTransform(profile, 'rgb', bytes)!.convert(pixels);
      const off = differences(converted, byLittleCms(profile, format, 0x0100, pixels));
      expect(off.reduce((sum, each) => sum + each) / off.length).toBeLessThan(0.25);
      expect(Math.max(...off)).toBeLessThan(20);
      expect([...converted.subarray(4, 7)]).toEqual([255, 255, 255]);
    });
  }
});
