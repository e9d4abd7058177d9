/** Turns tokens into entropy-coded bits (T.81 F.1.2). */
import { emit } from '../../host';
import { SAMPLING_GREY, SAMPLING_HALVED } from './constants';
import { fillCodes } from './huffman';
import { MARKER_BYTES } from './markers';
import { Encoder, MCU_BLOCKS } from './state';
import {
  DC_CENTRE,
  DC_ESCAPE,
  END,
  EOB,
  ESCAPE,
  EXTRA,
  extraOf,
  FIRST_PAIR,
  SIZE,
  SYMBOL,
  sizeOf,
  ZRL,
} from './tokens';

/**
 * Codes of one class (luma or chroma). For each DC token and each AC token, what to write: code and extra
 * bits << 5 | length (256 u32 each). Then for each DC size and each AC symbol its Huffman code alone, as
 * fillCodes stores it (256 u32 each).
 */
export const CODES_BYTES: usize = 4096;
const AC_CODES: usize = 1024;
const DC_SYMBOL_CODES: usize = 2048;
const AC_SYMBOL_CODES: usize = 3072;

/** Bytes of words that wait to be stuffed; flushed when an MCU might not fit. */
export const RING_BYTES: usize = 8192;
/** Bytes of output after which it is handed over: few calls, but still within the processor's cache. */
const PIECE_BYTES: usize = 65536;
/** A flush may double the ring's bytes, and the markers come first. */
export const OUTPUT_BYTES: usize = PIECE_BYTES + 2 * RING_BYTES + MARKER_BYTES + 64;
/** The most bytes an MCU's bits take: 64 coefficients of 16 + 11 bits a block, the last word included. */
const MCU_BITS_BYTES: usize = (MCU_BLOCKS * 64 * 27) / 8 + 16;

/** Swizzle that makes two u64 big-endian. */
const SWAP: usize = memory.data<u8>([7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8], 16);

/** Makes a class's codes from its two tables. */
export function fillTokenCodes(codes: usize, dcTable: usize, acTable: usize): void {
  fillCodes(dcTable, codes + DC_SYMBOL_CODES);
  fillCodes(acTable, codes + AC_SYMBOL_CODES);
  for (let token = 0; token < DC_ESCAPE; token++) {
    store<u32>(
      codes + (token << 2),
      withExtra(codes + DC_SYMBOL_CODES, sizeOf(token - DC_CENTRE), token - DC_CENTRE),
    );
  }
  for (let token = FIRST_PAIR; token < 256; token++) {
    const code = load<u32>(codes + AC_SYMBOL_CODES + ((<usize>load<u8>(SYMBOL + token)) << 2));
    const size = <u32>load<u8>(SIZE + token);
    const value = ((code >> 5) << size) | load<u8>(EXTRA + token);
    store<u32>(codes + AC_CODES + (token << 2), (value << 5) | ((code & 31) + size));
  }
  store<u32>(codes + AC_CODES + (EOB << 2), load<u32>(codes + AC_SYMBOL_CODES));
  store<u32>(codes + AC_CODES + (ZRL << 2), load<u32>(codes + AC_SYMBOL_CODES + (0xf0 << 2)));
}

/** A symbol's code followed by the extra bits of a value; `symbol & 15` is its size. */
// @inline
function withExtra(codes: usize, symbol: i32, value: i32): u32 {
  const code = load<u32>(codes + ((<usize>symbol) << 2));
  const size = symbol & 15;
  return ((((code >> 5) << size) | extraOf(value, size)) << 5) | ((code & 31) + size);
}

/**
 * Writes tokens from `from`, which is the start of an MCU, to the end of the MCU that reaches `end`.
 * @returns the place after it
 */
export function writeTokens(encoder: Encoder, from: usize, end: usize): usize {
  const luma = encoder.codes;
  const chroma = encoder.codes + CODES_BYTES;
  const lumaBlocks = encoder.sampling === SAMPLING_HALVED ? 4 : 1;
  const blocks = encoder.sampling === SAMPLING_GREY ? 1 : lumaBlocks + 2;
  const ringLimit = encoder.ring + RING_BYTES - MCU_BITS_BYTES;
  let ring = encoder.ringAt;
  let acc = encoder.acc;
  let free = encoder.free;
  let pendingCode = encoder.pendingCode;
  let pendingBits = encoder.pendingBits;
  while (from < end) {
    if (ring > ringLimit) {
      encoder.ringAt = ring;
      flushRing(encoder);
      ring = encoder.ringAt;
    }
    for (let block = 0; block < blocks; block++) {
      const codes = block < lumaBlocks ? luma : chroma;
      // The DC difference, preceded by the previous block's end of block.
      let token = <i32>load<u8>(from++);
      let entry: u32;
      if (token !== DC_ESCAPE) entry = load<u32>(codes + ((<usize>token) << 2));
      else {
        const difference = <i32>load<i16>(from);
        entry = withExtra(codes + DC_SYMBOL_CODES, sizeOf(difference), difference);
        from += 2;
      }
      let bits = <i32>(entry & 31) + pendingBits;
      let code = (pendingCode << (entry & 31)) | (entry >> 5);
      free -= bits;
      if (free >= 0) acc = (acc << bits) | code;
      else {
        store<u64>(ring, (acc << (free + bits)) | (code >> -free));
        ring += 8;
        free += 64;
        acc = code;
      }
      while (true) {
        token = <i32>load<u8>(from++);
        entry = load<u32>(codes + ((<usize>token) << 2), AC_CODES);
        if (token < ZRL) {
          if (token < ESCAPE) break;
          const value = <i32>load<i16>(from);
          entry = withExtra(codes + AC_SYMBOL_CODES, ((token - ESCAPE) << 4) | sizeOf(value), value);
          from += 2;
        }
        bits = <i32>(entry & 31);
        code = <u64>(entry >> 5);
        free -= bits;
        if (free >= 0) acc = (acc << bits) | code;
        else {
          store<u64>(ring, (acc << (free + bits)) | (code >> -free));
          ring += 8;
          free += 64;
          acc = code;
        }
      }
      pendingBits = token === END ? 0 : <i32>(entry & 31);
      pendingCode = token === END ? 0 : <u64>(entry >> 5);
    }
  }
  encoder.ringAt = ring;
  encoder.acc = acc;
  encoder.free = free;
  encoder.pendingCode = pendingCode;
  encoder.pendingBits = pendingBits;
  return from;
}

/** Moves pairs of words from the ring to the output, with a zero after every FF (T.81 B.1.1.5). */
function flushRing(encoder: Encoder): void {
  if (encoder.out - encoder.output >= PIECE_BYTES) handOver(encoder);
  const words = (encoder.ringAt - encoder.ring) & ~15;
  let out = encoder.out;
  const end = encoder.ring + words;
  const swap = v128.load(SWAP);
  for (let at = encoder.ring; at < end; at += 16) {
    const bytes = i8x16.swizzle(v128.load(at), swap);
    v128.store(out, bytes);
    const full = i8x16.eq(bytes, i32x4.splat(-1));
    if (v128.any_true(full)) out = stuffed(out, at);
    else out += 16;
  }
  encoder.out = out;
  // A single word stays in the ring.
  store<u64>(encoder.ring, load<u64>(end));
  encoder.ringAt -= words;
}

function handOver(encoder: Encoder): void {
  emit(encoder.output, encoder.out - encoder.output);
  encoder.out = encoder.output;
}

/** Writes two words byte by byte, highest first, with stuffing. */
function stuffed(out: usize, at: usize): usize {
  for (let i = 0; i < 16; i++) {
    const byte = load<u8>(at + <usize>(i ^ 7));
    store<u8>(out++, byte);
    if (byte === 0xff) store<u8>(out++, 0);
  }
  return out;
}

/**
 * Writes what is left, with the last byte filled up with ones (T.81 F.1.2.3), then the EOI marker, and hands
 * all of it over.
 */
export function finishBits(encoder: Encoder): void {
  // The last block's end of block, then padding to a whole byte.
  append(encoder, encoder.pendingCode, encoder.pendingBits);
  const padding = encoder.free & 7;
  append(encoder, (1 << padding) - 1, padding);
  flushRing(encoder);
  let out = encoder.out;
  // One word may be left in the ring, and whole bytes in the accumulator.
  if (encoder.ringAt > encoder.ring) out = lastBytes(out, load<u64>(encoder.ring), 8);
  const bytes = (64 - encoder.free) >> 3;
  if (bytes > 0) out = lastBytes(out, encoder.acc << encoder.free, bytes);
  store<u8>(out, 0xff);
  store<u8>(out, 0xd9, 1);
  encoder.out = out + 2;
  handOver(encoder);
}

function append(encoder: Encoder, code: u64, bits: i32): void {
  const free = encoder.free - bits;
  if (free >= 0) {
    encoder.acc = (encoder.acc << bits) | code;
    encoder.free = free;
    return;
  }
  store<u64>(encoder.ringAt, (encoder.acc << encoder.free) | (code >> -free));
  encoder.ringAt += 8;
  encoder.free = free + 64;
  encoder.acc = code;
}

function lastBytes(out: usize, word: u64, bytes: i32): usize {
  for (let i = 0; i < bytes; i++) {
    const byte = <u8>(word >> 56);
    store<u8>(out++, byte);
    if (byte === 0xff) store<u8>(out++, 0);
    word <<= 8;
  }
  return out;
}
