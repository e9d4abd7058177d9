import { Fault, OutOfMemoryFault } from '../../faults.ts';
import type { Av1Columns } from './columns.ts';
import { PredictedLayerFault } from './faults.ts';
import { av1Facts } from './picture.ts';

/** What decoding holds, as the headers tell it. */
export interface DecoderNeeds {
  /** The most bytes that one of the pictures reserves in a core beside its own bytes. */
  readonly decoderBytes: number;
  /** How the columns of the last of them are read by themselves; absent where they can't be. */
  readonly bands?: Av1Columns;
  /** One of them is a layer that is predicted from lower ones, which is not decoded here. */
  readonly predicted: boolean;
}

/**
 * What decoding these AV1 pictures takes; those whose headers can't be read count as nothing, since they are
 * refused.
 * @param heads the beginnings of their bitstreams, as far as the frame header
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
  /** Of `a1op`; 0 where there is none. */
  readonly operatingPoint: number;
  /** Of `lsel`; −1 where there is none. */
  readonly layer: number;
}
