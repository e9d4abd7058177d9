/**
 * Section ids of a WebAssembly module (core specification, section 5.5.2), and the kind of a memory import
 * (5.5.5).
 */
const IMPORT_SECTION = 2;
const MEMORY_SECTION = 5;
const MEMORY_KIND = 2;
/** Magic and version. */
const PREAMBLE_BYTES = 8;

/**
 * Rewrites a module with its own memory into one that imports the memory, without a maximum size. The memory
 * can then come from the pool (src/core/memory_pool.ts), and be returned to it.
 * @param {Uint8Array} module with one memory, and imports
 * @param {string} namespace of the import, whose name is `memory`
 * @returns {Uint8Array}
 * @throws {Error} for a module of another form
 */
export function importMemory(module, namespace) {
  const sections = sectionsOf(module);
  const memory = sections.find(({ id }) => id === MEMORY_SECTION);
  const imports = sections.find(({ id }) => id === IMPORT_SECTION);
  if (!memory || !imports) throw new Error('Expected a module with a memory and imports');
  const [count, afterCount] = unsigned(memory.payload, 0);
  if (count !== 1) throw new Error(`Expected one memory, not ${count}`);
  // Limits begin with a byte that states whether there is a maximum size (5.3.7).
  const [pages] = unsigned(memory.payload, afterCount + 1);
  const [imported, from] = unsigned(imports.payload, 0);
  const entry = [...text(namespace), ...text('memory'), MEMORY_KIND, 0, ...leb128(pages)];
  const payload = [...leb128(imported + 1), ...imports.payload.subarray(from), ...entry];
  const kept = sections
    .filter((section) => section !== memory)
    .map((section) => (section === imports ? { ...section, payload: Uint8Array.from(payload) } : section));
  const parts = kept.flatMap((section) => [
    Uint8Array.from([section.id, ...leb128(section.payload.length)]),
    section.payload,
  ]);
  return new Uint8Array(Buffer.concat([module.subarray(0, PREAMBLE_BYTES), ...parts]));
}

/** @param {Uint8Array} module */
function sectionsOf(module) {
  const sections = [];
  for (let at = PREAMBLE_BYTES; at < module.length; ) {
    const [length, from] = unsigned(module, at + 1);
    sections.push({ id: module[at], payload: module.subarray(from, from + length) });
    at = from + length;
  }
  return sections;
}

/** An unsigned LEB128 number (5.2.2), and the offset of the next byte. */
function unsigned(bytes, at) {
  let value = 0;
  for (let shift = 0; shift < 35; shift += 7) {
    const byte = bytes[at++];
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return [value, at];
  }
  throw new Error('Expected a number of at most 32 bits');
}

function leb128(value) {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...leb128(Math.floor(value / 128))];
}

const text = (name) => [...leb128(name.length), ...Buffer.from(name)];
