import { leb128, moduleOf, sectionsOf, text, unsigned } from './sections.mjs';

/**
 * Section ids of a WebAssembly module (core specification, section 5.5.2), and the kind of a memory import
 * (5.5.5).
 */
const IMPORT_SECTION = 2;
const MEMORY_SECTION = 5;
const MEMORY_KIND = 2;

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
  return moduleOf(module, kept);
}
