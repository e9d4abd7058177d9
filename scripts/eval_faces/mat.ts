import { inflateSync } from 'node:zlib';

/** Cells are lists, texts strings, numbers their columns one after the other. */
export type MatValue = string | readonly number[] | readonly MatValue[];

/** Data types and classes of MATLAB's Level 5 MAT-File Format. */
const COMPRESSED = 15;
const MATRIX = 14;
const CELL = 1;
const CHARACTERS = 4;
const HEADER_BYTES = 128;

type Reader = (view: DataView, at: number) => number;
const numbers: Readonly<Record<number, readonly [bytes: number, read: Reader]>> = {
  1: [1, (view, at) => view.getInt8(at)],
  2: [1, (view, at) => view.getUint8(at)],
  3: [2, (view, at) => view.getInt16(at, true)],
  4: [2, (view, at) => view.getUint16(at, true)],
  5: [4, (view, at) => view.getInt32(at, true)],
  6: [4, (view, at) => view.getUint32(at, true)],
  7: [4, (view, at) => view.getFloat32(at, true)],
  9: [8, (view, at) => view.getFloat64(at, true)],
  16: [1, (view, at) => view.getUint8(at)],
};

interface Element {
  readonly type: number;
  readonly data: Uint8Array;
}

/** Variables of a little-endian MAT file, by name. */
export function readMat(file: Uint8Array): Map<string, MatValue> {
  const variables = new Map<string, MatValue>();
  for (const { type, data } of elements(file.subarray(HEADER_BYTES), 1)) {
    const [matrix] = type === COMPRESSED ? elements(inflateSync(data)) : [{ type, data }];
    if (matrix?.type !== MATRIX) continue;
    const { name, value } = matrixOf(matrix.data);
    variables.set(name, value);
  }
  return variables;
}

/** @param alignment what elements begin at, whose data is not compressed */
function elements(bytes: Uint8Array, alignment = 8): Element[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const found: Element[] = [];
  for (let at = 0; at + 8 <= bytes.length; ) {
    const tag = view.getUint32(at, true);
    const isSmall = tag >>> 16 !== 0;
    const length = isSmall ? tag >>> 16 : view.getUint32(at + 4, true);
    const from = at + (isSmall ? 4 : 8);
    found.push({ type: tag & 0xffff, data: bytes.subarray(from, from + length) });
    at = isSmall ? at + 8 : from + Math.ceil(length / alignment) * alignment;
  }
  return found;
}

function matrixOf(bytes: Uint8Array): { readonly name: string; readonly value: MatValue } {
  const [flags, , name, ...parts] = elements(bytes);
  const kind = flags!.data[0];
  const text = new TextDecoder().decode(name!.data);
  if (kind === CELL) return { name: text, value: parts.map(({ data }) => matrixOf(data).value) };
  const values = parts[0] ? numbersOf(parts[0]) : [];
  return { name: text, value: kind === CHARACTERS ? String.fromCharCode(...values) : values };
}

function numbersOf({ type, data }: Element): number[] {
  const [bytes, read] = numbers[type] ?? [1, undefined];
  if (!read) throw new Error(`Numbers of type ${type} in a MAT file`);
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  return Array.from({ length: data.length / bytes }, (_, i) => read(view, i * bytes));
}
