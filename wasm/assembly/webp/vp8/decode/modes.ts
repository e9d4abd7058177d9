/**
 * A macroblock's header (RFC 6386 sections 10 and 11): its segment, whether it has coefficients, its modes.
 */

import { MODES, Mode, SubblockMode } from '../common/macroblock';
import { SUBBLOCK_MODE_PROBABILITIES } from '../common/subblock_mode_probabilities';
import { readTree } from './bool_reader';
import { BoolReader, Decoder } from './state';

const SEGMENT_TREE: usize = memory.data<i8>([2, 4, 0, -1, -2, -3]);
const BIT_TREE: usize = memory.data<i8>([0, -1]);

/** Sections 11.2 and 11.3: the trees of key frames and their fixed probabilities. */
const LUMA_TREE: usize = memory.data<i8>([
  <i8>-Mode.Subblocks,
  2,
  4,
  6,
  <i8>-Mode.Dc,
  <i8>-Mode.Vertical,
  <i8>-Mode.Horizontal,
  <i8>-Mode.TrueMotion,
]);
const LUMA_PROBABILITIES: usize = memory.data<u8>([145, 156, 163, 128]);
const CHROMA_TREE: usize = memory.data<i8>([
  <i8>-Mode.Dc,
  2,
  <i8>-Mode.Vertical,
  4,
  <i8>-Mode.Horizontal,
  <i8>-Mode.TrueMotion,
]);
const CHROMA_PROBABILITIES: usize = memory.data<u8>([142, 114, 183]);
const SUBBLOCK_TREE: usize = memory.data<i8>([
  <i8>-SubblockMode.Dc,
  2,
  <i8>-SubblockMode.TrueMotion,
  4,
  <i8>-SubblockMode.Vertical,
  6,
  8,
  12,
  <i8>-SubblockMode.Horizontal,
  10,
  <i8>-SubblockMode.RightDown,
  <i8>-SubblockMode.VerticalRight,
  <i8>-SubblockMode.LeftDown,
  14,
  <i8>-SubblockMode.VerticalLeft,
  16,
  <i8>-SubblockMode.HorizontalDown,
  <i8>-SubblockMode.HorizontalUp,
]);

/**
 * Reads one macroblock's modes.
 * @param above the record of this column; it and the record to the left get this macroblock's modes
 */
export function readModes(decoder: Decoder, above: usize): void {
  const reader = decoder.modes;
  decoder.segment = decoder.segmentMap ? readTree(reader, SEGMENT_TREE, decoder.segmentProbabilities) : 0;
  decoder.skipped =
    decoder.skipping &&
    readTree(reader, BIT_TREE, changetype<usize>(decoder) + offsetof<Decoder>('skipProbability')) !== 0;
  const luma = readTree(reader, LUMA_TREE, LUMA_PROBABILITIES);
  decoder.lumaMode = luma;
  if (luma === Mode.Subblocks) {
    readSubblockModes(reader, decoder.subblockModes, above + MODES, decoder.left + MODES);
  } else {
    // For its neighbours, each of its blocks counts as having this mode.
    const four = <u32>luma * 0x01010101;
    store<u32>(above, four, MODES);
    store<u32>(decoder.left, four, MODES);
  }
  decoder.chromaMode = readTree(reader, CHROMA_TREE, CHROMA_PROBABILITIES);
}

function readSubblockModes(reader: BoolReader, modes: usize, above: usize, left: usize): void {
  for (let y: usize = 0; y < 4; y++) {
    let mode: i32 = load<u8>(left + y);
    for (let x: usize = 0; x < 4; x++) {
      const context = load<u8>(above + x) * 10 + mode;
      mode = readTree(reader, SUBBLOCK_TREE, SUBBLOCK_MODE_PROBABILITIES + <usize>context * 9);
      store<u8>(above + x, mode);
      store<u8>(modes + y * 4 + x, mode);
    }
    store<u8>(left + y, mode);
  }
}
