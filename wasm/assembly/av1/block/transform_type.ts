/** Types of transforms (sections 5.11.40, 5.11.47 and 5.11.48), numbered as in section 6.10.19. */
import { INTER_TX_1, INTER_TX_2, INTER_TX_3, INTRA_TX_1, INTRA_TX_2 } from '../cdf/offsets';
import { Decoder, Tile } from '../state';
import { readFlagSymbol, readSymbol8, readSymbol16 } from '../symbol';

/** Types from here on are identities in one direction or both. */
export const IDTX = 9;

/** The type for each symbol: intra sets 1 and 2, inter sets 1, 2 and 3. */
const INTRA_1: usize = memory.data<u8>([9, 0, 10, 11, 3, 1, 2]);
const INTRA_2: usize = memory.data<u8>([9, 0, 3, 1, 2]);
const INTER_1: usize = memory.data<u8>([9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 4, 5, 3, 6, 7, 8]);
const INTER_2: usize = memory.data<u8>([9, 10, 11, 0, 1, 2, 4, 5, 3, 6, 7, 8]);
const INTER_3: usize = memory.data<u8>([9, 0]);
/** Bit masks of the types in each set: intra sets 0 to 2, then inter sets 0 to 3. */
const IN_SET: usize = memory.data<u16>([0x0001, 0x0e0f, 0x020f, 0x0001, 0xffff, 0x0fff, 0x0201]);
/** Mode_To_Txfm */
const OF_MODE: usize = memory.data<u8>([0, 1, 2, 0, 3, 1, 2, 2, 1, 3, 1, 2, 3, 0]);
/** Filter_Intra_Mode_To_Intra_Dir */
const OF_FILTER: usize = memory.data<u8>([0, 1, 2, 6, 0]);

/** get_tx_set. @param least log2 of the shorter side in 4 × 4 blocks @param most of the longer one */
// @inline
function setOf(d: Decoder, least: i32, most: i32): i32 {
  if (most > 3) return 0;
  if (d.isInter) {
    if (d.reducedTxSet || most === 3) return 3;
    return least === 2 ? 2 : 1;
  }
  if (most === 3) return 0;
  return d.reducedTxSet || least === 2 ? 2 : 1;
}

/** transform_type, for luma. */
export function readTransformType(d: Decoder, t: Tile, least: i32, most: i32): i32 {
  const set = setOf(d, least, most);
  if (set === 0 || load<i32>(d.segmentQIndex + ((<usize>d.segmentId) << 2)) === 0) return 0;
  const size = <usize>least;
  if (d.isInter) {
    if (set === 1) {
      return <i32>load<u8>(INTER_1 + <usize>readSymbol16(t, t.cdf + INTER_TX_1 + (size << 5), 15));
    }
    if (set === 2) return <i32>load<u8>(INTER_2 + <usize>readSymbol16(t, t.cdf + INTER_TX_2, 11));
    return <i32>load<u8>(INTER_3 + <usize>readFlagSymbol(t, t.cdf + INTER_TX_3 + (size << 2)));
  }
  const direction =
    d.filterIntraMode >= 0 ? <usize>load<u8>(OF_FILTER + <usize>d.filterIntraMode) : <usize>d.yMode;
  const index = (size * 13 + direction) << 4;
  if (set === 1) return <i32>load<u8>(INTRA_1 + <usize>readSymbol8(t, t.cdf + INTRA_TX_1 + index, 6));
  return <i32>load<u8>(INTRA_2 + <usize>readSymbol8(t, t.cdf + INTRA_TX_2 + index, 4));
}

/** compute_tx_type of U and V. @param lumaType of copied blocks: the type of luma at the same place */
export function chromaTransformType(d: Decoder, least: i32, most: i32, lumaType: i32): i32 {
  if (d.lossless || most > 3) return 0;
  const type = d.isInter ? lumaType : <i32>load<u8>(OF_MODE + <usize>d.uvMode);
  const set = setOf(d, least, most) + (d.isInter ? 3 : 0);
  return (load<u16>(IN_SET + ((<usize>set) << 1)) >> <u16>type) & 1 ? type : 0;
}
