import type { Size } from '../codecs/types.ts';
import { sharedUntilFailure } from '../core/shared_until_failure.ts';
import { BumpAllocator } from '../faces/bump_allocator.ts';
import { floatInitializers } from '../faces/network/initializers.ts';
import type { Workspace } from '../faces/network/network.ts';
import type { Run } from '../faces/network/rows.ts';
import { layWeights } from '../faces/network/weights.ts';
import { readingModel } from './model.ts';
import { readingRanges } from './ranges.ts';
import { probabilitiesOf, type ReadingArchitecture, readableNet } from './readable_net.ts';

/** One look of the network at a picture whose rows come one by one. */
export interface ReadingPass {
  /** Takes the next row: interleaved RGB, no more pixels than the picture is wide; the rest is black. */
  push(row: Uint8Array): void;
  /**
   * The next row of the maps, if it can be told already: asked for after each push until there is none.
   * Probabilities of a pixel lie beside each other in the order of `mapKinds`.
   */
  next(): Float32Array | undefined;
}

/** What a look tells, and is told, on its way. */
export type ReadingOptions = Pick<Run, 'spend' | 'spans'>;

/** What looks at pictures; both sides are multiples of 32. */
export interface ReadingNetwork {
  /** Bytes of workspace for a picture of this size. */
  workspaceBytes(size: Size): number;
  /** @param workspace of `workspaceBytes`, or larger; it stays as it is while the look lasts */
  begin(workspace: Workspace, size: Size, options: ReadingOptions): Promise<ReadingPass>;
}

/**
 * The network that finds what can be read.
 * @param load gives the bytes of models/readable_detector.onnx; called when it is first used, and again after
 * a failure
 */
export function readingNetwork(load: () => Promise<ArrayBuffer>): ReadingNetwork {
  const architecture = readableNet(readingModel.shape, readingRanges);
  const weights = sharedUntilFailure(async () =>
    layWeights(floatInitializers(new Uint8Array(await load())), architecture.layout, [0, 1, 2]),
  );
  return networkOf(architecture, weights);
}

/** @param weights laid out so; called at every look */
export function networkOf(
  architecture: ReadingArchitecture,
  weights: () => Promise<Uint8Array<ArrayBuffer>>,
): ReadingNetwork {
  const { layout, connect } = architecture;
  return {
    workspaceBytes({ width, height }) {
      const memory = new BumpAllocator();
      const [given, at] = [memory.take(3 * width), memory.take(layout.bytes)];
      // Nothing is computed before a row comes.
      const run = { exports: {} as Run['exports'], memory, weights: at, spend: () => {} };
      connect(run, given, width, height);
      return memory.used;
    },
    async begin({ core, at, bytes }, { width, height }, options) {
      const values = await weights();
      core.view(at, bytes).fill(0);
      const memory = new BumpAllocator(core, at, bytes);
      const first = memory.take(values.byteLength);
      const given = memory.take(3 * width);
      core.view(first, values.byteLength).set(values);
      const run = { exports: core.exports, memory, weights: first, ...options };
      const { picture, makeOne, isDue, cells } = connect(run, given, width, height);
      let told = 0;
      return {
        push(row) {
          core.view(given, 3 * width).fill(0, row.length);
          core.view(given, row.length).set(row);
          picture.row(picture.made);
        },
        next() {
          if (told === cells.height) return undefined;
          while (!isDue(told)) if (!makeOne()) return undefined;
          return probabilitiesOf(core, cells, told++, options.spans);
        },
      };
    },
  };
}
