/**
 * Scaling tables: how strong grain is for each value of a sample (AV1 specification, sections 7.18.3.4 and
 * 7.18.3.5, scale_lut).
 */

import { Frame } from '../frame';
import { FilmGrain, MAX_CHROMA_POINTS, MAX_LUMA_POINTS } from './params';
import { GrainState, tableOf } from './state';
import { round } from './template';

/** ScalingLut of the plane whose table is made. */
const VALUES = 256;
const lut: usize = memory.data(256);

/** Makes the tables of all planes. */
export function makeTables(frame: Frame, state: GrainState): void {
  const params: FilmGrain = state.params;
  for (let index = 0; index < frame.planeCount; index++) {
    let points = params.yPoints;
    let count = min(params.numYPoints, MAX_LUMA_POINTS);
    if (index > 0 && !params.chromaScalingFromLuma) {
      points = index === 1 ? params.cbPoints : params.crPoints;
      count = min(index === 1 ? params.numCbPoints : params.numCrPoints, MAX_CHROMA_POINTS);
    }
    interpolate(points, count);
    spread(tableOf(state, index), state.bitDepth);
  }
}

/**
 * Interpolates between points. If they do not ascend, which the specification forbids, gaps stay as they
 * were.
 */
function interpolate(points: usize, count: i32): void {
  memory.fill(lut, 0, VALUES);
  if (count === 0) return;
  memory.fill(lut, load<u8>(points, 1), load<u8>(points));
  for (let i = 0; i < count - 1; i++) {
    const x: i32 = load<u8>(points);
    const y: i32 = load<u8>(points, 1);
    const deltaX = <i32>load<u8>(points, 2) - x;
    const deltaY = <i32>load<u8>(points, 3) - y;
    if (deltaX > 0) {
      const delta = deltaY * ((65536 + (deltaX >> 1)) / deltaX);
      for (let step = 0; step < deltaX; step++) {
        store<u8>(lut + <usize>(x + step), <u8>(y + ((step * delta + 32768) >> 16)));
      }
    }
    points += 2;
  }
  const last = <usize>load<u8>(points);
  memory.fill(lut + last, load<u8>(points, 1), VALUES - last);
}

/** Makes one entry per value of a sample, by linear interpolation of the table. */
function spread(to: usize, bitDepth: i32): void {
  const shift = bitDepth - 8;
  for (let x = 0; x < VALUES; x++) {
    const start: i32 = load<u8>(lut + <usize>x);
    const end: i32 = x === VALUES - 1 ? start : load<u8>(lut + <usize>(x + 1));
    for (let rest = 0; rest < 1 << shift; rest++) {
      store<u8>(to++, <u8>(start + round((end - start) * rest, shift)));
    }
  }
}
