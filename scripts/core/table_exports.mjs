import { leb128, moduleOf, sectionsOf, text, unsigned } from './sections.mjs';

/** Section ids (core specification, section 5.5.2), and kinds of exports (5.5.10). */
const CUSTOM_SECTION = 0;
const TABLE_SECTION = 4;
const EXPORT_SECTION = 7;
const ELEMENT_SECTION = 9;
const FUNCTION_KIND = 0;
const TABLE_KIND = 1;
/** The type of references to functions (5.3.3), and limits without a maximum (5.3.7). */
const FUNCTION_REFERENCE = 0x70;
const NO_MAXIMUM = 0;

/**
 * Rewrites a module whose functions are exported by name into one that exports a single table of them,
 * `functions`; the custom section `functions` has their names, one a line. For each exported function the
 * runtime makes a function of its own whenever the module is instantiated; from a table only what is asked
 * for (src/core/table_exports.ts).
 * @param {Uint8Array} module without a table
 * @returns {Uint8Array}
 * @throws {Error} for a module of another form
 */
export function tableExports(module) {
  const sections = sectionsOf(module);
  const exported = sections.find(({ id }) => id === EXPORT_SECTION);
  if (!exported || sections.some(({ id }) => id === TABLE_SECTION || id === ELEMENT_SECTION)) {
    throw new Error('Expected a module with exports and without a table');
  }
  const all = exportsIn(exported.payload);
  const functions = all.filter(({ kind }) => kind === FUNCTION_KIND);
  const others = all.filter(({ kind }) => kind !== FUNCTION_KIND);
  const count = leb128(functions.length);
  const table = [1, FUNCTION_REFERENCE, NO_MAXIMUM, ...count];
  const exports = [
    ...leb128(others.length + 1),
    ...others.flatMap(({ name, kind, index }) => [...text(name), kind, ...leb128(index)]),
    ...[...text('functions'), TABLE_KIND, 0],
  ];
  // One active segment of table 0, from i32.const 0 on (5.5.12).
  const elements = [1, 0, 0x41, 0, 0x0b, ...count, ...functions.flatMap(({ index }) => leb128(index))];
  const names = [...text('functions'), ...Buffer.from(functions.map(({ name }) => name).join('\n'))];
  const added = [
    { id: TABLE_SECTION, payload: Uint8Array.from(table) },
    { id: EXPORT_SECTION, payload: Uint8Array.from(exports) },
    { id: ELEMENT_SECTION, payload: Uint8Array.from(elements) },
  ];
  const before = (section, id) => section.id !== CUSTOM_SECTION && section.id < id;
  const kept = sections.filter((section) => section !== exported);
  for (const section of added) {
    kept.splice(kept.findLastIndex((other) => before(other, section.id)) + 1, 0, section);
  }
  return moduleOf(module, [...kept, { id: CUSTOM_SECTION, payload: Uint8Array.from(names) }]);
}

/** @returns {{ name: string, kind: number, index: number }[]} */
function exportsIn(payload) {
  const found = [];
  let [count, at] = unsigned(payload, 0);
  for (; count > 0; count--) {
    const [length, from] = unsigned(payload, at);
    const name = Buffer.from(payload.subarray(from, from + length)).toString();
    const kind = payload[from + length];
    const [index, next] = unsigned(payload, from + length + 1);
    found.push({ name, kind, index });
    at = next;
  }
  return found;
}
