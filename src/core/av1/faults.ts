import * as Code from '../../../wasm/assembly/av1/faults.ts';
import { Fault, type FaultKind } from '../../faults.ts';

export const { OUT_OF_MEMORY } = Code;

/** The picture is a layer that is predicted from lower ones, which needs a video decoder. */
export class PredictedLayerFault extends Fault {}

/** What each code means, in words for the sender. */
const meanings: Readonly<Record<number, readonly [FaultKind, string]>> = {
  [Code.OUT_OF_MEMORY]: ['limit', 'There is no memory left to read this AVIF'],
  [Code.TRUNCATED]: ['decoding', 'The AV1 data of this AVIF end early'],
  [Code.BAD_OBU]: ['decoding', 'The AV1 data of this AVIF are corrupt: a unit (OBU) has no valid header'],
  [Code.NO_SEQUENCE_HEADER]: ['decoding', 'The AV1 data of this AVIF have no sequence header'],
  [Code.NO_FRAME]: ['decoding', 'The AV1 data of this AVIF hold no picture'],
  [Code.BAD_SEQUENCE_HEADER]: ['decoding', 'The AV1 sequence header holds values outside their range'],
  [Code.BAD_FRAME_HEADER]: ['decoding', 'The AV1 frame header holds values outside their range'],
  [Code.PREDICTED]: [
    'unsupported',
    'The picture of this AVIF is predicted from other frames, as those of a video are: save it as a still picture',
  ],
  [Code.PREDICTED_LAYER]: [
    'unsupported',
    'The picture of this AVIF is a layer that is predicted from lower ones (progressive): save it without layers',
  ],
  [Code.TOO_LARGE]: ['limit', 'The picture of this AVIF is larger than any that is read here'],
  [Code.BAD_TILE_GROUP]: ['decoding', 'The AV1 data of this AVIF do not hold all tiles of the picture'],
  [Code.BAD_TILE]: ['decoding', 'The AVIF is truncated or corrupt: the data of a tile contradict themselves'],
  [Code.BAD_BLOCK_COPY]: [
    'decoding',
    'The AVIF is truncated or corrupt: a block is copied from where nothing is decoded yet',
  ],
  [Code.TOO_MANY_UNITS]: [
    'limit',
    'The AV1 data of this AVIF are in more units (OBUs) than any picture needs',
  ],
  [Code.BAD_PROFILE]: ['unsupported', 'This AVIF has a profile of AV1 that does not exist: expected 0 to 2'],
};

/** Codes met while decoding rows. */
const OF_ROWS: ReadonlySet<number> = new Set([Code.BAD_TILE, Code.BAD_BLOCK_COPY]);

/**
 * The fault for a code of the core.
 * @param row luma rows that the decoder had reached
 * @param height luma rows of the picture
 */
export function av1Fault(code: number, row: number, height: number): Fault {
  const [kind, text] = meanings[code] ?? ['decoding', `The AVIF is corrupt (${code})`];
  if (code === Code.PREDICTED_LAYER) return new PredictedLayerFault(kind, text);
  return new Fault(kind, OF_ROWS.has(code) ? `${text} (row ${row} of ${height} reached)` : text);
}
