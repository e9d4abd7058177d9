import { fieldsOf, ProtobufError } from '../protobuf.ts';

/** Most bytes of a model: while it is opened, two copies are held. */
export const MAX_MODEL_BYTES = 256 * 1024 * 1024;

/** Most nodes: the largest of the usual detectors have under 2,000. */
const MAX_NODES = 20_000;

/** Deepest nesting of graphs within nodes, as in branches of `If`. */
const MAX_DEPTH = 8;

/** Numbers of fields in onnx.proto3 of the ONNX specification (IR version 13). */
const MODEL_GRAPH = 7;
const MODEL_FUNCTION = 25;
const FUNCTION_NODE = 7;
const GRAPH_NODE = 1;
const GRAPH_INITIALIZER = 5;
const NODE_OPERATOR = 4;
const NODE_ATTRIBUTE = 5;
const NODE_DOMAIN = 7;
const ATTRIBUTE_TENSOR = 5;
const ATTRIBUTE_GRAPH = 6;
const ATTRIBUTE_TENSORS = 10;
const ATTRIBUTE_GRAPHS = 11;
const TENSOR_LOCATION = 14;
/** `DataLocation.EXTERNAL` of a tensor. */
const EXTERNAL = 1;

/** Operators that repeat a graph as often as the data say, so that a run would have no time limit. */
const LOOPS = new Set(['Loop', 'Scan', 'SequenceMap']);

/** Domains of operators: the standard's, and onnxruntime's own. */
const KNOWN_DOMAINS = new Set(['', 'ai.onnx', 'com.microsoft']);

/**
 * What is wrong with a model file, checked before any runtime opens it; empty if nothing is.
 * @param bytes of the .onnx file
 */
export function modelProblems(bytes: Uint8Array): string[] {
  if (bytes.length === 0) return ['Expected an ONNX model but received an empty file'];
  if (bytes.length > MAX_MODEL_BYTES) {
    return [`Expected a model of at most ${MAX_MODEL_BYTES} bytes but received ${bytes.length}`];
  }
  try {
    return new ModelCheck().problemsOf(bytes);
  } catch (error) {
    if (error instanceof ProtobufError) return ['Expected an ONNX model but received none, or a part of one'];
    throw error;
  }
}

const ELSEWHERE = 'Expected weights in the model’s own file but they are said to lie in another';

/** Looks at every node of a model, also in graphs within nodes and in functions. */
class ModelCheck {
  readonly #problems = new Set<string>();
  #nodes = 0;

  /** @throws ProtobufError */
  problemsOf(model: Uint8Array): string[] {
    // A reader joins the graphs of a model that has several.
    let graphBytes = 0;
    for (const { number, payload } of fieldsOf(model)) {
      if (number === MODEL_FUNCTION) this.#nodesOf(payload, FUNCTION_NODE, 0);
      if (number !== MODEL_GRAPH) continue;
      graphBytes += payload.length;
      this.#graph(payload, 0);
    }
    if (graphBytes === 0) return ['Expected an ONNX model but received a file without a graph'];
    if (this.#nodes > MAX_NODES) return [`Expected at most ${MAX_NODES} nodes but the model has more`];
    if (this.#nodes === 0) this.#problems.add('Expected a graph with nodes but it has none');
    return [...this.#problems];
  }

  #graph(graph: Uint8Array, depth: number): void {
    if (depth > MAX_DEPTH) {
      this.#problems.add(`Expected graphs nested at most ${MAX_DEPTH} deep but the model has deeper ones`);
      return;
    }
    for (const { number, payload } of fieldsOf(graph))
      if (number === GRAPH_INITIALIZER) this.#tensor(payload);
    this.#nodesOf(graph, GRAPH_NODE, depth);
  }

  #nodesOf(message: Uint8Array, field: number, depth: number): void {
    for (const { number, payload } of fieldsOf(message)) {
      if (number !== field) continue;
      if (++this.#nodes > MAX_NODES) return;
      this.#node(payload, depth);
    }
  }

  #node(node: Uint8Array, depth: number): void {
    for (const { number, payload } of fieldsOf(node)) {
      if (number === NODE_OPERATOR) {
        const name = new TextDecoder().decode(payload);
        if (LOOPS.has(name)) this.#problems.add(`Expected no operator that loops but the model has ${name}`);
      } else if (number === NODE_DOMAIN) {
        const name = new TextDecoder().decode(payload);
        if (!KNOWN_DOMAINS.has(name))
          this.#problems.add('Expected operators of ONNX but the model has some of another domain');
      } else if (number === NODE_ATTRIBUTE) {
        this.#attribute(payload, depth);
      }
    }
  }

  #attribute(attribute: Uint8Array, depth: number): void {
    for (const { number, payload } of fieldsOf(attribute)) {
      if (number === ATTRIBUTE_TENSOR || number === ATTRIBUTE_TENSORS) this.#tensor(payload);
      if (number === ATTRIBUTE_GRAPH || number === ATTRIBUTE_GRAPHS) this.#graph(payload, depth + 1);
    }
  }

  #tensor(tensor: Uint8Array): void {
    if (isExternal(tensor)) this.#problems.add(ELSEWHERE);
  }
}

function isExternal(tensor: Uint8Array): boolean {
  for (const { number, value } of fieldsOf(tensor)) {
    if (number === TENSOR_LOCATION && value === EXTERNAL) return true;
  }
  return false;
}
