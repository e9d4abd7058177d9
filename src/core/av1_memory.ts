import { Fault, OutOfMemoryFault } from '../faults.ts';
import { av1Facts } from './av1.ts';

/**
 * The most bytes that decoding one of these AV1 pictures reserves in a core beside its own bytes; those whose
 * headers can't be read count as 0, since they are refused.
 * @param heads the beginnings of their bitstreams, as far as the frame header
 * @throws Fault 'limit' when there is no memory to read headers in
 */
export function av1DecoderBytes(heads: Iterable<CodedHead>): number {
  let most = 0;
  for (const { data, operatingPoint, layer } of heads) {
    try {
      most = Math.max(most, av1Facts(data, operatingPoint, layer).bytes);
    } catch (error) {
      if (!(error instanceof Fault) || error instanceof OutOfMemoryFault) throw error;
    }
  }
  return most;
}

/** The headers of a bitstream, and which of its layers are the picture. */
export interface CodedHead {
  readonly data: Uint8Array;
  /** Of `a1op`; 0 where there is none. */
  readonly operatingPoint: number;
  /** Of `lsel`; −1 where there is none. */
  readonly layer: number;
}
