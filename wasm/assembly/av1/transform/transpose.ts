/** Square blocks of lanes turned about their diagonal. */

/** Writes the columns of four rows of i32 to `to`, each `spacing` bytes after the last. */
// @inline
export function storeColumns4(to: usize, spacing: usize, a: v128, b: v128, c: v128, d: v128): void {
  const ab01 = v128.shuffle<i32>(a, b, 0, 4, 1, 5);
  const ab23 = v128.shuffle<i32>(a, b, 2, 6, 3, 7);
  const cd01 = v128.shuffle<i32>(c, d, 0, 4, 1, 5);
  const cd23 = v128.shuffle<i32>(c, d, 2, 6, 3, 7);
  storeHalves(to, spacing, ab01, cd01);
  storeHalves(to + spacing * 2, spacing, ab23, cd23);
}

/** The same of eight rows of i16. */
// @inline
export function storeColumns8(
  to: usize,
  spacing: usize,
  a: v128,
  b: v128,
  c: v128,
  d: v128,
  e: v128,
  f: v128,
  g: v128,
  h: v128,
): void {
  const ab0 = v128.shuffle<i16>(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
  const ab4 = v128.shuffle<i16>(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
  const cd0 = v128.shuffle<i16>(c, d, 0, 8, 1, 9, 2, 10, 3, 11);
  const cd4 = v128.shuffle<i16>(c, d, 4, 12, 5, 13, 6, 14, 7, 15);
  const ef0 = v128.shuffle<i16>(e, f, 0, 8, 1, 9, 2, 10, 3, 11);
  const ef4 = v128.shuffle<i16>(e, f, 4, 12, 5, 13, 6, 14, 7, 15);
  const gh0 = v128.shuffle<i16>(g, h, 0, 8, 1, 9, 2, 10, 3, 11);
  const gh4 = v128.shuffle<i16>(g, h, 4, 12, 5, 13, 6, 14, 7, 15);
  storeQuarters(to, spacing, ab0, cd0, ef0, gh0);
  storeQuarters(to + spacing * 4, spacing, ab4, cd4, ef4, gh4);
}

/** Four columns of eight i16, whose pairs lie in the lanes of four vectors. */
// @inline
function storeQuarters(to: usize, spacing: usize, ab: v128, cd: v128, ef: v128, gh: v128): void {
  storeHalves(to, spacing, v128.shuffle<i32>(ab, cd, 0, 4, 1, 5), v128.shuffle<i32>(ef, gh, 0, 4, 1, 5));
  storeHalves(
    to + spacing * 2,
    spacing,
    v128.shuffle<i32>(ab, cd, 2, 6, 3, 7),
    v128.shuffle<i32>(ef, gh, 2, 6, 3, 7),
  );
}

/** Two columns, whose upper and lower halves lie in the lanes of two vectors. */
// @inline
function storeHalves(to: usize, spacing: usize, upper: v128, lower: v128): void {
  v128.store(to, v128.shuffle<i64>(upper, lower, 0, 2));
  v128.store(to + spacing, v128.shuffle<i64>(upper, lower, 1, 3));
}
