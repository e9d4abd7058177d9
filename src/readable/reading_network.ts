import { sharedUntilFailure } from '../core/shared_until_failure.ts';
import { floatInitializers } from '../faces/network/initializers.ts';
import { Network } from '../faces/network/network.ts';
import { layWeights } from '../faces/network/weights.ts';
import { readingModel } from './model.ts';
import { readingRanges } from './ranges.ts';
import type { ReadingMaps } from './read_maps.ts';
import { mapsOf, readableNet } from './readable_net.ts';

/**
 * The network that finds what can be read.
 * @param load gives the bytes of models/readable_detector.onnx; called when it is first used, and again after
 * a failure
 */
export function readingNetwork(load: () => Promise<ArrayBuffer>): Network<ReadingMaps> {
  const architecture = readableNet(readingModel.shape, readingRanges);
  const weights = sharedUntilFailure(async () =>
    layWeights(floatInitializers(new Uint8Array(await load())), architecture.layout, [0, 1, 2]),
  );
  return new Network(architecture, weights, mapsOf);
}
