import { describe, expect, it } from 'vitest';
import weights from '../../../models/face_detector.onnx';
import { createCore } from '../../../src/core/instance.ts';
import { faceNetworks } from '../../../src/faces/network/face_networks.ts';
import { cropFloats, verifierSide } from '../../../src/faces/network/verifier_network.ts';

const verifierNetwork = (load: () => Promise<ArrayBuffer>) => faceNetworks(load, load).verifier;
const network = verifierNetwork(async () => weights);

/** A disc with two eyes on a hatched ground; discs grow with the crop's number. */
function drawn(crop: number): number[] {
  const plane = verifierSide ** 2;
  return Array.from({ length: cropFloats }, (_, i) => {
    const colour = Math.floor(i / plane);
    const [x, y] = [i % verifierSide, Math.floor((i % plane) / verifierSide)];
    const isEye = Math.abs(Math.abs(x - 48) - 6) < 3 && Math.abs(y - 45) < 3;
    if (isEye) return 30;
    const isDisc = (x - 48) ** 2 + (y - 48) ** 2 < 200 + 90 * crop;
    const shade = isDisc ? 200 - 20 * colour : 40 + 20 * crop + 10 * colour;
    return shade + ((x * 7 + y * 13 + crop * 5) % 31);
  });
}

/**
 * What PyTorch says of these five and of their mirror images with the same weights, in the mean: log-odds
 * against an animal, and against all else.
 */
const recorded: readonly (readonly [animal: number, other: number])[] = [
  [-0.2516, -3.0779],
  [-0.638, -3.4665],
  [-0.6906, -3.6437],
  [-0.5903, -3.6925],
  [-0.6181, -3.4405],
];

/** Crops in a core, with a workspace full of what must not matter. */
function prepared(crops: readonly number[][], bytes = network.workspaceBytes) {
  const core = createCore();
  const workspace = { core, at: core.alloc(bytes), bytes };
  const at = core.alloc(crops.length * cropFloats * 4);
  core.view(workspace.at, bytes).fill(0xff);
  const shown = new Float32Array(core.exports.memory.buffer as ArrayBuffer, at, crops.length * cropFloats);
  shown.set(crops.flat());
  const verify = (model = network) => model.verify(workspace, shown, crops.length);
  return { verify, [Symbol.dispose]: () => core[Symbol.dispose]() };
}

describe('the verifier', () => {
  it('says what it says elsewhere, of crops together and alone, again and again', async () => {
    using together = prepared(recorded.map((_, crop) => drawn(crop)));
    for (let time = 0; time < 2; time++) {
      const verdicts = await together.verify();
      expect(verdicts).toHaveLength(recorded.length);
      for (const [crop, [animal, other]] of recorded.entries()) {
        expect(verdicts[crop]!.animal).toBeCloseTo(animal, 2);
        expect(verdicts[crop]!.other).toBeCloseTo(other, 2);
      }
    }
    using alone = prepared([drawn(3)]);
    expect((await alone.verify())[0]).toEqual((await together.verify())[3]);
  });

  it('does not take more memory than it states', async () => {
    using place = prepared([drawn(0)], network.workspaceBytes - 16);
    await expect(place.verify()).rejects.toThrow('memory');
  });

  it('loads its weights again after a failure', async () => {
    let tries = 0;
    const unsure = verifierNetwork(async () => {
      if (++tries === 1) throw new Error('offline');
      return weights;
    });
    using place = prepared([drawn(0)]);
    await expect(place.verify(unsure)).rejects.toThrow('offline');
    expect((await place.verify(unsure))[0]!.animal).toBeCloseTo(recorded[0]![0], 2);
    expect(tries).toBe(2);
  });
});
