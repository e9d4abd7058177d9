/**
 * Predicts what a decoder will reserve from a file's headers, with the same sums as the reservation itself.
 */
import { allocated, mark, release } from '../../memory';
import { bitReaderBytes } from './bits';
import { mostCheckpointBytes, spaceCheckpoints } from './checkpoints';
import { MAX_COMPONENTS, MAX_SCANS } from './constants';
import { layOutFrame, scaleFrame, setSampling } from './frame';
import { TABLE_BYTES } from './huffman';
import { coefficientBytes } from './many_scans';
import { allPlaneBytes } from './planes';
import { mostLookupTables, QUANT_BYTES } from './scans';
import { mostSkipBytes } from './skip';
import { componentAt, createDecoder, DECODER_BYTES, Scan } from './state';
import { BLOCK_BYTES } from './zigzag';

/**
 * Bytes that a decoder holds once reserved: exact, except that Huffman tables and, with several scans,
 * checkpoints count with the most there can be.
 * @param width as stored, 1 to 65535; `height` likewise
 * @param sampling one byte per component, the first lowest: horizontal factor × 16 + vertical; 0 ends the
 * list
 * @param singleScan all components are in one sequential scan
 * @param scans how many scans the file has; a file with more than MAX_SCANS is refused, so no more are
 * counted
 * @param size, keepsLow, componentsOnly, checkpoints as in jpegDecodeReserve
 * @returns 0 when there is no memory to compute it in
 */
export function jpegDecodeBytes(
  width: i32,
  height: i32,
  sampling: u32,
  singleScan: bool,
  scans: i32,
  size: i32,
  keepsLow: bool,
  componentsOnly: bool,
  checkpoints: bool,
): usize {
  const start = mark();
  const decoder = createDecoder();
  if (decoder == null) return 0;
  decoder.width = width;
  decoder.height = height;
  decoder.singleScan = singleScan;
  const count: i32 = MAX_COMPONENTS - (clz(sampling) >> 3);
  decoder.componentCount = count;
  for (let i = 0; i < count; i++) setSampling(componentAt(decoder, i), count, (sampling >> (8 * i)) & 0xff);
  layOutFrame(decoder);
  scaleFrame(decoder, size, keepsLow, componentsOnly);

  const all = singleScan ? 1 : min(scans, MAX_SCANS);
  let total = allocated(DECODER_BYTES) + allocated(BLOCK_BYTES) + allPlaneBytes(decoder);
  total += <usize>all * (allocated(offsetof<Scan>()) + allocated(bitReaderBytes(singleScan)));
  total += <usize>mostLookupTables(count, all) * allocated(TABLE_BYTES) + <usize>count * QUANT_BYTES;
  if (singleScan) {
    total += mostSkipBytes(decoder);
  } else {
    for (let i = 0; i < count; i++) total += allocated(coefficientBytes(decoder, componentAt(decoder, i)));
  }
  if (checkpoints) {
    total += singleScan
      ? spaceCheckpoints(decoder, decoder.mcusHigh)
      : mostCheckpointBytes(decoder, all * decoder.mcusHigh * decoder.vMax);
  }
  release(start);
  return total;
}
