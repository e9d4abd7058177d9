/** A macroblock's header (RFC 6386 sections 10 and 11). */
import { MODES, Mode } from '../common/macroblock';
import { putBit } from './bool_writer';
import { putChromaMode, putLumaMode, putSegment, putSubblockMode } from './mode_trees';
import { Encoder } from './state';
import { SUBBLOCK_MODES } from './workspace';

/**
 * Writes a macroblock's header.
 * @param record this column's record, with the modes of the macroblock above
 */
export function putModes(encoder: Encoder, record: usize, skipped: bool): void {
  const writer = encoder.modes;
  if (encoder.segmentCount > 1) {
    const probabilities = changetype<usize>(encoder) + offsetof<Encoder>('segmentProbabilities');
    putSegment(writer, encoder.segment, probabilities);
  }
  if (encoder.skipping) putBit(writer, <i32>skipped, encoder.skipProbability);
  putLumaMode(writer, encoder.lumaMode);
  if (encoder.lumaMode === Mode.Subblocks) {
    for (let block: usize = 0; block < 16; block++) {
      const above = block < 4 ? load<u8>(record + block, MODES) : load<u8>(SUBBLOCK_MODES + block - 4);
      const left =
        block & 3 ? load<u8>(SUBBLOCK_MODES + block - 1) : load<u8>(encoder.left + (block >> 2), MODES);
      putSubblockMode(writer, load<u8>(SUBBLOCK_MODES + block), above, left);
    }
  }
  putChromaMode(writer, encoder.chromaMode);
}
