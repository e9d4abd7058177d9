/**
 * Converts high dynamic range RGB to sRGB: one curve for all channels, then a common factor for the three to
 * keep hues, a 3 × 3 matrix in linear light, a curve. The factor is looked up by the brightest channel in
 * BT.2020.
 */

import { TONE_STEPS } from './constants';
import { coded } from './matrix';

/** The factor of a light of 0 to `peak`, in steps. Anything brighter becomes as bright as white. */
// @inline
function factorOf(light: f32, gains: usize, perLight: f32, peak: f32): f32 {
  const known = load<f32>(gains + ((<usize>(min<f32>(light, peak) * perLight + 0.5)) << 2));
  return light > peak ? known * (peak / light) : known;
}

/**
 * Converts `count` RGBA pixels at `from`, of 8 or 16 bits a sample (native byte order), to 8-bit RGBA at
 * `to`, which may be the same place for 8 bits; alpha keeps its high byte.
 * @param wide samples have 16 bits
 * @param lights f32: linear light of each code, 0 or more
 * @param columns three times eight f32: what one of linear red, green, blue adds to red, green, blue of sRGB
 * in steps of LIGHT_STEPS and nothing; and to red, green, blue and luminance of BT.2020
 * @param gains TONE_STEPS + 1 f32: the factor of light 0 to `peak`
 * @param scene 0, or as many f32: the factor of scene light by the square root of its luminance 0 to 1
 */
export function tonePixels(
  from: usize,
  to: usize,
  count: i32,
  wide: bool,
  lights: usize,
  columns: usize,
  gains: usize,
  peak: f32,
  scene: usize,
  codes: usize,
): void {
  const perLight: f32 = <f32>TONE_STEPS / peak;
  const half = f32x4.splat(0.5);
  const end = to + ((<usize>count) << 2);
  for (; to < end; to += 4) {
    let red: v128;
    let green: v128;
    let blue: v128;
    let alpha: u32;
    if (wide) {
      red = v128.load32_splat(lights + ((<usize>load<u16>(from)) << 2));
      green = v128.load32_splat(lights + ((<usize>load<u16>(from, 2)) << 2));
      blue = v128.load32_splat(lights + ((<usize>load<u16>(from, 4)) << 2));
      alpha = (<u32>load<u8>(from, 7)) << 24;
      from += 8;
    } else {
      red = v128.load32_splat(lights + ((<usize>load<u8>(from)) << 2));
      green = v128.load32_splat(lights + ((<usize>load<u8>(from, 1)) << 2));
      blue = v128.load32_splat(lights + ((<usize>load<u8>(from, 2)) << 2));
      alpha = (<u32>load<u8>(from, 3)) << 24;
      from += 4;
    }
    const bt2020 = f32x4.add(
      f32x4.add(f32x4.mul(red, v128.load(columns, 16)), f32x4.mul(green, v128.load(columns, 48))),
      f32x4.mul(blue, v128.load(columns, 80)),
    );
    const brightest = max<f32>(
      max<f32>(f32x4.extract_lane(bt2020, 0), f32x4.extract_lane(bt2020, 1)),
      max<f32>(f32x4.extract_lane(bt2020, 2), 0),
    );
    let factor: f32 = 1;
    if (scene !== 0) {
      const luminance = min<f32>(1, max<f32>(0, f32x4.extract_lane(bt2020, 3)));
      factor = load<f32>(scene + ((<usize>(sqrt<f32>(luminance) * <f32>TONE_STEPS + 0.5)) << 2));
    }
    factor *= factorOf(brightest * factor, gains, perLight, peak);
    const linear = f32x4.add(
      f32x4.add(f32x4.mul(red, v128.load(columns)), f32x4.mul(green, v128.load(columns, 32))),
      f32x4.mul(blue, v128.load(columns, 64)),
    );
    const steps = i32x4.trunc_sat_f32x4_s(f32x4.add(f32x4.mul(linear, f32x4.splat(factor)), half));
    store<u32>(to, coded(steps, codes, alpha));
  }
}
