import type { Size } from '../../codecs/types.ts';
import { byConfidence, type ScoredBox } from '../../faces/boxes.ts';

/** One output of a network. */
export interface OutputTensor {
  readonly dims: readonly number[];
  readonly data: Float32Array;
}

export type Outputs = Readonly<Record<string, OutputTensor | undefined>>;

/** A box in pixels of the network's input, and the index of its class. */
export interface Candidate extends ScoredBox {
  readonly category: number;
}

/** An output that does not match the manifest's head. */
export class HeadError extends Error {}

/** What a head needs besides the outputs. */
export interface HeadContext {
  /** Size of the network's input. */
  readonly input: Size;
  /** Number of classes named by the manifest. */
  readonly categories: number;
}

/**
 * Most candidates of one view, the most confident ones: the time of suppression grows with the square of
 * their number.
 */
export const MAX_CANDIDATES = 1000;

/** Keeps the most confident candidates, however many are added. */
export class CandidateList {
  readonly #threshold: number;
  #kept: Candidate[] = [];

  constructor(threshold: number) {
    this.#threshold = threshold;
  }

  /** Whether a box with this score would be kept; lets callers skip costly computations. */
  counts(confidence: number): boolean {
    return confidence >= this.#threshold;
  }

  /** Adds a box by its corners; ignores one without area or with a NaN. */
  add(left: number, top: number, right: number, bottom: number, confidence: number, category: number): void {
    const w = right - left;
    const h = bottom - top;
    if (!(this.counts(confidence) && w > 0 && h > 0 && Number.isFinite(left + top + w + h))) return;
    this.#kept.push({ x: left, y: top, w, h, confidence: Math.min(1, confidence), category });
    if (this.#kept.length >= 4 * MAX_CANDIDATES) this.#kept = this.best();
  }

  /** Like `add`, by centre and size. */
  addCentred(x: number, y: number, w: number, h: number, confidence: number, category: number): void {
    this.add(x - w / 2, y - h / 2, x + w / 2, y + h / 2, confidence, category);
  }

  /** Most confident first. */
  best(): Candidate[] {
    return this.#kept.sort(byConfidence).slice(0, MAX_CANDIDATES);
  }
}

/**
 * An output by its name, or the only one.
 * @param shape expected dimensions; undefined for any
 * @throws HeadError if there is none, or its shape differs
 */
export function outputOf(
  outputs: Outputs,
  name: string | undefined,
  ...shapes: readonly (readonly (number | undefined)[])[]
): OutputTensor {
  const names = Object.keys(outputs);
  const output = name === undefined && names.length === 1 ? outputs[names[0]!] : outputs[name ?? ''];
  if (!output) {
    throw new HeadError(`Expected output ${name ?? '(the only one)'} but the model has ${names.join(', ')}`);
  }
  const fits = (shape: readonly (number | undefined)[]) =>
    shape.length === output.dims.length &&
    shape.every((side, at) => side === undefined || side === output.dims[at]);
  if (!shapes.some(fits)) {
    const wanted = shapes.map((shape) => `[${shape.map((side) => side ?? 'n').join(', ')}]`).join(' or ');
    throw new HeadError(
      `Expected output ${name ?? names[0]} of shape ${wanted} but received [${output.dims.join(', ')}]`,
    );
  }
  return output;
}

type Activation = 'none' | 'sigmoid' | 'softmax';

/** The class with the highest score of a candidate: its index and score. */
export interface Surest {
  category: number;
  confidence: number;
}

/**
 * Finds the highest of `count` scores that are `step` apart.
 * @param background a class that means nothing was found; -1 if there is none
 * @param surest is written to, so that no object is made per candidate
 */
export function surestOf(
  data: Float32Array,
  from: number,
  step: number,
  count: number,
  activation: Activation,
  surest: Surest,
  background = -1,
): void {
  let best = -1;
  let most = Number.NEGATIVE_INFINITY;
  let highest = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < count; at++) {
    const value = data[from + at * step]!;
    if (value > highest) highest = value;
    if (at === background || !(value > most)) continue;
    most = value;
    best = at;
  }
  surest.category = best;
  surest.confidence = activation === 'sigmoid' ? sigmoid(most) : most;
  if (activation !== 'softmax') return;
  let sum = 0;
  for (let at = 0; at < count; at++) sum += Math.exp(data[from + at * step]! - highest);
  surest.confidence = Math.exp(most - highest) / sum;
}

export const sigmoid = (value: number): number => 1 / (1 + Math.exp(-value));
