import type { Size } from '../codecs/types.ts';
import type { CoreExports } from '../core/exports.ts';
import type { TimeSlice } from '../scheduling/time_slice.ts';
import { byConfidence, type ScoredBox, suppress } from './boxes.ts';
import type { DetectorMemory } from './detector_memory.ts';
import { inputFloats } from './memory_plan.ts';
import { leastLogit, sameFace, scoreOf } from './model.ts';
import type { FaceModel, Workspace } from './network/network.ts';

/** A pass keeps at most this many candidates, the most confident: it bounds the time of hostile pictures. */
const maxCandidates = 500;

/** A view without a box counts with this score, so lower scores are dropped. */
const leastScore = scoreOf(leastLogit);

/** Runs models on the contents of their input. */
export class PassRunner {
  readonly #slice: TimeSlice;
  /** Planar RGB of the next pass, from its beginning. */
  readonly input: Float32Array;
  readonly workspace: Workspace;
  /** Runs so far. */
  passes = 0;

  /** @param workspaceBytes enough for any model and input */
  constructor(memory: DetectorMemory, workspaceBytes: number, slice: TimeSlice) {
    this.#slice = slice;
    const bytes = inputFloats * Float32Array.BYTES_PER_ELEMENT;
    // Not cleared: every pass fills all of its input.
    const { buffer, byteOffset } = memory.core.view(memory.take(bytes), bytes);
    this.input = new Float32Array(buffer, byteOffset, inputFloats);
    this.workspace = { core: memory.core, at: memory.take(workspaceBytes), bytes: workspaceBytes };
  }

  get kernels(): CoreExports {
    return this.workspace.core.exports;
  }

  /** @returns candidates after non-maximum suppression, in pixels of the input, which has this size */
  async run(model: FaceModel, { width, height }: Size): Promise<ScoredBox[]> {
    this.passes++;
    const input = this.input.subarray(0, 3 * width * height);
    const pauseWithin = (nanoseconds: number) => this.#slice.spendTime(nanoseconds);
    const { boxes, scores } = await model.run(this.workspace, input, width, height, pauseWithin);
    const candidates: ScoredBox[] = [];
    for (let i = 0; i < scores.length; i++) {
      const confidence = scores[i]!;
      if (!(confidence >= leastScore)) continue;
      const x = boxes[4 * i]!;
      const y = boxes[4 * i + 1]!;
      const w = boxes[4 * i + 2]! - x;
      const h = boxes[4 * i + 3]! - y;
      if (w > 0 && h > 0) candidates.push({ x, y, w, h, confidence });
    }
    const pause = this.#slice.end();
    if (pause) await pause;
    return suppress(candidates.sort(byConfidence).slice(0, maxCandidates), sameFace);
  }
}
