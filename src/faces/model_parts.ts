/** A field of a protobuf message (protobuf.dev, Encoding): with its key, and its payload alone. */
interface Field {
  readonly number: number;
  readonly whole: Uint8Array;
  readonly payload: Uint8Array;
}

/** What of a graph's node matters here. */
interface Node {
  readonly field: Field;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
}

/** Numbers of fields in onnx.proto3 of the ONNX specification (IR version 7). */
const MODEL = { graph: 7 } as const;
const GRAPH = { node: 1, initializer: 5, input: 11, output: 12, valueInfo: 13 } as const;
const NODE = { input: 1, output: 2 } as const;
const TENSOR = { name: 8 } as const;
const VALUE_INFO = { name: 1, type: 2 } as const;
const TYPE = { tensor: 1 } as const;
const TENSOR_TYPE = { element: 1 } as const;
const FLOAT = 1;

const VARINT = 0;
const LENGTH_DELIMITED = 2;
/** Bytes of the payload, by wire type, where these alone tell. */
const FIXED_BYTES: Readonly<Record<number, number>> = { 1: 8, 5: 4 };

/**
 * Cuts an ONNX model in two that give the same results one after the other, so that a run can pause between
 * them: the library itself cannot stop within a run.
 * @param model made by models/training/export.py: no subgraphs, no functions
 * @param at the name of a float tensor which, with constants, is all that what follows is made of
 * @returns `first` from the model's input to that tensor, and `second` from there to the model's outputs
 * @throws Error where the model has no such tensor, or what follows it needs others, too
 */
export function modelParts(
  model: Uint8Array,
  at: string,
): { readonly first: Uint8Array; readonly second: Uint8Array } {
  const modelFields = fieldsOf(model);
  const graph = modelFields.find(({ number }) => number === MODEL.graph);
  if (!graph) throw new Error('The face model has no graph');
  const graphFields = fieldsOf(graph.payload);
  const those = (number: number) => graphFields.filter((field) => field.number === number);
  const nodes = those(GRAPH.node).map(nodeOf);
  const border = valueInfo(at);
  const part = (inputs: readonly Field[], outputs: readonly Field[]) => {
    const { kept, missing } = neededFor(outputs.map(nameOf), nodes, inputs.map(nameOf));
    const initializers = those(GRAPH.initializer).filter(({ payload }) =>
      missing.delete(text(payload, TENSOR.name)),
    );
    if (missing.size > 0)
      throw new Error(`The face model cannot be cut at ${at}: ${[...missing]} is missing`);
    const rest = graphFields.filter(({ number }) => !(Object.values(GRAPH) as number[]).includes(number));
    const fields = [
      ...kept.map(({ field }) => field),
      ...rest,
      ...initializers,
      ...inputs.map(({ payload }) => delimited(GRAPH.input, payload)),
      ...outputs.map(({ payload }) => delimited(GRAPH.output, payload)),
    ];
    const made = delimited(MODEL.graph, joined(fields));
    return joined(modelFields.map((field) => (field === graph ? made : field)));
  };
  return { first: part(those(GRAPH.input), [border]), second: part([border], those(GRAPH.output)) };
}

/**
 * The nodes that outputs are made by, in the graph's order: every node stands behind those that it needs.
 * @param given names that are there
 * @returns `missing`, too: names that no node makes
 */
function neededFor(outputs: readonly string[], nodes: readonly Node[], given: readonly string[]) {
  const missing = new Set(outputs);
  const kept: Node[] = [];
  for (const node of nodes.toReversed()) {
    const isNeeded = node.outputs.filter((name) => missing.delete(name)).length > 0;
    if (!isNeeded) continue;
    kept.push(node);
    // An input that is left out has an empty name.
    for (const name of node.inputs) if (name !== '' && !given.includes(name)) missing.add(name);
  }
  return { kept: kept.reverse(), missing };
}

function nodeOf(field: Field): Node {
  const inside = fieldsOf(field.payload);
  const names = (number: number) =>
    inside.filter((one) => one.number === number).map(({ payload }) => decoded(payload));
  return { field, inputs: names(NODE.input), outputs: names(NODE.output) };
}

const nameOf = ({ payload }: Field): string => text(payload, VALUE_INFO.name);

/** A string field of a message; empty where there is none. */
const text = (message: Uint8Array, number: number): string =>
  decoded(fieldsOf(message).find((field) => field.number === number)?.payload ?? new Uint8Array());

const decoded = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** Says of a tensor that it is of floats, and nothing of its shape. */
function valueInfo(name: string): Field {
  const tensor = delimited(TYPE.tensor, new Uint8Array([(TENSOR_TYPE.element << 3) | VARINT, FLOAT]));
  const fields = [
    delimited(VALUE_INFO.name, new TextEncoder().encode(name)),
    delimited(VALUE_INFO.type, tensor.whole),
  ];
  return delimited(GRAPH.valueInfo, joined(fields));
}

function delimited(number: number, payload: Uint8Array): Field {
  const key = [(number << 3) | LENGTH_DELIMITED, ...varint(payload.length)];
  const whole = new Uint8Array(key.length + payload.length);
  whole.set(key);
  whole.set(payload, key.length);
  return { number, whole, payload };
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  let left = value;
  for (; left > 0x7f; left >>>= 7) bytes.push((left & 0x7f) | 0x80);
  return [...bytes, left];
}

function joined(fields: readonly Field[]): Uint8Array {
  const all = new Uint8Array(fields.reduce((sum, { whole }) => sum + whole.length, 0));
  let at = 0;
  for (const { whole } of fields) {
    all.set(whole, at);
    at += whole.length;
  }
  return all;
}

/** @throws Error where the message ends before a field does, or has a group */
function fieldsOf(message: Uint8Array): Field[] {
  const fields: Field[] = [];
  let at = 0;
  const readVarint = () => {
    let value = 0;
    // The ten bytes of 64 bits; lengths and keys of a model of less than 4 GB are in the first five.
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = message[at++];
      if (byte === undefined) break;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
    throw new Error('The face model is cut off');
  };
  while (at < message.length) {
    const start = at;
    const key = readVarint();
    const type = key & 7;
    let from = at;
    if (type === VARINT) readVarint();
    else if (type === LENGTH_DELIMITED) {
      const length = readVarint();
      from = at;
      at += length;
    } else at += FIXED_BYTES[type] ?? Number.POSITIVE_INFINITY;
    if (at > message.length) throw new Error('The face model is cut off');
    fields.push({
      number: Math.floor(key / 8),
      whole: message.subarray(start, at),
      payload: message.subarray(from, at),
    });
  }
  return fields;
}
