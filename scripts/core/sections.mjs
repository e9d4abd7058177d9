/** A WebAssembly module as its sections (core specification, sections 5.2.2 and 5.5). */

/** Magic and version. */
const PREAMBLE_BYTES = 8;

/**
 * @param {Uint8Array} module
 * @returns {{ id: number, payload: Uint8Array }[]}
 */
export function sectionsOf(module) {
  const sections = [];
  for (let at = PREAMBLE_BYTES; at < module.length; ) {
    const [length, from] = unsigned(module, at + 1);
    sections.push({ id: module[at], payload: module.subarray(from, from + length) });
    at = from + length;
  }
  return sections;
}

/**
 * @param {Uint8Array} module whose magic and version are taken
 * @param {{ id: number, payload: Uint8Array }[]} sections in their order
 * @returns {Uint8Array}
 */
export function moduleOf(module, sections) {
  const parts = sections.flatMap(({ id, payload }) => [
    Uint8Array.from([id, ...leb128(payload.length)]),
    payload,
  ]);
  return new Uint8Array(Buffer.concat([module.subarray(0, PREAMBLE_BYTES), ...parts]));
}

/** An unsigned LEB128 number, and the offset of the next byte. */
export function unsigned(bytes, at) {
  let value = 0;
  for (let shift = 0; shift < 35; shift += 7) {
    const byte = bytes[at++];
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return [value, at];
  }
  throw new Error('Expected a number of at most 32 bits');
}

export function leb128(value) {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...leb128(Math.floor(value / 128))];
}

/** A name: its length in bytes, then the bytes. */
export const text = (name) => [...leb128(Buffer.byteLength(name)), ...Buffer.from(name)];
