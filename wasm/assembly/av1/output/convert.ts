/** Rows of Y, U, V to RGBA of 8 or 16 bits by a matrix that also widens ranges; and alpha. */

/** Four of eight samples as numbers. */
// @inline
function low(samples: v128): v128 {
  return f32x4.convert_i32x4_u(i32x4.extend_low_i16x8_u(samples));
}
// @inline
function high(samples: v128): v128 {
  return f32x4.convert_i32x4_u(i32x4.extend_high_i16x8_u(samples));
}

/** One channel of four pixels as i32, rounded by the half in the matrix. */
// @inline
function channel(y: v128, u: v128, v: v128, matrix: usize): v128 {
  return i32x4.trunc_sat_f32x4_s(
    f32x4.add(
      f32x4.add(f32x4.mul(y, v128.load32_splat(matrix)), v128.load32_splat(matrix, 12)),
      f32x4.add(f32x4.mul(u, v128.load32_splat(matrix, 4)), f32x4.mul(v, v128.load32_splat(matrix, 8))),
    ),
  );
}

/** The same of a picture without chroma. */
// @inline
function greyOf(y: v128, matrix: usize): v128 {
  return i32x4.trunc_sat_f32x4_s(
    f32x4.add(f32x4.mul(y, v128.load32_splat(matrix)), v128.load32_splat(matrix, 12)),
  );
}

/** Eight pixels of RGBA from 16-bit lanes that are 0 to 255, or beyond and are cut off. */
// @inline
function storePixels(out: usize, red: v128, green: v128, blue: v128, alpha: v128): void {
  const redBlue = i8x16.narrow_i16x8_u(red, blue);
  const greenAlpha = i8x16.narrow_i16x8_u(green, alpha);
  v128.store(
    out,
    v128.shuffle<i8>(redBlue, greenAlpha, 0, 16, 8, 24, 1, 17, 9, 25, 2, 18, 10, 26, 3, 19, 11, 27),
  );
  v128.store(
    out,
    v128.shuffle<i8>(redBlue, greenAlpha, 4, 20, 12, 28, 5, 21, 13, 29, 6, 22, 14, 30, 7, 23, 15, 31),
    16,
  );
}

/** Eight pixels of 16-bit RGBA. */
// @inline
function storePixels16(out: usize, red: v128, green: v128, blue: v128, alpha: v128): void {
  const redGreenLow = v128.shuffle<i16>(red, green, 0, 8, 1, 9, 2, 10, 3, 11);
  const redGreenHigh = v128.shuffle<i16>(red, green, 4, 12, 5, 13, 6, 14, 7, 15);
  const blueAlphaLow = v128.shuffle<i16>(blue, alpha, 0, 8, 1, 9, 2, 10, 3, 11);
  const blueAlphaHigh = v128.shuffle<i16>(blue, alpha, 4, 12, 5, 13, 6, 14, 7, 15);
  v128.store(out, v128.shuffle<i32>(redGreenLow, blueAlphaLow, 0, 4, 1, 5));
  v128.store(out, v128.shuffle<i32>(redGreenLow, blueAlphaLow, 2, 6, 3, 7), 16);
  v128.store(out, v128.shuffle<i32>(redGreenHigh, blueAlphaHigh, 0, 4, 1, 5), 32);
  v128.store(out, v128.shuffle<i32>(redGreenHigh, blueAlphaHigh, 2, 6, 3, 7), 48);
}

/**
 * `width` opaque pixels. Reads up to 16 bytes and writes up to 64 bytes beyond the rows.
 * @param u, v of luma's width; both 0 for grey pictures
 * @param matrix MATRIX_VALUES f32: for red, green, blue the factors of Y, U, V and the sum's constant with
 * the half that rounds; of a grey picture the first row counts
 * @param wide 16 bits a sample in place of 8
 */
export function av1ConvertRow(
  y: usize,
  u: usize,
  v: usize,
  out: usize,
  width: i32,
  matrix: usize,
  wide: bool,
): void {
  const step: usize = wide ? 64 : 32;
  const full = wide ? i16x8.splat(-1) : i16x8.splat(255);
  for (let x = 0; x < width; x += 8, y += 16, out += step) {
    const luma = v128.load(y);
    const lumaLow = low(luma);
    const lumaHigh = high(luma);
    let redLow: v128;
    let redHigh: v128;
    let greenLow: v128;
    let greenHigh: v128;
    let blueLow: v128;
    let blueHigh: v128;
    if (u === 0) {
      redLow = greyOf(lumaLow, matrix);
      redHigh = greyOf(lumaHigh, matrix);
      greenLow = redLow;
      greenHigh = redHigh;
      blueLow = redLow;
      blueHigh = redHigh;
    } else {
      const firsts = v128.load(u);
      const seconds = v128.load(v);
      const uLow = low(firsts);
      const uHigh = high(firsts);
      const vLow = low(seconds);
      const vHigh = high(seconds);
      redLow = channel(lumaLow, uLow, vLow, matrix);
      redHigh = channel(lumaHigh, uHigh, vHigh, matrix);
      greenLow = channel(lumaLow, uLow, vLow, matrix + 16);
      greenHigh = channel(lumaHigh, uHigh, vHigh, matrix + 16);
      blueLow = channel(lumaLow, uLow, vLow, matrix + 32);
      blueHigh = channel(lumaHigh, uHigh, vHigh, matrix + 32);
      u += 16;
      v += 16;
    }
    if (wide) {
      storePixels16(
        out,
        i16x8.narrow_i32x4_u(redLow, redHigh),
        i16x8.narrow_i32x4_u(greenLow, greenHigh),
        i16x8.narrow_i32x4_u(blueLow, blueHigh),
        full,
      );
    } else {
      storePixels(
        out,
        i16x8.narrow_i32x4_s(redLow, redHigh),
        i16x8.narrow_i32x4_s(greenLow, greenHigh),
        i16x8.narrow_i32x4_s(blueLow, blueHigh),
        full,
      );
    }
  }
}

/**
 * Gives `width` pixels their alpha.
 * @param alpha its samples, 16 bits each, below 4096
 * @param table u16 of each sample: alpha of 0 to 255, or to 65535 where `wide`
 * @param premultiplied red, green and blue are divided by alpha, rounded and cut off, as libavif does
 */
export function av1AlphaRow(
  alpha: usize,
  table: usize,
  out: usize,
  width: i32,
  wide: bool,
  premultiplied: bool,
): void {
  const most: f32 = wide ? 65535 : 255;
  for (let x = 0; x < width; x++, alpha += 2) {
    const value = load<u16>(table + ((<usize>load<u16>(alpha)) << 1));
    if (wide) {
      store<u16>(out, value, 6);
      if (premultiplied) {
        store<u16>(out, divided(load<u16>(out), value, most));
        store<u16>(out, divided(load<u16>(out, 2), value, most), 2);
        store<u16>(out, divided(load<u16>(out, 4), value, most), 4);
      }
      out += 8;
    } else {
      store<u8>(out, <u8>value, 3);
      if (premultiplied) {
        store<u8>(out, <u8>divided(load<u8>(out), value, most));
        store<u8>(out, <u8>divided(load<u8>(out, 1), value, most), 1);
        store<u8>(out, <u8>divided(load<u8>(out, 2), value, most), 2);
      }
      out += 4;
    }
  }
}

// @inline
function divided(sample: u16, alpha: u16, most: f32): u16 {
  return alpha === 0 ? 0 : <u16>min<f32>(most, (<f32>sample * most) / <f32>alpha + 0.5);
}
