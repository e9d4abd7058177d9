/** read_block_tx_size (sections 5.11.15 to 5.11.17). */
import { TX_8, TX_16, TX_32, TX_64, TXFM_SPLIT } from '../cdf/offsets';
import { Block, largestTx, splitTx, Tx, txDepth, txHeightLog2, txWidthLog2 } from '../sizes';
import { aboveAt, Context, Decoder, leftAt, spread, Tile } from '../state';
import { readFlagSymbol, readSymbol4 } from '../symbol';

/** MAX_VARTX_DEPTH */
const MAX_DEPTH = 2;
/** 4 × 4 blocks in a row of `Decoder.interTxSizes`. */
export const TX_STRIDE: usize = 32;

/** Reads the transform sizes of the current block. @param row of the block within its superblock */
export function readBlockTxSize(d: Decoder, t: Tile, row: i32): void {
  if (d.isInter && d.txModeSelect && d.miSize > Block.B4x4 && !d.skip && !d.lossless) {
    const tx = largestTx(d.miSize);
    const width = 1 << (txWidthLog2(tx) - 2);
    const height = 1 << (txHeightLog2(tx) - 2);
    for (let y = 0; y < d.bh4; y += height) {
      for (let x = 0; x < d.bw4; x += width) readVariable(d, t, row, y, x, tx, 0);
    }
    return;
  }
  d.txSize = Tx.T4x4;
  if (!d.lossless) {
    d.txSize = largestTx(d.miSize);
    if (d.miSize > Block.B4x4 && d.txModeSelect && !(d.skip && d.isInter)) {
      for (let depth = readDepth(d, t, row); depth > 0; depth--) d.txSize = splitTx(d.txSize);
    }
  }
  // A skipped, copied block counts as one transform block for its neighbours.
  const whole = d.skip && d.isInter;
  const width = whole ? d.bw4 << 2 : 1 << txWidthLog2(d.txSize);
  const height = whole ? d.bh4 << 2 : 1 << txHeightLog2(d.txSize);
  spread(aboveAt(d, Context.Transform, d.miCol), d.bw4, width);
  spread(leftAt(t, Context.Transform, row), d.bh4, height);
  if (d.isInter) memory.fill(d.interTxSizes, <u8>d.txSize, TX_STRIDE * <usize>d.bh4);
}

/** tx_depth */
function readDepth(d: Decoder, t: Tile, row: i32): i32 {
  const largest = largestTx(d.miSize);
  let above = 0;
  if (d.availU) {
    above = <i32>load<u8>(aboveAt(d, Context.Copied, d.miCol));
    if (above === 0) above = <i32>load<u8>(aboveAt(d, Context.Transform, d.miCol));
  }
  let left = 0;
  if (d.availL) {
    left = <i32>load<u8>(leftAt(t, Context.Copied, row));
    if (left === 0) left = <i32>load<u8>(leftAt(t, Context.Transform, row));
  }
  const context = <usize>(above >= 1 << txWidthLog2(largest)) + <usize>(left >= 1 << txHeightLog2(largest));
  const depth = txDepth(d.miSize);
  if (depth < 2) return readFlagSymbol(t, t.cdf + TX_8 + (context << 2));
  const table = depth === 2 ? TX_16 : depth === 3 ? TX_32 : TX_64;
  return readSymbol4(t, t.cdf + table + (context << 3), 2);
}

/** read_var_tx_size. @param y of the transform block within the block, in 4 × 4 blocks, as is x */
function readVariable(d: Decoder, t: Tile, row: i32, y: i32, x: i32, tx: i32, depth: i32): void {
  if (d.miRow + y >= d.miRows || d.miCol + x >= d.miCols) return;
  const width = 1 << (txWidthLog2(tx) - 2);
  const height = 1 << (txHeightLog2(tx) - 2);
  if (tx !== Tx.T4x4 && depth < MAX_DEPTH && readSplit(d, t, row + y, d.miCol + x, tx, y, x)) {
    const part = splitTx(tx);
    const stepX = 1 << (txWidthLog2(part) - 2);
    const stepY = 1 << (txHeightLog2(part) - 2);
    for (let i = 0; i < height; i += stepY) {
      for (let j = 0; j < width; j += stepX) readVariable(d, t, row, y + i, x + j, part, depth + 1);
    }
    return;
  }
  d.txSize = tx;
  let at = d.interTxSizes + <usize>y * TX_STRIDE + <usize>x;
  for (let i = 0; i < height; i++, at += TX_STRIDE) memory.fill(at, <u8>tx, <usize>width);
  spread(aboveAt(d, Context.Transform, d.miCol + x), width, width << 2);
  spread(leftAt(t, Context.Transform, row + y), height, height << 2);
}

/** txfm_split. @param row within the superblock */
function readSplit(d: Decoder, t: Tile, row: i32, column: i32, tx: i32, y: i32, x: i32): bool {
  let above = 64;
  if (y > 0 || d.availU) above = <i32>load<u8>(aboveAt(d, Context.Transform, column));
  let left = 64;
  if (x > 0 || d.availL) left = <i32>load<u8>(leftAt(t, Context.Transform, row));
  const widthLog2 = txWidthLog2(tx);
  const heightLog2 = txHeightLog2(tx);
  // The longer side as a square TxSize: the block's, and the transform's.
  const most = min(4, max(31 - clz(d.bw4), 31 - clz(d.bh4)));
  const square = max(widthLog2, heightLog2) - 2;
  let context = (square !== most ? 3 : 0) + (4 - most) * 6;
  context += <i32>(above < 1 << widthLog2) + <i32>(left < 1 << heightLog2);
  return readFlagSymbol(t, t.cdf + TXFM_SPLIT + ((<usize>context) << 2)) !== 0;
}
