import { sharedUntilFailure } from '../../core/shared_until_failure.ts';
import { model, verifierShape } from '../model.ts';
import { faceNet } from './face_net.ts';
import { floatInitializers } from './initializers.ts';
import { FaceNetwork } from './network.ts';
import { ranges } from './ranges.ts';
import { VerifierNetwork, verifierInputs, verifierLayout, verifierOutputs } from './verifier_network.ts';
import { packWeights, tensor } from './weights.ts';
import { yunet } from './yunet.ts';

/** The networks of a detector. */
interface FaceNetworks {
  /** For views of the whole picture, and for crops of it. */
  readonly network: FaceNetwork;
  /** For tiles, and for the smallest view. */
  readonly tileNetwork: FaceNetwork;
  readonly verifier: VerifierNetwork;
}

type Load = () => Promise<ArrayBuffer>;

/**
 * Each file is parsed once, when a network of it is first used, and again after a failure.
 * @param own gives the bytes of models/face_detector.onnx
 * @param theirs gives those of models/yunet_n.onnx
 */
export function faceNetworks(own: Load, theirs: Load): FaceNetworks {
  const [wholes, tiles, crops] = [
    faceNet(model.shape, ranges.faceDetector),
    yunet(ranges.yunet),
    verifierLayout(verifierShape, ranges.verifier),
  ];
  const read = async (load: Load) => floatInitializers(new Uint8Array(await load()));
  const ownWeights = sharedUntilFailure(async () => {
    const tensors = await read(own);
    return {
      network: packWeights(tensors, wholes.layout, [0, 1, 2]),
      verifier: {
        layers: packWeights(tensors, crops, [0, 1, 2]),
        head: tensor(tensors, 'verifier.head.weight', [verifierOutputs, verifierInputs]),
        biases: tensor(tensors, 'verifier.head.bias', [verifierOutputs]),
      },
    };
  });
  // YuNet's first layer takes blue, green, red.
  const theirWeights = sharedUntilFailure(async () =>
    packWeights(await read(theirs), tiles.layout, [2, 1, 0]),
  );
  return {
    network: new FaceNetwork(wholes, async () => (await ownWeights()).network),
    tileNetwork: new FaceNetwork(tiles, theirWeights),
    verifier: new VerifierNetwork(crops, async () => (await ownWeights()).verifier),
  };
}
