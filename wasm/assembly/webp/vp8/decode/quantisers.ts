/** Dequantisation factors by segment (RFC 6386 sections 9.6 and 14.1). */
import { acFactor, chromaDcFactor, dcFactor, y2AcFactor } from '../common/factors';
import { readLiteral, readOptionalSigned } from './bool_reader';
import { BoolReader, Decoder, SEGMENTS } from './state';

/** A segment's factors, i32 each. */
export const QUANTISER_BYTES: usize = 24;
export const LUMA_DC: usize = 0;
export const LUMA_AC: usize = 4;
export const Y2_DC: usize = 8;
export const Y2_AC: usize = 12;
export const CHROMA_DC: usize = 16;
export const CHROMA_AC: usize = 20;

/** Reads the frame's quantiser indices and makes the factors of all segments. */
export function readQuantisers(decoder: Decoder, reader: BoolReader): void {
  const base = readLiteral(reader, 7);
  const lumaDc = readOptionalSigned(reader, 4);
  const y2Dc = readOptionalSigned(reader, 4);
  const y2Ac = readOptionalSigned(reader, 4);
  const chromaDc = readOptionalSigned(reader, 4);
  const chromaAc = readOptionalSigned(reader, 4);
  for (let segment: usize = 0; segment < SEGMENTS; segment++) {
    const own = load<i32>(decoder.segmentQuantisers + (segment << 2));
    let index = base;
    if (decoder.segmented) index = decoder.segmentsAbsolute ? own : base + own;
    const at = decoder.quantisers + segment * QUANTISER_BYTES;
    store<i32>(at, dcFactor(index + lumaDc), LUMA_DC);
    store<i32>(at, acFactor(index), LUMA_AC);
    store<i32>(at, dcFactor(index + y2Dc) * 2, Y2_DC);
    store<i32>(at, y2AcFactor(index + y2Ac), Y2_AC);
    store<i32>(at, chromaDcFactor(index + chromaDc), CHROMA_DC);
    store<i32>(at, acFactor(index + chromaAc), CHROMA_AC);
  }
}
