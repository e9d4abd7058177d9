/** RGBA rows to what PNG stores at 8 bits (ISO/IEC 15948 section 7.2). The reverse of ./expand. */

/** Stored pixels: grey, grey and alpha, RGB, RGBA, by their number of bytes. */
const toRgb = memory.data<u8>([0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 255, 255, 255, 255], 16);
const toGreyAlpha = memory.data<u8>([0, 3, 4, 7, 8, 11, 12, 15, 255, 255, 255, 255, 255, 255, 255, 255], 16);
const toGrey = memory.data<u8>([0, 4, 8, 12, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255], 16);

/**
 * Writes `width` pixels with `channels` bytes each. Reads up to 12 bytes beyond, and leaves 32 zero bytes
 * after the row.
 */
export function pngPack(rgba: usize, out: usize, width: usize, channels: usize): void {
  const after = out + width * channels;
  if (channels === 4) {
    memory.copy(out, rgba, width * 4);
    memory.fill(after, 0, 32);
    return;
  }
  const pick = v128.load(channels === 3 ? toRgb : channels === 2 ? toGreyAlpha : toGrey);
  const end = rgba + width * 4;
  const step = channels * 4;
  for (; rgba < end; rgba += 16, out += step) v128.store(out, i8x16.swizzle(v128.load(rgba), pick));
  memory.fill(after, 0, 32);
}

/**
 * Writes `width` samples of a byte each as samples of `depth` bits (1, 2 or 4), the first in the highest
 * bits of its byte (section 7.2), and zeros after the last. Reads up to 7 bytes beyond.
 */
export function pngPackBits(samples: usize, out: usize, width: usize, depth: u32): void {
  const each: usize = 8 / depth;
  for (const end = samples + width; samples < end; samples += each) {
    let byte: u32 = 0;
    for (let i: usize = 0; i < each; i++) byte = (byte << depth) | load<u8>(samples + i);
    const beyond = <i32>(samples + each - end);
    if (beyond > 0) byte = (byte >> (<u32>beyond * depth)) << (<u32>beyond * depth);
    store<u8>(out++, <u8>byte);
  }
}
