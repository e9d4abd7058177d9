import type { Cursor } from './cursor.ts';

/** Open bitstream units looked at for the sequence header, which is the first or second of a picture. */
const MAX_UNITS = 16;
/** `obu_type` of a sequence header, AV1 specification §6.2.2. */
const SEQUENCE_HEADER = 1;
/** Longest `leb128` number, §4.10.5. */
const MAX_LEB128_BYTES = 8;

/** Reads fields of single bits, most significant first; 0 beyond the end. */
class Bits {
  #at: number;
  readonly #cursor: Cursor;

  /** @param start in bytes */
  constructor(cursor: Cursor, start: number) {
    this.#cursor = cursor;
    this.#at = start * 8;
  }

  take(count: number): number {
    let value = 0;
    for (let n = 0; n < count; n++, this.#at++) {
      const byte = Math.max(0, this.#cursor.u8(this.#at >> 3));
      value = value * 2 + ((byte >> (7 - (this.#at & 7))) & 1);
    }
    return value;
  }

  skip(count: number): void {
    this.#at += count;
  }
}

/**
 * The largest frame that an AV1 bitstream says it holds, from its sequence header; null when there is none.
 * This is what a decoder will allocate, whatever the container claims. Source: AV1 bitstream specification
 * §5.3, §5.5.
 * @param start offset of the first OBU
 */
export function codedSize(
  cursor: Cursor,
  start: number,
  end: number,
): { width: number; height: number } | null {
  const window = cursor.window(start, end);
  let at = 0;
  for (let n = 0; n < MAX_UNITS && at < window.length; n++) {
    const header = window.u8(at);
    const extended = (header & 4) !== 0;
    at += extended ? 2 : 1;
    if (((header >> 3) & 15) === SEQUENCE_HEADER) {
      return sequenceSize(new Bits(window, (header & 2) === 0 ? at : at + leb128(window, at).bytes));
    }
    // a unit without a size reaches to the end
    if ((header & 2) === 0) return null;
    const size = leb128(window, at);
    at += size.bytes + size.value;
  }
  return null;
}

function leb128(cursor: Cursor, at: number): { value: number; bytes: number } {
  let value = 0;
  for (let n = 0; n < MAX_LEB128_BYTES; n++) {
    const byte = cursor.u8(at + n);
    if (byte < 0) break;
    value += (byte & 0x7f) * 2 ** (7 * n);
    if (byte < 0x80) return { value, bytes: n + 1 };
  }
  return { value: Number.POSITIVE_INFINITY, bytes: 0 };
}

/** `sequence_header_obu`, §5.5.1, as far as the frame size. */
function sequenceSize(bits: Bits): { width: number; height: number } {
  // seq_profile, still_picture
  bits.skip(4);
  // reduced_still_picture_header; then only seq_level_idx comes before the size
  if (bits.take(1) === 1) bits.skip(5);
  else skipOperatingPoints(bits);
  const widthBits = bits.take(4) + 1;
  const heightBits = bits.take(4) + 1;
  return { width: bits.take(widthBits) + 1, height: bits.take(heightBits) + 1 };
}

function skipOperatingPoints(bits: Bits): void {
  let delayBits = 0;
  // timing_info_present_flag
  if (bits.take(1) === 1) {
    bits.skip(64);
    // equal_picture_interval, then num_ticks_per_picture as uvlc, §4.10.3
    if (bits.take(1) === 1) skipUvlc(bits);
    // decoder_model_info_present_flag
    if (bits.take(1) === 1) {
      delayBits = bits.take(5) + 1;
      bits.skip(32 + 5 + 5);
    }
  }
  const displayDelays = bits.take(1) === 1;
  const points = bits.take(5) + 1;
  for (let n = 0; n < points; n++) {
    // operating_point_idc; seq_level_idx, and seq_tier for levels above 7
    bits.skip(12);
    if (bits.take(5) > 7) bits.skip(1);
    if (delayBits > 0 && bits.take(1) === 1) bits.skip(2 * delayBits + 1);
    if (displayDelays && bits.take(1) === 1) bits.skip(4);
  }
}

function skipUvlc(bits: Bits): void {
  let zeros = 0;
  while (zeros < 32 && bits.take(1) === 0) zeros++;
  if (zeros < 32) bits.skip(zeros);
}
