import { Fault, OutOfMemoryFault } from '../../faults.ts';
import type { Av1Columns } from './columns.ts';
import { PredictedLayerFault } from './faults.ts';
import { av1Facts } from './picture.ts';

/** What decoding needs, according to the headers. */
export interface DecoderNeeds {
  /** The most bytes that one of the pictures reserves in a core, in addition to its own bytes. */
  readonly decoderBytes: number;
  /** How the columns of the last picture are read by themselves; absent if they can't be. */
  readonly bands?: Av1Columns;
  /** One of the pictures is a layer that is predicted from lower ones, which is not decoded here. */
  readonly predicted: boolean;
}

/**
 * What decoding these AV1 pictures needs. Pictures with unreadable headers count as nothing, since they are
 * refused.
 * @param heads the beginnings of their bitstreams, up to the end of the frame header
 * @throws Fault 'limit' when there is no memory to read headers in
 */
export function av1DecoderNeeds(heads: Iterable<CodedHead>): DecoderNeeds {
  let decoderBytes = 0;
  let bands: Av1Columns | undefined;
  let predicted = false;
  for (const { data, operatingPoint, layer } of heads) {
    try {
      const { bytes, columns } = av1Facts(data, operatingPoint, layer);
      decoderBytes = Math.max(decoderBytes, bytes);
      bands = columns;
    } catch (error) {
      predicted ||= error instanceof PredictedLayerFault;
      if (!(error instanceof Fault) || error instanceof OutOfMemoryFault) throw error;
    }
  }
  return { decoderBytes, predicted, ...(bands && { bands }) };
}

/** The headers of a bitstream, and which of its layers are the picture. */
export interface CodedHead {
  readonly data: Uint8Array;
  /** The value of `a1op`; 0 if absent. */
  readonly operatingPoint: number;
  /** The value of `lsel`; −1 if absent. */
  readonly layer: number;
}
