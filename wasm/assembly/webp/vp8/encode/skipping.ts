/**
 * Macroblocks without levels are either flagged as such (RFC 6386 section 9.11), or all their blocks are
 * ended one by one: whichever takes fewer bits. In smooth pictures, a flag for every macroblock may cost more
 * than block ends that are expected anyway.
 */
import { BlockType, Mode, NONZERO_CHROMA, NONZERO_LUMA, NONZERO_Y2 } from '../common/macroblock';
import { CONTEXTS, nodesOf } from '../common/token_tree';
import { onePrice, zeroPrice } from './bit_price';
import { cheapest } from './probabilities';
import { Encoder } from './state';

const TYPES: i32 = 4;
/** Counts of block ends (u32) by block type and context. */
export const EMPTY_ENDS_BYTES: usize = <usize>(TYPES * CONTEXTS) * 4;
/** Bounds of probabilities, so that even what was never seen costs at most seven bits. */
const LOWEST: i32 = 2;
const HIGHEST: i32 = 254;
/** Price of the skip flag's part of the frame header, in 256ths of a bit. */
const HEADER_PRICE: u64 = 8 * 256;

export function probability(zeros: u32, ones: u32): u32 {
  const total = max<u32>(zeros + ones, 1);
  return <u32>min(max(<i32>((<u64>zeros * 256) / total), LOWEST), HIGHEST);
}

function countEnd(encoder: Encoder, type: i32, context: i32): void {
  const at = encoder.emptyEnds + ((<usize>(type * CONTEXTS + context)) << 2);
  store<u32>(at, load<u32>(at) + 1);
}

/**
 * Counts ends of blocks of one type.
 * @param across blocks per row, at most
 * @param above, left addresses of whether the neighbours have coefficients
 */
function countEnds(encoder: Encoder, type: i32, across: usize, above: usize, left: usize): void {
  for (let y: usize = 0; y < across; y++) {
    for (let x: usize = 0; x < across; x++) {
      const context = (y === 0 ? <i32>load<u8>(above + x) : 0) + (x === 0 ? <i32>load<u8>(left + y) : 0);
      countEnd(encoder, type, context);
    }
  }
}

/**
 * Counts the tokens that a sampled macroblock without levels would need.
 * @param record its column's record
 */
export function countEmpty(encoder: Encoder, record: usize): void {
  const left = encoder.left;
  let type = <i32>BlockType.Luma;
  if (encoder.lumaMode !== Mode.Subblocks) {
    type = BlockType.LumaWithoutDc;
    countEnd(encoder, BlockType.Y2, <i32>load<u8>(record, NONZERO_Y2) + load<u8>(left, NONZERO_Y2));
  }
  countEnds(encoder, type, 4, record + NONZERO_LUMA, left + NONZERO_LUMA);
  for (let component: usize = 0; component < 4; component += 2) {
    const above = record + NONZERO_CHROMA + component;
    countEnds(encoder, BlockType.Chroma, 2, above, left + NONZERO_CHROMA + component);
  }
}

/** After sampling: chooses the shorter way. If it is tokens, these join the other counts. */
export function settleSkipping(encoder: Encoder): void {
  const scale = <u64>encoder.step;
  const full = encoder.sampled - encoder.empty;
  const ofFull = <i32>probability(full, encoder.empty);
  encoder.skipProbability = ofFull;
  const flags =
    (<u64>full * zeroPrice(ofFull) + <u64>encoder.empty * onePrice(ofFull)) * scale + HEADER_PRICE;
  let tokens: u64 = 0;
  for (let i = 0; i < TYPES * CONTEXTS; i++) {
    const ends = <u64>load<u32>(encoder.emptyEnds + ((<usize>i) << 2)) * scale;
    if (ends === 0) continue;
    const node = firstNode(i);
    const zeros = <u64>load<u32>(encoder.statistics + (node << 3)) * scale;
    const ones = <u64>load<u32>(encoder.statistics + (node << 3), 4) * scale;
    tokens += cheapest(node, zeros + ends, ones) - cheapest(node, zeros, ones);
  }
  encoder.skipping = flags < tokens;
  if (encoder.skipping) return;
  for (let i = 0; i < TYPES * CONTEXTS; i++) {
    const zeros = encoder.statistics + (firstNode(i) << 3);
    store<u32>(zeros, load<u32>(zeros) + load<u32>(encoder.emptyEnds + ((<usize>i) << 2)));
  }
}

/** Index of the first node of a block's first token. @param i type and context */
function firstNode(i: i32): usize {
  const type = i / CONTEXTS;
  return nodesOf(type, type === BlockType.LumaWithoutDc ? 1 : 0, i % CONTEXTS);
}
