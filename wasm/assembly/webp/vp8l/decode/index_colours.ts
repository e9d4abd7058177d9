/** The colour indexing transform (WebP lossless bitstream specification, section 4.4). */

/** Entries of every colour table; those that the file does not give are transparent black. */
export const TABLE_ENTRIES: i32 = 256;

/** Log2 of the pixels per byte, by the number of colours. */
export function packingOf(colours: i32): u32 {
  return colours <= 2 ? 3 : colours <= 4 ? 2 : colours <= 16 ? 1 : 0;
}

/** Turns differences from the previous colour into colours. */
export function sumColours(table: usize, colours: i32): void {
  let sum = i32x4.splat(0);
  for (const end = table + ((<usize>colours) << 2); table < end; table += 4) {
    sum = i8x16.add(sum, v128.load32_zero(table));
    v128.store32_lane(table, sum, 0);
  }
}

/**
 * Writes the colours of a row of `width` pixels; their packed indices are the greens of the words at `from`.
 * @param table 256 words
 */
export function indexRow(table: usize, packing: u32, width: i32, from: usize, to: usize): void {
  const end = to + ((<usize>width) << 2);
  if (packing === 0) {
    for (; to < end; from += 4, to += 4) {
      store<u32>(to, load<u32>(table + ((<usize>load<u8>(from, 1)) << 2)));
    }
    return;
  }
  const indexBits: u32 = 8 >> packing;
  const mask: u32 = (1 << indexBits) - 1;
  const perByte: i32 = 1 << packing;
  while (to < end) {
    let packed = <u32>load<u8>(from, 1);
    from += 4;
    for (const byteEnd = min(end, to + ((<usize>perByte) << 2)); to < byteEnd; to += 4) {
      store<u32>(to, load<u32>(table + ((packed & mask) << 2)));
      packed >>= indexBits;
    }
  }
}

/** Like `indexRow`, from indices in bytes to the greens of their colours in bytes. */
export function indexGreenRow(table: usize, packing: u32, width: i32, from: usize, to: usize): void {
  const indexBits: u32 = 8 >> packing;
  const mask: u32 = (1 << indexBits) - 1;
  const perByte: usize = 1 << packing;
  const end = to + width;
  while (to < end) {
    let packed = <u32>load<u8>(from++);
    for (const byteEnd = min(end, to + perByte); to < byteEnd; to++) {
      store<u8>(to, load<u8>(table + ((packed & mask) << 2), 1));
      packed >>= indexBits;
    }
  }
}
