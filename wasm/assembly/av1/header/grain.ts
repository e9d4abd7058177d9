/** film_grain_params of a frame coded by itself (sections 5.9.30 and 6.8.20). */
import { FilmGrain, filmGrainAt, MAX_CHROMA_POINTS, MAX_LUMA_POINTS } from '../grain/params';
import { Decoder } from '../state';
import { BitReader, readBits, readFlag } from './bits';

/** Reads the parameters. @returns false where points are too many or do not ascend */
export function readFilmGrain(d: Decoder, reader: BitReader): bool {
  d.filmGrain = 0;
  if (!d.filmGrainParamsPresent || (!d.shown && !d.showable) || !readFlag(reader)) return true;
  const grain = filmGrainAt(d.filmGrainMemory);
  d.filmGrain = d.filmGrainMemory;
  grain.grainSeed = <i32>readBits(reader, 16);
  grain.numYPoints = readPoints(reader, grain.yPoints, MAX_LUMA_POINTS);
  if (grain.numYPoints < 0) return false;
  grain.chromaScalingFromLuma = !d.monochrome && readFlag(reader);
  const chroma =
    !d.monochrome && !grain.chromaScalingFromLuma && !(d.subX && d.subY && grain.numYPoints === 0);
  if (chroma) {
    grain.numCbPoints = readPoints(reader, grain.cbPoints, MAX_CHROMA_POINTS);
    if (grain.numCbPoints < 0) return false;
    grain.numCrPoints = readPoints(reader, grain.crPoints, MAX_CHROMA_POINTS);
    if (grain.numCrPoints < 0) return false;
    // Section 6.8.20: with 4:2:0 either both have points or none has.
    if (d.subX && d.subY && (grain.numCbPoints === 0) !== (grain.numCrPoints === 0)) return false;
  }
  readFilter(reader, grain);
  grain.arCoeffShiftMinus6 = <i32>readBits(reader, 2);
  grain.grainScaleShift = <i32>readBits(reader, 2);
  if (grain.numCbPoints) {
    grain.cbMult = <i32>readBits(reader, 8);
    grain.cbLumaMult = <i32>readBits(reader, 8);
    grain.cbOffset = <i32>readBits(reader, 9);
  }
  if (grain.numCrPoints) {
    grain.crMult = <i32>readBits(reader, 8);
    grain.crLumaMult = <i32>readBits(reader, 8);
    grain.crOffset = <i32>readBits(reader, 9);
  }
  grain.overlapFlag = readFlag(reader);
  grain.clipToRestrictedRange = readFlag(reader);
  return true;
}

/** @returns how many points there are, −1 where they cannot be */
function readPoints(reader: BitReader, at: usize, limit: i32): i32 {
  const count = <i32>readBits(reader, 4);
  if (count > limit) return -1;
  let last = -1;
  for (let i: usize = 0; i < <usize>count; i++) {
    const value = <i32>readBits(reader, 8);
    if (value <= last) return -1;
    last = value;
    store<u8>(at + (i << 1), <u8>value);
    store<u8>(at + (i << 1), <u8>readBits(reader, 8), 1);
  }
  return count;
}

/** The auto-regressive filter's coefficients. */
function readFilter(reader: BitReader, grain: FilmGrain): void {
  grain.grainScalingMinus8 = <i32>readBits(reader, 2);
  grain.arCoeffLag = <i32>readBits(reader, 2);
  const luma = 2 * grain.arCoeffLag * (grain.arCoeffLag + 1);
  const chroma = luma + (grain.numYPoints ? 1 : 0);
  if (grain.numYPoints) readCoefficients(reader, grain.arCoeffsY, luma);
  if (grain.chromaScalingFromLuma || grain.numCbPoints) readCoefficients(reader, grain.arCoeffsCb, chroma);
  if (grain.chromaScalingFromLuma || grain.numCrPoints) readCoefficients(reader, grain.arCoeffsCr, chroma);
}

function readCoefficients(reader: BitReader, at: usize, count: i32): void {
  for (let i: usize = 0; i < <usize>count; i++) store<u8>(at + i, <u8>readBits(reader, 8));
}
