import { type Field, fieldsOf, ProtobufError } from '../protobuf.ts';

/** Most bytes of a model: while it is opened, two copies are held. */
export const MAX_MODEL_BYTES = 256 * 1024 * 1024;

/** Most nodes: the largest of the usual detectors have under 2,000. */
const MAX_NODES = 20_000;

/** Numbers of fields in onnx.proto3 of the ONNX specification (IR version 7). */
const MODEL_GRAPH = 7;
const GRAPH_NODE = 1;
const GRAPH_INITIALIZER = 5;
const NODE_OPERATOR = 4;
const NODE_ATTRIBUTE = 5;
const NODE_DOMAIN = 7;
const ATTRIBUTE_TENSOR = 5;
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
    const graph = [...fieldsOf(bytes)].find(({ number }) => number === MODEL_GRAPH);
    if (!graph?.payload.length) return ['Expected an ONNX model but received a file without a graph'];
    return graphProblems(graph);
  } catch (error) {
    if (error instanceof ProtobufError) return ['Expected an ONNX model but received none, or a part of one'];
    throw error;
  }
}

function graphProblems({ payload }: Field): string[] {
  const problems = new Set<string>();
  let nodes = 0;
  for (const { number, payload: part } of fieldsOf(payload)) {
    if (number === GRAPH_INITIALIZER && isExternal(part)) problems.add(ELSEWHERE);
    if (number !== GRAPH_NODE) continue;
    if (++nodes > MAX_NODES) return [`Expected at most ${MAX_NODES} nodes but the model has more`];
    for (const problem of nodeProblems(part)) problems.add(problem);
  }
  if (nodes === 0) problems.add('Expected a graph with nodes but it has none');
  return [...problems];
}

const ELSEWHERE = 'Expected weights in the model’s own file but they are said to lie in another';

function* nodeProblems(node: Uint8Array): Generator<string> {
  for (const { number, payload } of fieldsOf(node)) {
    if (number === NODE_OPERATOR) {
      const name = new TextDecoder().decode(payload);
      if (LOOPS.has(name)) yield `Expected no operator that loops but the model has ${name}`;
    } else if (number === NODE_DOMAIN) {
      const name = new TextDecoder().decode(payload);
      if (!KNOWN_DOMAINS.has(name))
        yield 'Expected operators of ONNX but the model has some of another domain';
    } else if (number === NODE_ATTRIBUTE) {
      for (const { number: of, payload: tensor } of fieldsOf(payload)) {
        if (of === ATTRIBUTE_TENSOR && isExternal(tensor)) yield ELSEWHERE;
      }
    }
  }
}

function isExternal(tensor: Uint8Array): boolean {
  for (const { number, value } of fieldsOf(tensor)) {
    if (number === TENSOR_LOCATION && value === EXTERNAL) return true;
  }
  return false;
}
