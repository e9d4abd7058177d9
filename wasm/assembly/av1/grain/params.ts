/**
 * Film grain parameters as a frame header has them (AV1 specification, sections 5.9.30 and 6.8.20), names in
 * camel case. The header's reader fills them and has checked that points do not exceed their maximum.
 */

/** Most points of a scaling function (section 6.8.20). */
export const MAX_LUMA_POINTS = 14;
export const MAX_CHROMA_POINTS = 10;
/** Coefficients of the largest auto-regressive filter: ar_coeff_lag 3, of chroma one more for luma. */
export const MAX_LUMA_COEFFICIENTS = 24;
export const MAX_CHROMA_COEFFICIENTS = 25;

@unmanaged
export class FilmGrain {
  /** 16 bits. */
  grainSeed: i32;
  numYPoints: i32;
  chromaScalingFromLuma: bool;
  numCbPoints: i32;
  numCrPoints: i32;
  /** 0 to 3 each, as they are coded. */
  grainScalingMinus8: i32;
  arCoeffLag: i32;
  arCoeffShiftMinus6: i32;
  grainScaleShift: i32;
  /** As they are coded: 8 bits, 8 bits, 9 bits. */
  cbMult: i32;
  cbLumaMult: i32;
  cbOffset: i32;
  crMult: i32;
  crLumaMult: i32;
  crOffset: i32;
  overlapFlag: bool;
  clipToRestrictedRange: bool;
  /** For each point two u8: its value, then its scaling. Addresses that `filmGrainAt` sets. */
  yPoints: usize;
  cbPoints: usize;
  crPoints: usize;
  /** ar_coeffs_*_plus_128 as u8. */
  arCoeffsY: usize;
  arCoeffsCb: usize;
  arCoeffsCr: usize;
}

/** Bytes of a FilmGrain with its points and coefficients. */
export function filmGrainBytes(): usize {
  return (
    offsetof<FilmGrain>() +
    2 * (MAX_LUMA_POINTS + 2 * MAX_CHROMA_POINTS) +
    MAX_LUMA_COEFFICIENTS +
    2 * MAX_CHROMA_COEFFICIENTS
  );
}

/** @param at filmGrainBytes of memory, which are set to zero */
export function filmGrainAt(at: usize): FilmGrain {
  memory.fill(at, 0, filmGrainBytes());
  const grain = changetype<FilmGrain>(at);
  grain.yPoints = at + offsetof<FilmGrain>();
  grain.cbPoints = grain.yPoints + 2 * MAX_LUMA_POINTS;
  grain.crPoints = grain.cbPoints + 2 * MAX_CHROMA_POINTS;
  grain.arCoeffsY = grain.crPoints + 2 * MAX_CHROMA_POINTS;
  grain.arCoeffsCb = grain.arCoeffsY + MAX_LUMA_COEFFICIENTS;
  grain.arCoeffsCr = grain.arCoeffsCb + MAX_CHROMA_COEFFICIENTS;
  return grain;
}
