/** Numbers of fields in onnx.proto3 of the ONNX specification (IR version 7). */
const MODEL_GRAPH = 7;
const GRAPH_INITIALIZER = 5;
const TENSOR = { dims: 1, type: 2, name: 8, rawData: 9 } as const;
const FLOAT = 1;

/** Wire types of protobuf (protobuf.dev, Encoding). */
const VARINT = 0;
const LENGTH_DELIMITED = 2;
/** Bytes of the payload, by wire type, where these alone tell. */
const FIXED_BYTES: Readonly<Record<number, number>> = { 1: 8, 5: 4 };

/** A constant tensor of floats, the last dimension running fastest. */
export interface FloatTensor {
  readonly dims: readonly number[];
  readonly values: Float32Array;
}

/**
 * The weights of an ONNX model, by name.
 * @param model made by models/training/export.py: no subgraphs; tensors as raw little-endian bytes
 * @throws Error where the file is cut off or has no graph
 */
export function floatInitializers(model: Uint8Array): Map<string, FloatTensor> {
  const tensors = new Map<string, FloatTensor>();
  const graph = [...fieldsOf(model)].find(({ number }) => number === MODEL_GRAPH);
  if (!graph) throw new Error('The face model has no graph');
  for (const { number, payload } of fieldsOf(graph.payload)) {
    if (number !== GRAPH_INITIALIZER) continue;
    const { name, tensor } = tensorOf(payload);
    if (tensor) tensors.set(name, tensor);
  }
  return tensors;
}

function tensorOf(message: Uint8Array): { readonly name: string; readonly tensor?: FloatTensor } {
  const dims: number[] = [];
  let name = '';
  let isFloat = false;
  let raw: Uint8Array | undefined;
  for (const { number, value, payload } of fieldsOf(message)) {
    if (number === TENSOR.dims) dims.push(...(payload.length > 0 ? varints(payload) : [value]));
    else if (number === TENSOR.type) isFloat = value === FLOAT;
    else if (number === TENSOR.name) name = new TextDecoder().decode(payload);
    else if (number === TENSOR.rawData) raw = payload;
  }
  if (!isFloat || !raw) return { name };
  // A copy: floats must begin at a multiple of four.
  const values = new Float32Array(new Uint8Array(raw).buffer, 0, raw.length >>> 2);
  return { name, tensor: { dims, values } };
}

/** A field of a message: `value` of a varint, else the payload. */
interface Field {
  readonly number: number;
  readonly value: number;
  readonly payload: Uint8Array;
}

const NOTHING = new Uint8Array();

/** @throws Error where the message ends before a field does, or has a group */
function* fieldsOf(message: Uint8Array): Generator<Field> {
  let at = 0;
  while (at < message.length) {
    const key = varintAt(message, at);
    at = key.end;
    const type = key.value & 7;
    const number = Math.floor(key.value / 8);
    if (type === VARINT) {
      const { value, end } = varintAt(message, at);
      at = end;
      yield { number, value, payload: NOTHING };
      continue;
    }
    let length = FIXED_BYTES[type] ?? Number.POSITIVE_INFINITY;
    if (type === LENGTH_DELIMITED) {
      const header = varintAt(message, at);
      length = header.value;
      at = header.end;
    }
    if (at + length > message.length) throw new Error('The face model is cut off');
    yield { number, value: 0, payload: message.subarray(at, at + length) };
    at += length;
  }
}

function varints(bytes: Uint8Array): number[] {
  const values: number[] = [];
  for (let at = 0; at < bytes.length; ) {
    const { value, end } = varintAt(bytes, at);
    values.push(value);
    at = end;
  }
  return values;
}

function varintAt(bytes: Uint8Array, from: number): { readonly value: number; readonly end: number } {
  let value = 0;
  // The ten bytes of 64 bits; lengths and keys of a model of less than 4 GB are in the first five.
  for (let index = 0; index < 10; index++) {
    const byte = bytes[from + index];
    if (byte === undefined) break;
    value += (byte & 0x7f) * 2 ** (7 * index);
    if (byte < 0x80) return { value, end: from + index + 1 };
  }
  throw new Error('The face model is cut off');
}
