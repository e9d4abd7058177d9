/** Bytes of boxes to write: ISO/IEC 14496-12 §4.2. Numbers are big-endian. */
export type Bytes = readonly number[];

export const u16 = (value: number): Bytes => [(value >> 8) & 0xff, value & 0xff];
export const u32 = (value: number): Bytes => [...u16(value >>> 16), ...u16(value & 0xffff)];
export const ascii = (text: string): Bytes => Array.from(text, (letter) => letter.charCodeAt(0));

/** A box around its parts. */
export const box = (type: string, ...parts: readonly Bytes[]): Bytes => {
  const body = parts.flat();
  return [...u32(8 + body.length), ...ascii(type), ...body];
};

/** A FullBox: a version, no flags. */
export const fullBox = (type: string, version: number, ...parts: readonly Bytes[]): Bytes =>
  box(type, [version, 0, 0, 0], ...parts);
