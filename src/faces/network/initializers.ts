import { fieldsOf, varints } from '../../protobuf.ts';

/** Numbers of fields in onnx.proto3 of the ONNX specification (IR version 7). */
const MODEL_GRAPH = 7;
const GRAPH_INITIALIZER = 5;
const TENSOR = { dims: 1, type: 2, name: 8, rawData: 9 } as const;
const FLOAT = 1;

/** A constant tensor of floats, the last dimension running fastest. */
export interface FloatTensor {
  readonly dims: readonly number[];
  readonly values: Float32Array;
}

/**
 * The weights of an ONNX model, by name.
 * @param model made by models/training/release/export.py: no subgraphs; tensors as raw little-endian bytes
 * @throws Error if the file is cut off or has no graph
 */
export function floatInitializers(model: Uint8Array): Map<string, FloatTensor> {
  const tensors = new Map<string, FloatTensor>();
  const graph = [...fieldsOf(model)].find(({ number }) => number === MODEL_GRAPH);
  if (!graph) throw new Error('The model has no graph');
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
  // A copy, because floats must begin at a multiple of four.
  const values = new Float32Array(new Uint8Array(raw).buffer, 0, raw.length >>> 2);
  return { name, tensor: { dims, values } };
}
