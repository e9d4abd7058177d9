/**
 * Places in a single scan's data where decoding can start again. The first reading of a band of columns notes them in every
 * MCU row; later readings start at the one before their columns and leave a row after them, so that a 90° turn in many bands
 * decodes the entropy-coded data about once, not once a band.
 */
import { restartBitsAt } from './bits';
import { ceilDivide } from './frame';
import { Decoder, Scan, predictionAt } from './state';
import { alloc } from '../../memory';

/** Most checkpoints of a file, and of an MCU row. */
const MAX_CHECKPOINTS: i32 = 8192;
const MAX_IN_ROW: i32 = 16;

/** A checkpoint: source address, bits after it, restart state, four DC predictions. */
const SOURCE: usize = 0;
const BITS: usize = 4;
const RESTARTS: usize = 8;
const PREDICTIONS: usize = 12;
const CHECKPOINT_BYTES: usize = 28;

/** Reserves room; none where a file has too many MCU rows for it. @returns false without memory */
export function reserveCheckpoints(decoder: Decoder): bool {
  const inRow = min(MAX_IN_ROW, MAX_CHECKPOINTS / decoder.mcusHigh);
  if (inRow < 1) return true;
  decoder.checkpointStep = ceilDivide(decoder.mcusWide, inRow);
  decoder.checkpointsInRow = ceilDivide(decoder.mcusWide, decoder.checkpointStep);
  decoder.checkpoints = alloc(<usize>(decoder.checkpointsInRow * decoder.mcusHigh) * CHECKPOINT_BYTES);
  return decoder.checkpoints != 0;
}

@inline
function checkpointAt(decoder: Decoder, index: i32): usize {
  return decoder.checkpoints + <usize>(decoder.mcuRow * decoder.checkpointsInRow + index) * CHECKPOINT_BYTES;
}

/** Notes where MCU `index` × step of this row begins. */
export function noteCheckpoint(decoder: Decoder, scan: Scan, index: i32): void {
  const at = checkpointAt(decoder, index);
  const reader = scan.reader;
  store<u32>(at + SOURCE, <u32>reader.chunkSource);
  store<i32>(at + BITS, ((reader.chunkLead + <i32>(reader.pos - reader.buffer)) << 3) - reader.bits);
  store<i32>(at + RESTARTS, (scan.restartsLeft << 3) | scan.nextRestart);
  memory.copy(at + PREDICTIONS, predictionAt(scan, 0), 16);
}

/** Goes to the checkpoint before the band's first MCU. @returns the MCU where that is */
export function seekCheckpoint(decoder: Decoder, scan: Scan): i32 {
  const index = decoder.firstMcu / decoder.checkpointStep;
  const at = checkpointAt(decoder, index);
  restartBitsAt(scan.reader, load<u32>(at + SOURCE), load<i32>(at + BITS));
  scan.restartsLeft = load<i32>(at + RESTARTS) >> 3;
  scan.nextRestart = load<i32>(at + RESTARTS) & 7;
  memory.copy(predictionAt(scan, 0), at + PREDICTIONS, 16);
  return index * decoder.checkpointStep;
}
