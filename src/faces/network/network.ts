import { addressOf, type Core } from '../../core/instance.ts';
import { BumpAllocator } from '../bump_allocator.ts';
import { type Candidates, candidatesOf } from './candidates.ts';
import type { Architecture, FaceArchitecture, OutputRows } from './layers.ts';
import type { Run } from './rows.ts';

/** The fewest multiplications between two pauses: a row of the backbone, in a pass over 640² pixels. */
export const PAUSE_AFTER = 20_000_000;

/** Filling one pixel of an input and clearing its memory take as long as this many multiplications. */
const FILLING = 140;

/** Nanoseconds of a multiplication, as pauses are told. */
export const MULTIPLICATION_TIME = 1 / 21.6;

/** A core's memory for one run. */
export interface Workspace {
  readonly core: Core;
  readonly at: number;
  readonly bytes: number;
}

/** A model that detects faces: the face network, or a substitute in tests. */
export interface FaceModel {
  /** Bytes of workspace for an input of this size; sides are multiples of 32. */
  workspaceBytes(width: number, height: number): number;
  /**
   * Detects faces in one picture. Runs in different workspaces do not disturb each other.
   * @param workspace of `workspaceBytes`, or larger
   * @param image planar RGB, 3 × height × width, values 0 to 255; lies in the workspace's core
   * @param width a multiple of 32, as is `height`
   * @param pause called before a large input and every few rows, with the nanoseconds that the work since the
   * last call usually takes. The run continues when it has resolved, and throws what it throws. Workspace and
   * image must not change meanwhile.
   */
  run(
    workspace: Workspace,
    image: Float32Array,
    width: number,
    height: number,
    pause?: (nanoseconds: number) => Promise<void> | undefined,
  ): Promise<Candidates>;
}

/**
 * A network in the image core. A layer computes a row when the next layer needs it, so that most layers hold
 * only a few rows.
 */
export class Network<Answer> {
  readonly #architecture: Architecture;
  readonly #weights: () => Promise<Uint8Array<ArrayBuffer>>;
  readonly #answer: (core: Core, outputs: readonly OutputRows[]) => Answer;

  /**
   * @param weights gives the weights, laid out as the architecture says; called at every run
   * @param answer reads the finished outputs, in the architecture's order
   */
  constructor(
    architecture: Architecture,
    weights: () => Promise<Uint8Array<ArrayBuffer>>,
    answer: (core: Core, outputs: readonly OutputRows[]) => Answer,
  ) {
    this.#architecture = architecture;
    this.#weights = weights;
    this.#answer = answer;
  }

  /** As `FaceModel` has it. */
  workspaceBytes(width: number, height: number): number {
    const memory = new BumpAllocator();
    const weights = memory.take(this.#architecture.layout.bytes);
    // `connect` computes nothing, so it needs no kernels.
    const exports = {} as Run['exports'];
    this.#architecture.connect({ exports, memory, weights, spend: () => {} }, { image: 0, width, height });
    return memory.used;
  }

  /** As `FaceModel` has it. */
  async run(
    { core, at, bytes }: Workspace,
    image: Float32Array,
    width: number,
    height: number,
    pause?: (nanoseconds: number) => Promise<void> | undefined,
  ): Promise<Answer> {
    const values = await this.#weights();
    const memory = new BumpAllocator(core, at, bytes);
    const weights = memory.take(values.byteLength);
    let spent = 0;
    const spend = (multiplications: number) => {
      spent += multiplications;
    };
    const rest = async () => {
      const nanoseconds = spent * MULTIPLICATION_TIME;
      spent = 0;
      await pause?.(nanoseconds);
    };
    const input = { image: addressOf(core, new Uint8Array(image.buffer, image.byteOffset)), width, height };
    const run = { exports: core.exports, memory, weights, spend };
    const { backbone, outputs } = this.#architecture.connect(run, input);
    // Only what this run takes: most inputs are far smaller than the largest.
    core.view(at, memory.used).fill(0);
    core.view(weights, values.byteLength).set(values);
    spend(width * height * FILLING);
    if (spent >= PAUSE_AFTER) await rest();
    for (let y = 0; y < backbone.height; y++) {
      backbone.row(y);
      if (spent >= PAUSE_AFTER) await rest();
    }
    for (const output of outputs) {
      for (let y = 0; y < output.cells.height; y++) {
        output.make(y);
        if (spent >= PAUSE_AFTER) await rest();
      }
    }
    return this.#answer(core, outputs);
  }
}

/** A network that finds faces (models/README.md: which ones, and the origin of their weights). */
export class FaceNetwork extends Network<Candidates> implements FaceModel {
  constructor(architecture: FaceArchitecture, weights: () => Promise<Uint8Array<ArrayBuffer>>) {
    super(architecture, weights, (core, outputs) =>
      candidatesOf(core, outputs.toReversed(), architecture.cells),
    );
  }
}
