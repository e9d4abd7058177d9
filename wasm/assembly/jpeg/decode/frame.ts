/** The frame header (T.81 B.2.2) and the geometry that follows from it. */
import { bigEndian16 } from './big_endian';
import { MAX_COMPONENTS } from './constants';
import * as JpegFault from './faults';
import { Component, componentAt, Decoder, fail, Upsampling } from './state';

export function ceilDivide(value: i32, divisor: i32): i32 {
  return (value + divisor - 1) / divisor;
}

/**
 * NONE for the frames this decoder reads (SOF0 baseline, SOF1 extended sequential, SOF2 progressive, all
 * Huffman-coded), else the fault.
 */
export function frameKindFault(marker: i32): i32 {
  if (marker <= 0xc2) return JpegFault.NONE;
  if (marker === 0xc3) return JpegFault.LOSSLESS;
  if (marker < 0xc8) return JpegFault.HIERARCHICAL;
  return JpegFault.ARITHMETIC;
}

/** Reads SOFn. @param at the first byte after the length @param end the segment's end */
export function readFrame(decoder: Decoder, marker: i32, at: usize, end: usize): bool {
  const kindFault = frameKindFault(marker);
  if (kindFault !== JpegFault.NONE) return fail(decoder, kindFault, marker);
  if (decoder.componentCount !== 0 || end - at < 6) return fail(decoder, JpegFault.BAD_FRAME);
  const precision = <i32>load<u8>(at);
  decoder.frameMarker = marker;
  decoder.height = bigEndian16(at + 1);
  decoder.width = bigEndian16(at + 3);
  const count = <i32>load<u8>(at + 5);
  if (precision !== 8)
    return fail(decoder, precision === 12 ? JpegFault.PRECISION : JpegFault.BAD_FRAME, precision);
  if (decoder.width === 0 || end - at !== 6 + 3 * count) return fail(decoder, JpegFault.BAD_FRAME);
  if (count !== 1 && count !== 3 && count !== MAX_COMPONENTS)
    return fail(decoder, JpegFault.COMPONENT_COUNT, count);
  decoder.componentCount = count;
  at += 6;
  for (let i = 0; i < count; i++) {
    const component = componentAt(decoder, i);
    component.id = load<u8>(at);
    const factors = <i32>load<u8>(at + 1);
    setSampling(component, count, factors);
    component.quantSelector = load<u8>(at + 2);
    if (
      factors >> 4 < 1 ||
      factors >> 4 > 4 ||
      (factors & 15) < 1 ||
      (factors & 15) > 4 ||
      component.quantSelector > 3
    ) {
      return fail(decoder, JpegFault.BAD_FRAME);
    }
    at += 3;
  }
  return true;
}

/**
 * @param factors horizontal × 16 + vertical, 1 to 4 each. A lone component is coded block by block whatever
 * they say (T.81 A.2.2).
 */
export function setSampling(component: Component, count: i32, factors: i32): void {
  component.h = count === 1 ? 1 : factors >> 4;
  component.v = count === 1 ? 1 : factors & 15;
}

/**
 * Computes the MCU counts and each component's size in blocks. The height must be known by now; DNL may have
 * given it.
 */
export function layOutFrame(decoder: Decoder): void {
  let hMax: i32 = 1;
  let vMax: i32 = 1;
  for (let i = 0; i < decoder.componentCount; i++) {
    hMax = max(hMax, componentAt(decoder, i).h);
    vMax = max(vMax, componentAt(decoder, i).v);
  }
  decoder.hMax = hMax;
  decoder.vMax = vMax;
  decoder.mcusWide = ceilDivide(decoder.width, 8 * hMax);
  decoder.mcusHigh = ceilDivide(decoder.height, 8 * vMax);
  for (let i = 0; i < decoder.componentCount; i++) {
    const component = componentAt(decoder, i);
    component.blocksWide = ceilDivide(decoder.width * component.h, 8 * hMax);
    component.blocksHigh = ceilDivide(decoder.height * component.v, 8 * vMax);
  }
}

/** Zigzag place of the last of the first size × size coefficients (T.81 Figure A.6). */
function lastOf(size: i32): i32 {
  if (size <= 4) return 2 * size * (size - 1);
  return 63 - 2 * (9 - size) * (8 - size);
}

/**
 * Like `lastOf`, but without frequencies that are high both across and down: resizing to two thirds or less
 * removes those anyway (docs/benchmarks.md has the quality).
 */
function lastForResizing(size: i32): i32 {
  return size === 5 ? 25 : size === 3 ? 8 : lastOf(size);
}

/**
 * Sets all sizes for a scale. A subsampled component is shrunk less, or not at all, where that saves
 * upsampling it (libjpeg-turbo jdmaster.c, jpeg_calc_output_dimensions).
 * @param minSize samples along a block's side of an unsubsampled component: 8, 4, 2 or 1; with `keepsLow`
 * also 5 and 3
 * @param keepsLow see Decoder
 * @param componentsOnly no pixels are made: each component is resized on its own
 */
export function scaleFrame(decoder: Decoder, minSize: i32, keepsLow: bool, componentsOnly: bool): void {
  const columns = decoder.hMax * minSize;
  const rows = decoder.vMax * minSize;
  decoder.keepsLow = keepsLow;
  decoder.mcuColumns = columns;
  decoder.mcuRows = rows;
  decoder.outputWidth = ceilDivide(decoder.width * minSize, 8);
  decoder.outputHeight = ceilDivide(decoder.height * minSize, 8);
  decoder.context = false;
  for (let i = 0; i < decoder.componentCount; i++) {
    const component = componentAt(decoder, i);
    let size = minSize;
    while (size <= 4 && columns % (component.h * size * 2) === 0 && rows % (component.v * size * 2) === 0) {
      size *= 2;
    }
    component.size = size;
    component.lastPlace =
      size === 1 || keepsLow ? (componentsOnly ? lastForResizing(size) : lastOf(size)) : 63;
    component.width = ceilDivide(decoder.width * component.h * size, 8 * decoder.hMax);
    component.height = ceilDivide(decoder.height * component.v * size, 8 * decoder.vMax);
    component.upsampling = upsamplingOf(component, columns, rows, minSize > 1);
    if (component.upsampling === Upsampling.FancyH1V2 || component.upsampling === Upsampling.FancyH2V2) {
      decoder.context = true;
    }
  }
}

/**
 * Chooses as libjpeg-turbo does (jdsample.c, jinit_upsampler): triangle filters for factors of two, except
 * when shrinking to 1/8.
 */
function upsamplingOf(component: Component, columns: i32, rows: i32, fancy: bool): i32 {
  const across = component.h * component.size;
  const down = component.v * component.size;
  if (across === columns && down === rows) return Upsampling.None;
  if (!fancy) return Upsampling.Box;
  if (across === columns && down * 2 === rows) return Upsampling.FancyH1V2;
  if (across * 2 === columns && component.width > 2) {
    if (down === rows) return Upsampling.FancyH2V1;
    if (down * 2 === rows) return Upsampling.FancyH2V2;
  }
  return Upsampling.Box;
}
