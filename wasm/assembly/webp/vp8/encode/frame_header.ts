/** The frame header (RFC 6386 section 9). */
import { putBit, putLiteral, putOptionalSigned, startWriter } from './bool_writer';
import { writeProbabilities } from './probabilities';
import { INDEX, LEVEL, SEGMENT_BYTES } from './segments';
import { Encoder, SEGMENTS } from './state';

/** Section 9.1: frame tag, start code, width and height. */
export const FRAME_HEADER_BYTES: usize = 10;
const START_CODE: u32 = 0x2a019d;
/** The first partition's length has 19 bits. */
export const MOST_PARTITION_BYTES: usize = 524287;

/** Starts the first partition with everything that precedes the first macroblock. */
export function startFirstPartition(encoder: Encoder, start: usize, end: usize): void {
  const writer = encoder.modes;
  startWriter(writer, start, end, false);
  // Colour space and clamping.
  putLiteral(writer, 0, 2);
  const segmented = encoder.segmentCount > 1;
  putLiteral(writer, <i32>segmented, 1);
  let level: i32 = 0;
  for (let i = 0; i < SEGMENTS; i++) level = max(level, segmentValue(encoder, i, LEVEL));
  if (segmented) putSegments(encoder);
  // The normal filter; its level, for when segments have none of their own; sharpness; no deltas.
  putLiteral(writer, 0, 1);
  putLiteral(writer, level, 6);
  putLiteral(writer, 0, 3);
  putLiteral(writer, 0, 1);
  // One partition of coefficients.
  putLiteral(writer, 0, 2);
  putLiteral(writer, segmentValue(encoder, 0, INDEX), 7);
  // Luma's DC, Y2's DC and AC, chroma's DC and AC.
  putOptionalSigned(writer, 0, 4);
  putOptionalSigned(writer, 0, 4);
  putOptionalSigned(writer, 0, 4);
  putOptionalSigned(writer, encoder.chromaDcDelta, 4);
  putOptionalSigned(writer, encoder.chromaAcDelta, 4);
  // Probabilities are not kept for later frames: there are none.
  putLiteral(writer, 0, 1);
  writeProbabilities(writer, encoder.probabilities);
  putLiteral(writer, <i32>encoder.skipping, 1);
  if (encoder.skipping) putLiteral(writer, encoder.skipProbability, 8);
}

function segmentValue(encoder: Encoder, segment: i32, offset: usize): i32 {
  return load<i32>(encoder.segments + <usize>segment * SEGMENT_BYTES + offset);
}

/** Section 9.3: a map and absolute values. */
function putSegments(encoder: Encoder): void {
  const writer = encoder.modes;
  putLiteral(writer, 0b111, 3);
  for (let i = 0; i < SEGMENTS; i++) putOptionalSigned(writer, segmentValue(encoder, i, INDEX), 7);
  for (let i = 0; i < SEGMENTS; i++) putOptionalSigned(writer, segmentValue(encoder, i, LEVEL), 6);
  for (let i = 0; i < 3; i++) {
    putBit(writer, 1, 128);
    putLiteral(writer, (encoder.segmentProbabilities >> (8 * i)) & 255, 8);
  }
}

/** Writes the ten bytes before the first partition, which must be complete. */
export function storeFrameHeader(encoder: Encoder, at: usize): void {
  const writer = encoder.modes;
  // A key frame of version 0, shown.
  const tag = ((<u32>(writer.at - writer.start)) << 5) | 0x10;
  store<u32>(at, tag | (START_CODE << 24));
  store<u16>(at, <u16>(START_CODE >> 8), 4);
  store<u16>(at, <u16>encoder.width, 6);
  store<u16>(at, <u16>encoder.height, 8);
}
