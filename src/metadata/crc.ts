/** CRC-32 of PNG (ISO/IEC 15948 annex D, polynomial 0xEDB88320 reflected), eight bytes a step ("slicing-by-8", Kounavis and Berry 2005). */

let tables: Int32Array[] | undefined;

function buildTables(): Int32Array[] {
  const built = Array.from({ length: 8 }, () => new Int32Array(256));
  for (let n = 0; n < 256; n++) {
    let c = n;
    for (let bit = 0; bit < 8; bit++) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1;
    built[0]![n] = c;
  }
  for (let n = 0; n < 256; n++) {
    let c = built[0]![n]!;
    for (let slice = 1; slice < 8; slice++) {
      c = (c >>> 8) ^ built[0]![c & 0xff]!;
      built[slice]![n] = c;
    }
  }
  return built;
}

/** The CRC-32 of bytes [start, end), as an unsigned number. */
export function crc32(bytes: Uint8Array, start: number, end: number): number {
  tables ??= buildTables();
  const [t0, t1, t2, t3, t4, t5, t6, t7] = tables as [
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
  ];
  let c = -1;
  let at = start;
  for (const last = end - 8; at <= last; at += 8) {
    c ^= bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
    c =
      t7[c & 0xff]! ^
      t6[(c >>> 8) & 0xff]! ^
      t5[(c >>> 16) & 0xff]! ^
      t4[c >>> 24]! ^
      t3[bytes[at + 4]!]! ^
      t2[bytes[at + 5]!]! ^
      t1[bytes[at + 6]!]! ^
      t0[bytes[at + 7]!]!;
  }
  for (; at < end; at++) c = (c >>> 8) ^ t0[(c ^ bytes[at]!) & 0xff]!;
  return ~c >>> 0;
}
