import type { Cursor } from '../cursor.ts';
import type { Av1Format, CodePoints } from '../facts.ts';
import { UnitType, unitAt } from './av1_units.ts';

/** Open bitstream units examined for the sequence header; it is the first or second unit of a picture. */
const MAX_UNITS = 16;

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
 * What the sequence header of an AV1 bitstream says about its pictures: §5.5. Its size is that of the largest
 * frame, for which a decoder allocates memory, whatever the container claims.
 */
export interface Av1Sequence extends Av1Format {
  /** color_config, §5.5.2; 2 if not stated. */
  readonly codePoints: CodePoints;
  readonly superblocks128: boolean;
  /** Whether frames belong to layers (operating_point_idc): each layer may then have its own size. */
  readonly layered: boolean;
}

/**
 * The sequence header of an AV1 bitstream; null when there is none. Source: AV1 bitstream specification §5.3,
 * §5.5.
 * @param start offset of the first OBU
 */
export function av1Sequence(cursor: Cursor, start: number, end: number): Av1Sequence | null {
  const window = cursor.window(start, end);
  let at = 0;
  for (let n = 0; n < MAX_UNITS && at < window.length; n++) {
    const unit = unitAt(window, at);
    if (unit.type === UnitType.sequenceHeader) return readSequence(new Bits(window, unit.payload));
    at = unit.end;
  }
  return null;
}

/** `sequence_header_obu`, §5.5.1. */
function readSequence(bits: Bits): Av1Sequence {
  const profile = bits.take(3);
  // still_picture
  bits.skip(1);
  const reduced = bits.take(1) === 1;
  // in a reduced header only seq_level_idx precedes the size
  if (reduced) bits.skip(5);
  const layered = !reduced && readOperatingPoints(bits);
  const widthBits = bits.take(4) + 1;
  const heightBits = bits.take(4) + 1;
  const width = bits.take(widthBits) + 1;
  const height = bits.take(heightBits) + 1;
  // frame ids: delta_frame_id_length_minus_2 and additional_frame_id_length_minus_1
  if (!reduced && bits.take(1) === 1) bits.skip(7);
  const superblocks128 = bits.take(1) === 1;
  // enable_filter_intra, enable_intra_edge_filter
  bits.skip(2);
  if (!reduced) skipInterTools(bits);
  // enable_superres, enable_cdef, enable_restoration
  bits.skip(3);
  return { width, height, superblocks128, layered, ...readColour(bits, profile) };
}

/** Skips tools for pictures that refer to others, and the choices of screen content tools. */
function skipInterTools(bits: Bits): void {
  // enable_interintra_compound, masked_compound, warped_motion, dual_filter
  bits.skip(4);
  // enable_order_hint, then jnt_comp and ref_frame_mvs
  const ordered = bits.take(1) === 1;
  if (ordered) bits.skip(2);
  // seq_choose_screen_content_tools, else seq_force_screen_content_tools
  const screenContent = bits.take(1) === 1 ? 2 : bits.take(1);
  // seq_choose_integer_mv, else seq_force_integer_mv
  if (screenContent > 0 && bits.take(1) === 0) bits.skip(1);
  // order_hint_bits_minus_1
  if (ordered) bits.skip(3);
}

/** Code points that mean sRGB samples: BT.709, sRGB, identity (§5.5.2). */
const SRGB: CodePoints = { primaries: 1, transfer: 13, matrix: 0, fullRange: true };

/** `color_config`, §5.5.2. */
function readColour(
  bits: Bits,
  profile: number,
): Omit<Av1Format, 'width' | 'height'> & Pick<Av1Sequence, 'codePoints'> {
  const deep = bits.take(1) === 1;
  const depth = !deep ? 8 : profile === 2 && bits.take(1) === 1 ? 12 : 10;
  const monochrome = profile !== 1 && bits.take(1) === 1;
  const described = bits.take(1) === 1;
  const [primaries, transfer, matrix] = described ? [bits.take(8), bits.take(8), bits.take(8)] : [2, 2, 2];
  if (monochrome) {
    const codePoints = { primaries, transfer, matrix, fullRange: bits.take(1) === 1 };
    return { depth, monochrome, subX: 1, subY: 1, codePoints };
  }
  if (primaries === SRGB.primaries && transfer === SRGB.transfer && matrix === SRGB.matrix) {
    return { depth, monochrome, subX: 0, subY: 0, codePoints: SRGB };
  }
  const codePoints = { primaries, transfer, matrix, fullRange: bits.take(1) === 1 };
  if (profile === 0) return { depth, monochrome, subX: 1, subY: 1, codePoints };
  if (profile === 1) return { depth, monochrome, subX: 0, subY: 0, codePoints };
  if (depth < 12) return { depth, monochrome, subX: 1, subY: 0, codePoints };
  const subX = bits.take(1);
  return { depth, monochrome, subX, subY: subX === 1 ? bits.take(1) : 0, codePoints };
}

/** @returns whether any operating point selects layers */
function readOperatingPoints(bits: Bits): boolean {
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
  let layered = false;
  for (let n = 0; n < points; n++) {
    // operating_point_idc; seq_level_idx, and seq_tier for levels above 7
    if (bits.take(12) !== 0) layered = true;
    if (bits.take(5) > 7) bits.skip(1);
    if (delayBits > 0 && bits.take(1) === 1) bits.skip(2 * delayBits + 1);
    if (displayDelays && bits.take(1) === 1) bits.skip(4);
  }
  return layered;
}

function skipUvlc(bits: Bits): void {
  let zeros = 0;
  while (zeros < 32 && bits.take(1) === 0) zeros++;
  if (zeros < 32) bits.skip(zeros);
}
