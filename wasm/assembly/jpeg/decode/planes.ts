/**
 * One MCU row of samples per component, and the pixel rows made from them. At most STRIP_ROWS are made at a
 * time, so that a strip's size does not depend on the sampling factors and stays in the processor's cache.
 */

import { alloc, allocated } from '../../memory';
import { colourRow } from './colour';
import { Component, componentAt, Decoder, TO_KEPT, Upsampling } from './state';
import { blendRows, doubleBoth, doubleColumns, replicate } from './upsample';

/** Free bytes before and after each row, for SIMD reads and writes past the ends. */
const MARGIN: i32 = 32;

/** Pixel rows of a strip. */
const STRIP_ROWS: i32 = 8;

/** Rows that filters read beyond the MCU row: one above (the last of the previous MCU row) and one below. */
// @inline
function rowsAround(decoder: Decoder): i32 {
  return decoder.context ? 1 : 0;
}

// @inline
function planeStride(decoder: Decoder, component: Component): i32 {
  return ((decoder.mcusWide * component.h * component.size + 15) & ~15) + 2 * MARGIN;
}

// @inline
function planeBytes(decoder: Decoder, component: Component): usize {
  return planeStride(decoder, component) * (component.v * component.size + 2 * rowsAround(decoder));
}

/** A full-size row of an upsampled component. */
// @inline
function rowBytes(decoder: Decoder): usize {
  return decoder.mcusWide * decoder.mcuColumns + 2 * MARGIN;
}

// @inline
function sumsBytes(decoder: Decoder): usize {
  return ((decoder.mcusWide * decoder.mcuColumns) << 1) + 4 * MARGIN;
}

// @inline
function stripBytes(decoder: Decoder): usize {
  return <usize>decoder.outputWidth * STRIP_ROWS * 4 + 64;
}

/** What `allocatePlanes` reserves. */
export function allPlaneBytes(decoder: Decoder): usize {
  let total = allocated(stripBytes(decoder));
  if (decoder.context) total += allocated(sumsBytes(decoder));
  for (let i = 0; i < decoder.componentCount; i++) {
    const component = componentAt(decoder, i);
    total += allocated(planeBytes(decoder, component));
    if (component.upsampling !== Upsampling.None) total += allocated(rowBytes(decoder));
  }
  return total;
}

/**
 * Reserves the planes, full-size rows and one strip, for the image's whole width.
 * @returns false without memory
 */
export function allocatePlanes(decoder: Decoder): bool {
  for (let i = 0; i < decoder.componentCount; i++) {
    const component = componentAt(decoder, i);
    const plane = alloc(planeBytes(decoder, component));
    if (!plane) return false;
    component.planeStride = planeStride(decoder, component);
    component.plane = plane + rowsAround(decoder) * component.planeStride + MARGIN;
    component.row = 0;
    if (component.upsampling !== Upsampling.None) {
      component.row = alloc(rowBytes(decoder));
      if (!component.row) return false;
    }
  }
  if (decoder.context) {
    const sums = alloc(sumsBytes(decoder));
    if (!sums) return false;
    decoder.sums = sums + MARGIN;
  }
  decoder.strip = alloc(stripBytes(decoder));
  return decoder.strip !== 0;
}

/** Computes how much of each plane lies inside the image, for the band of columns being read. */
export function startPlanes(decoder: Decoder): void {
  for (let i = 0; i < decoder.componentCount; i++) {
    const component = componentAt(decoder, i);
    const perMcu = component.h * component.size;
    const first = decoder.firstMcu * perMcu;
    component.planeWidth = min(component.width - first, (decoder.endMcu - decoder.firstMcu) * perMcu);
  }
}

/** Before an MCU row is decoded: the last row of samples becomes the row above. */
export function carryRows(decoder: Decoder): void {
  if (!decoder.context) return;
  for (let i = 0; i < decoder.componentCount; i++) {
    const component = componentAt(decoder, i);
    const stride = <usize>component.planeStride;
    const rows = <usize>(component.v * component.size);
    memory.copy(component.plane - stride, component.plane + (rows - 1) * stride, component.planeWidth);
  }
}

/** After an MCU row is decoded: copies the image's first row above it, and its last row below it. */
export function padRows(decoder: Decoder): void {
  if (!decoder.context) return;
  const isLast = decoder.mcuRow === decoder.mcusHigh - 1;
  for (let i = 0; i < decoder.componentCount; i++) {
    const component = componentAt(decoder, i);
    const stride = component.planeStride;
    const plane = component.plane;
    if (decoder.mcuRow === 0) memory.copy(plane - stride, plane, component.planeWidth);
    if (isLast) {
      const rows = component.height - decoder.mcuRow * component.v * component.size;
      memory.copy(plane + rows * stride, plane + (rows - 1) * stride, component.planeWidth);
    }
  }
}

/**
 * Pixel row `y` of this MCU row at full size; −1 is the row held back from the previous one.
 * @returns its address, at the band's first MCU
 */
function fullRow(decoder: Decoder, component: Component, y: i32): usize {
  const own: i32 = y < 0 ? -1 : (y * component.v * component.size) / decoder.mcuRows;
  const stride = component.planeStride;
  const near = component.plane + own * stride;
  const upper = (y & 1) === 0;
  const far = upper ? near - stride : near + stride;
  const width = component.planeWidth;
  const to = component.row;
  switch (component.upsampling) {
    case Upsampling.None:
      return near;
    case Upsampling.FancyH2V1:
      doubleColumns(to, near, width);
      break;
    case Upsampling.FancyH1V2:
      blendRows(to, near, far, width, upper);
      break;
    case Upsampling.FancyH2V2:
      doubleBoth(to, near, far, width, decoder.sums);
      break;
    default: {
      const pixels = decoder.bandX + decoder.bandWidth - decoder.firstMcu * decoder.mcuColumns;
      replicate(to, near, pixels, component.h * component.size, decoder.mcuColumns);
      break;
    }
  }
  return to;
}

/**
 * After an MCU row is decoded: sets which of its pixel rows can be made (−1: the row held back before it).
 */
export function readyRows(decoder: Decoder): void {
  const held: i32 = decoder.context ? 1 : 0;
  decoder.readyFrom = decoder.mcuRow === 0 ? 0 : -held;
  decoder.readyTo =
    decoder.mcuRow === decoder.mcusHigh - 1
      ? decoder.outputHeight - decoder.mcuRow * decoder.mcuRows
      : decoder.mcuRows - held;
}

/** Makes the next ready pixel rows in `strip`; the first is row `stripY` of the image. @returns how many */
export function emitRows(decoder: Decoder): i32 {
  const from = decoder.readyFrom;
  const to = min(decoder.readyTo, from + STRIP_ROWS);
  const offset = decoder.bandX - decoder.firstMcu * decoder.mcuColumns;
  const count = decoder.componentCount;
  const component0 = componentAt(decoder, 0);
  const component1 = componentAt(decoder, 1);
  const component2 = componentAt(decoder, 2);
  const component3 = componentAt(decoder, 3);
  let pixels = decoder.strip;
  for (let y = from; y < to; y++) {
    const row0 = fullRow(decoder, component0, y) + offset;
    const row1 = count > 1 ? fullRow(decoder, component1, y) + offset : 0;
    const row2 = count > 2 ? fullRow(decoder, component2, y) + offset : 0;
    const row3 = count > 3 ? fullRow(decoder, component3, y) + offset : 0;
    colourRow(
      decoder.keepsCmyk ? decoder.colour + TO_KEPT : decoder.colour,
      pixels,
      decoder.bandWidth,
      row0,
      row1,
      row2,
      row3,
    );
    pixels += (<usize>decoder.bandWidth) << 2;
  }
  decoder.stripY = decoder.mcuRow * decoder.mcuRows + from;
  decoder.readyFrom = to;
  return to - from;
}
