/**
 * Frames in several scans, in bounded memory. Every scan has its own position in the file and its own state.
 * For each MCU row, all scans run in order on one band of coefficients, which is then transformed. So each
 * scan is decoded exactly once.
 */

import { alloc } from '../../memory';
import { noteCheckpoint, seekCheckpoint } from './checkpoints';
import { ceilDivide } from './frame';
import { decodeAcFirst, decodeAcRefinement, decodeDcFirst, decodeDcRefinement } from './progressive';
import { decodeBlock, NO_BLOCK } from './sequential';
import { finishScanRow, restartIfDue } from './single_scan';
import {
  acTable,
  Component,
  componentAt,
  Decoder,
  dcTable,
  fail,
  predictionAt,
  Scan,
  scanComponent,
} from './state';
import { clearBlock, transformBlock } from './transform';

const COEFFICIENT_BYTES: usize = 128;

/** Blocks of one MCU row of a component. */
// @inline
function bandBlocks(decoder: Decoder, component: Component): usize {
  return <usize>(decoder.mcusWide * component.h * component.v);
}

/** Bytes of one MCU row of a component's coefficients and their masks. */
export function coefficientBytes(decoder: Decoder, component: Component): usize {
  return bandBlocks(decoder, component) * (COEFFICIENT_BYTES + sizeof<u64>());
}

/**
 * Reserves one MCU row of coefficients, and one mask of the non-zero ones per block.
 * @returns false without memory
 */
export function reserveCoefficients(decoder: Decoder): bool {
  for (let i = 0; i < decoder.componentCount; i++) {
    const component = componentAt(decoder, i);
    component.bandStride = decoder.mcusWide * component.h;
    component.band = alloc(coefficientBytes(decoder, component));
    if (!component.band) return false;
    component.masks = component.band + bandBlocks(decoder, component) * COEFFICIENT_BYTES;
  }
  return true;
}

/** Clears the band before the first MCU row. Each later row leaves it cleared. */
export function clearCoefficients(decoder: Decoder): void {
  for (let i = 0; i < decoder.componentCount; i++) {
    const component = componentAt(decoder, i);
    memory.fill(component.band, 0, coefficientBytes(decoder, component));
  }
}

/**
 * Decodes one MCU row of all scans, or continues where the previous call stopped.
 * @returns false on a fault
 */
export function decodeManyScansRow(decoder: Decoder): bool {
  let scan = decoder.nextScan;
  while (scan) {
    if (decoder.blocksLeft <= 0) return true;
    if (!isIdle(decoder, scan)) {
      if (!(scan.componentCount > 1 ? decodeInterleaved(decoder, scan) : decodeLone(decoder, scan)))
        return false;
      if (decoder.nextPlace > 0) return true;
      if (!finishScanRow(decoder, scan)) return false;
    }
    scan = scan.next;
    decoder.nextScan = scan;
  }
  for (let i = 0; i < decoder.componentCount; i++) transformBand(decoder, componentAt(decoder, i));
  return true;
}

/**
 * Whether the scan need not be read. At one sample per block only DC counts, so AC scans are skipped. At
 * larger sizes every AC scan must be read, because refinements depend on all scans before them.
 */
function isIdle(decoder: Decoder, scan: Scan): bool {
  return scan.spectralStart > 0 && componentAt(decoder, scan.component0).size === 1;
}

/**
 * A scan of several components: whole MCUs, including padding blocks (T.81 A.2.3). If it stops midway,
 * `nextPlace` is the next MCU, else 0.
 */
function decodeInterleaved(decoder: Decoder, scan: Scan): bool {
  const end = decoder.recorded ? decoder.endMcu : decoder.mcusWide;
  const starts = decoder.nextPlace === 0;
  const begin = starts ? (decoder.recorded ? seekCheckpoint(decoder, scan, 0) : 0) : decoder.nextPlace;
  const step = decoder.checkpointStep;
  let nextCheckpoint: i32 = decoder.recording ? ceilDivide(begin, step) * step : i32.MAX_VALUE;
  for (let mcu = begin; mcu < end; mcu++) {
    if (decoder.blocksLeft <= 0) {
      decoder.nextPlace = mcu;
      return true;
    }
    if (mcu === nextCheckpoint) {
      noteCheckpoint(decoder, scan, 0, mcu / decoder.checkpointStep);
      nextCheckpoint += decoder.checkpointStep;
    }
    if (!restartIfDue(decoder, scan)) return false;
    for (let place = 0; place < scan.componentCount; place++) {
      const component = componentAt(decoder, scanComponent(scan, place));
      decoder.blocksLeft -= component.h * component.v;
      for (let y = 0; y < component.v; y++) {
        const first = y * component.bandStride + mcu * component.h;
        for (let x = 0; x < component.h; x++) {
          if (!decodeInto(decoder, scan, place, component, first + x)) return false;
        }
      }
    }
  }
  decoder.nextPlace = 0;
  return true;
}

/**
 * A scan of one component: only blocks that hold image samples, no padding (T.81 A.2.2). If it stops midway,
 * which it does only between lines, `nextPlace` is the next line, else 0.
 */
function decodeLone(decoder: Decoder, scan: Scan): bool {
  const component = componentAt(decoder, scan.component0);
  const rows = min(component.v, component.blocksHigh - decoder.mcuRow * component.v);
  const skipsRuns =
    decoder.frameMarker === 0xc2 && scan.spectralStart > 0 && scan.high === 0 && scan.restartInterval === 0;
  const noteStep = decoder.checkpointStep * component.h;
  const end = decoder.recorded
    ? min(component.blocksWide, decoder.endMcu * component.h)
    : component.blocksWide;
  for (let y = decoder.nextPlace; y < rows; y++) {
    if (decoder.blocksLeft <= 0 && y > 0) {
      decoder.nextPlace = y;
      return true;
    }
    decoder.blocksLeft -= component.blocksWide;
    const first = y * component.bandStride;
    let x: i32 = decoder.recorded ? seekCheckpoint(decoder, scan, y) * component.h : 0;
    let nextCheckpoint: i32 = decoder.recording ? 0 : i32.MAX_VALUE;
    while (x < end) {
      if (x === nextCheckpoint) {
        noteCheckpoint(decoder, scan, y, x / noteStep);
        nextCheckpoint += noteStep;
      }
      if (skipsRuns && scan.eobRun > 0) {
        const skipped = min(scan.eobRun, min(end, nextCheckpoint) - x);
        scan.eobRun -= skipped;
        x += skipped;
        continue;
      }
      if (!restartIfDue(decoder, scan)) return false;
      if (!decodeInto(decoder, scan, 0, component, first + x)) return false;
      x++;
    }
  }
  decoder.nextPlace = 0;
  return true;
}

/** One block of one scan. @param index the block's index in the component's band */
// @inline
function decodeInto(decoder: Decoder, scan: Scan, place: i32, component: Component, index: i32): bool {
  const reader = scan.reader;
  const block = component.band + <usize>index * COEFFICIENT_BYTES;
  const mask = component.masks + <usize>index * sizeof<u64>();
  let decoded: bool;
  if (decoder.frameMarker !== 0xc2) {
    decoded = decodeWhole(decoder, scan, place, block, mask);
  } else if (scan.spectralStart === 0) {
    decoded =
      scan.high === 0
        ? decodeDcFirst(reader, block, dcTable(scan, place), predictionAt(scan, place), scan.low)
        : decodeDcRefinement(reader, block, scan.low);
  } else {
    decoded = scan.high === 0 ? decodeAcFirst(scan, block, mask) : decodeAcRefinement(scan, block, mask);
  }
  return decoded || fail(decoder, reader.fault);
}

/**
 * A sequential block. It is decoded outside the band, because decoding may write to a dummy slot behind the
 * block.
 */
function decodeWhole(decoder: Decoder, scan: Scan, place: i32, to: usize, mask: usize): bool {
  const block = decoder.block;
  const count = decodeBlock(
    scan.reader,
    block,
    dcTable(scan, place),
    acTable(scan, place),
    predictionAt(scan, place),
    63,
    0,
  );
  if (count === NO_BLOCK) return false;
  memory.copy(to, block, COEFFICIENT_BYTES);
  store<u64>(mask, <u64>-1 >> <u64>(64 - count));
  clearBlock(block, count);
  return true;
}

/** Transforms the blocks inside the band of columns, and clears all of them. */
function transformBand(decoder: Decoder, component: Component): void {
  const across = component.h;
  const size = component.size;
  const firstWanted = decoder.firstMcu * across;
  const endWanted = min(decoder.endMcu * across, component.blocksWide);
  const rows = min(component.v, component.blocksHigh - decoder.mcuRow * component.v);
  for (let y = 0; y < rows; y++) {
    let block = component.band + <usize>(y * component.bandStride) * COEFFICIENT_BYTES;
    let mask = component.masks + <usize>(y * component.bandStride) * sizeof<u64>();
    const line = component.plane + y * size * component.planeStride;
    for (let x = 0; x < component.bandStride; x++) {
      const count = max<i32>(1, 64 - <i32>clz(load<u64>(mask)));
      if (x >= firstWanted && x < endWanted)
        transformBlock(component, block, count, line + (x - firstWanted) * size, decoder.keepsLow);
      clearBlock(block, count);
      store<u64>(mask, 0);
      block += COEFFICIENT_BYTES;
      mask += sizeof<u64>();
    }
  }
}
