/**
 * Places in the scans' data where decoding can restart. The first read of a file that is read in bands
 * records them along every line of MCUs or blocks. Later reads start at the last one before their columns and
 * stop after them, or start at any row. So a rotation in many bands decodes the entropy-coded data a few
 * times at most, not once per band.
 */

import { alloc } from '../../memory';
import { restartBitsAt } from './bits';
import { ceilDivide } from './frame';
import { componentAt, Decoder, predictionAt, Scan } from './state';

/** The most checkpoints per file, with one scan and with several; and per line. */
const MAX_SINGLE: i32 = 8192;
const MAX_MANY: i32 = 16384;
const MAX_IN_LINE: i32 = 16;

/**
 * Layout of a checkpoint: source address, bits after it, restart state, end-of-band run, four DC predictions.
 */
const SOURCE: usize = 0;
const BITS: usize = 4;
const RESTARTS: usize = 8;
const EOB_RUN: usize = 12;
const PREDICTIONS: usize = 16;
const CHECKPOINT_BYTES: usize = 32;

/** How many lines a scan has in an MCU row: one of MCUs, or its only component's lines of blocks. */
// @inline
function linesOf(decoder: Decoder, scan: Scan): i32 {
  return scan.componentCount > 1 ? 1 : componentAt(decoder, scan.component0).v;
}

/**
 * Chooses the distance between checkpoints for `lines` lines, all scans together.
 * @returns bytes of all checkpoints; 0 if there are too many lines for any
 */
export function spaceCheckpoints(decoder: Decoder, lines: i32): usize {
  const inLine = min(MAX_IN_LINE, (decoder.singleScan ? MAX_SINGLE : MAX_MANY) / lines);
  if (inLine < 1) return 0;
  decoder.checkpointStep = ceilDivide(decoder.mcusWide, inLine);
  decoder.checkpointsInLine = ceilDivide(decoder.mcusWide, decoder.checkpointStep);
  return <usize>(lines * decoder.checkpointsInLine) * CHECKPOINT_BYTES;
}

/** The most that `spaceCheckpoints` returns for `lines` lines or fewer, in a file with several scans. */
export function mostCheckpointBytes(decoder: Decoder, lines: i32): usize {
  return <usize>min(MAX_MANY, lines * min(MAX_IN_LINE, decoder.mcusWide)) * CHECKPOINT_BYTES;
}

/** Reserves the checkpoints; none if the file has too many lines for them. @returns false without memory */
export function reserveCheckpoints(decoder: Decoder): bool {
  let lines: i32 = 0;
  let scan = decoder.firstScan;
  while (scan) {
    lines += linesOf(decoder, scan) * decoder.mcusHigh;
    scan = scan.next;
  }
  const bytes = spaceCheckpoints(decoder, lines);
  if (bytes === 0) return true;
  const lineBytes = <usize>decoder.checkpointsInLine * CHECKPOINT_BYTES;
  let at = alloc(bytes);
  if (!at) return false;
  scan = decoder.firstScan;
  while (scan) {
    scan.checkpoints = at;
    at += <usize>(linesOf(decoder, scan) * decoder.mcusHigh) * lineBytes;
    scan = scan.next;
  }
  return true;
}

/** Checkpoint `index` of line `line` in this MCU row. */
// @inline
function checkpointAt(decoder: Decoder, scan: Scan, line: i32, index: i32): usize {
  const lineInScan = decoder.mcuRow * linesOf(decoder, scan) + line;
  return scan.checkpoints + <usize>(lineInScan * decoder.checkpointsInLine + index) * CHECKPOINT_BYTES;
}

/** Records the position at MCU `index` × checkpointStep of a line. */
export function noteCheckpoint(decoder: Decoder, scan: Scan, line: i32, index: i32): void {
  const at = checkpointAt(decoder, scan, line, index);
  const reader = scan.reader;
  store<u32>(at + SOURCE, <u32>reader.chunkSource);
  store<i32>(at + BITS, ((reader.chunkLead + <i32>(reader.top - reader.pos)) << 3) - reader.bits);
  store<i32>(at + RESTARTS, (scan.restartsLeft << 3) | scan.nextRestart);
  store<i32>(at + EOB_RUN, scan.eobRun);
  memory.copy(at + PREDICTIONS, predictionAt(scan, 0), 16);
}

/**
 * Goes to the line's last checkpoint at or before the band's first MCU.
 * @returns the MCU at which decoding continues
 */
export function seekCheckpoint(decoder: Decoder, scan: Scan, line: i32): i32 {
  const index = decoder.firstMcu / decoder.checkpointStep;
  const at = checkpointAt(decoder, scan, line, index);
  restartBitsAt(scan.reader, load<u32>(at + SOURCE), load<i32>(at + BITS));
  scan.restartsLeft = load<i32>(at + RESTARTS) >> 3;
  scan.nextRestart = load<i32>(at + RESTARTS) & 7;
  scan.eobRun = load<i32>(at + EOB_RUN);
  memory.copy(predictionAt(scan, 0), at + PREDICTIONS, 16);
  return index * decoder.checkpointStep;
}

/** Before a read: decides whether it records checkpoints. */
export function startCheckpoints(decoder: Decoder): void {
  decoder.recording = decoder.firstScan!.checkpoints !== 0 && !decoder.recorded;
  let scan = decoder.firstScan;
  while (scan) {
    scan.reader.tracked = decoder.recording;
    scan = scan.next;
  }
}

/** After a read's last MCU row: later reads may use the checkpoints, unless a scan's data were irregular. */
export function finishCheckpoints(decoder: Decoder): void {
  if (!decoder.recording) return;
  decoder.recorded = true;
  let scan = decoder.firstScan;
  while (scan) {
    if (scan.reader.irregular) decoder.recorded = false;
    scan = scan.next;
  }
}
