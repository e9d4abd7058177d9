import type { Size } from '../codecs/types.ts';
import { sharedUntilFailure } from '../core/shared_until_failure.ts';
import { BumpAllocator } from '../faces/bump_allocator.ts';
import { floatInitializers } from '../faces/network/initializers.ts';
import type { Workspace } from '../faces/network/network.ts';
import type { Run } from '../faces/network/rows.ts';
import { packWeights } from '../faces/network/weights.ts';
import { readingModel } from './model.ts';
import { readingRanges } from './ranges.ts';
import { probabilitiesOf, type ReadingArchitecture, readableNet } from './readable_net.ts';

/** One pass of the network over a picture whose rows arrive one by one. */
export interface ReadingPass {
  /**
   * Takes the next row: interleaved RGB, at most as many pixels as the picture is wide; the rest is black.
   */
  push(row: Uint8Array): void;
  /**
   * The next row of the maps, if it can already be computed; call it after each push until it returns
   * undefined. The probabilities of a pixel are adjacent, in the order of `mapKinds`.
   */
  next(): Float32Array | undefined;
}

/** Callbacks and inputs of a pass. */
export type ReadingOptions = Pick<Run, 'spend' | 'spans'>;

/** A network that looks at pictures whose sides are both multiples of 32. */
export interface ReadingNetwork {
  /** Bytes of workspace for a picture of this size. */
  workspaceBytes(size: Size): number;
  /** @param workspace of at least `workspaceBytes`; must not be changed while the pass lasts */
  begin(workspace: Workspace, size: Size, options: ReadingOptions): Promise<ReadingPass>;
}

/**
 * The network that finds text and plates.
 * @param load returns the bytes of models/readable_detector.onnx; called at the first use, and again after a
 * failure
 */
export function readingNetwork(load: () => Promise<ArrayBuffer>): ReadingNetwork {
  const architecture = readableNet(readingModel.shape, readingRanges);
  const weights = sharedUntilFailure(async () =>
    packWeights(floatInitializers(new Uint8Array(await load())), architecture.layout, [0, 1, 2]),
  );
  return readingNetworkOf(architecture, weights);
}

/** @param weights in this layout; called for every pass */
export function readingNetworkOf(
  architecture: ReadingArchitecture,
  weights: () => Promise<Uint8Array<ArrayBuffer>>,
): ReadingNetwork {
  const { layout, connect } = architecture;
  return {
    workspaceBytes({ width, height }) {
      const memory = new BumpAllocator();
      const [given, at] = [memory.take(3 * width), memory.take(layout.bytes)];
      // Nothing is computed before a row arrives.
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
