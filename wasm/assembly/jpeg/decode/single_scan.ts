/**
 * One MCU row of a frame in a single scan: each block is transformed as soon as it is decoded. A long row
 * takes several calls.
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

/** Bytes after a scan's last block that are accepted as padding, rather than a sign of corrupt data. */
const SCAN_TOLERANCE: i32 = 64;

/**
 * At the start of an MCU: reads the restart marker if one is due, and resets what restarts reset (T.81
 * F.2.1.3.1).
 */
// @inline
export function restartIfDue(decoder: Decoder, scan: Scan): bool {
  if (scan.restartInterval === 0 || --scan.restartsLeft >= 0) return true;
  return restart(decoder, scan);
}

/** This many fill bytes before a marker take as long as decoding a block. */
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
 * After a scan's last block, checks that only padding is left. Reads that skip by checkpoints do not check:
 * the read that recorded them has done so.
 */
export function finishScanRow(decoder: Decoder, scan: Scan): bool {
  if (decoder.recorded || decoder.mcuRow < decoder.mcusHigh - 1) return true;
  return finishSegment(scan.reader, SCAN_TOLERANCE) || fail(decoder, scan.reader.fault);
}
