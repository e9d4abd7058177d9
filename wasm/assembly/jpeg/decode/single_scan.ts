/**
 * One MCU row of a frame that is all in one scan: each block is transformed as soon as it is decoded. A long
 * row is decoded in several calls.
 */

import { finishSegment, passRestart } from './bits';
import { noteCheckpoint, seekCheckpoint } from './checkpoints';
import { ceilDivide } from './frame';
import { decodeBlock, NO_BLOCK } from './sequential';
import {
  acTable,
  componentAt,
  Decoder,
  dcTable,
  fail,
  predictionAt,
  Scan,
  scanComponent,
  skipAt,
} from './state';
import { clearBlock, transformBlock } from './transform';

/** Bytes after the last block of a scan that are padding, not a sign of corrupt data. */
const SCAN_TOLERANCE: i32 = 64;

/**
 * At the start of an MCU: passes the restart marker when one is due, and forgets what restarts forget (T.81
 * F.2.1.3.1).
 */
// @inline
export function restartIfDue(decoder: Decoder, scan: Scan): bool {
  if (scan.restartInterval === 0 || --scan.restartsLeft >= 0) return true;
  return restart(decoder, scan);
}

/** Bytes of fill before a marker that take as long as a block. */
const FILL_OF_BLOCK: usize = 64;

function restart(decoder: Decoder, scan: Scan): bool {
  const from = scan.reader.source;
  if (!passRestart(scan.reader, scan.nextRestart)) return fail(decoder, scan.reader.fault);
  decoder.blocksLeft -= <i32>((scan.reader.source - from) / FILL_OF_BLOCK);
  scan.nextRestart = (scan.nextRestart + 1) & 7;
  scan.restartsLeft = scan.restartInterval - 1;
  scan.eobRun = 0;
  for (let place = 0; place < 4; place++) store<i32>(predictionAt(scan, place), 0);
  return true;
}

export function decodeSingleScanRow(decoder: Decoder, scan: Scan): bool {
  const reader = scan.reader;
  const block = decoder.block;
  const count = scan.componentCount;
  const keepsLow = decoder.keepsLow;
  const recording = decoder.recording;
  const recorded = decoder.recorded;
  const end = recorded ? decoder.endMcu : decoder.mcusWide;
  const starts = decoder.nextPlace === 0;
  const first = starts ? (recorded ? seekCheckpoint(decoder, scan, 0) : 0) : decoder.nextPlace;
  const step = decoder.checkpointStep;
  let nextCheckpoint = recording ? ceilDivide(first, step) * step : 0;
  for (let mcu = first; mcu < end; mcu++) {
    if (decoder.blocksLeft <= 0) {
      decoder.nextPlace = mcu;
      return true;
    }
    if (recording && mcu === nextCheckpoint) {
      noteCheckpoint(decoder, scan, 0, mcu / decoder.checkpointStep);
      nextCheckpoint += decoder.checkpointStep;
    }
    if (!restartIfDue(decoder, scan)) return false;
    const wanted = mcu >= decoder.firstMcu && mcu < decoder.endMcu;
    for (let place = 0; place < count; place++) {
      const component = componentAt(decoder, scanComponent(scan, place));
      const dc = dcTable(scan, place);
      const ac = acTable(scan, place);
      const prediction = predictionAt(scan, place);
      const last = component.lastPlace;
      const skip = load<usize>(skipAt(scan, place));
      const size = component.size;
      const across = component.h;
      const lineStep = <usize>(component.planeStride * size);
      let line = component.plane + (mcu - decoder.firstMcu) * across * size;
      decoder.blocksLeft -= across * component.v;
      for (let y = component.v; y > 0; y--) {
        let to = line;
        for (let x = across; x > 0; x--) {
          const coefficients = decodeBlock(reader, block, dc, ac, prediction, last, skip);
          if (coefficients === NO_BLOCK) return fail(decoder, reader.fault);
          if (wanted) transformBlock(component, block, coefficients, to, keepsLow);
          clearBlock(block, coefficients);
          to += size;
        }
        line += lineStep;
      }
    }
  }
  decoder.nextScan = null;
  return finishScanRow(decoder, scan);
}

/**
 * After a scan's last block nothing but padding may be left; reads that skip rely on the one
 * before.
 */
export function finishScanRow(decoder: Decoder, scan: Scan): bool {
  if (decoder.recorded || decoder.mcuRow < decoder.mcusHigh - 1) return true;
  return finishSegment(scan.reader, SCAN_TOLERANCE) || fail(decoder, scan.reader.fault);
}
