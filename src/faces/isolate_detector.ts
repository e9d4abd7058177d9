import own from '../../models/face_detector.onnx';
import theirs from '../../models/yunet_n.onnx';
import { createFaceDetector, type FaceDetector } from './detector.ts';
import { faceNetworks } from './network/face_networks.ts';

export const isolateNetworks = faceNetworks(
  async () => own,
  async () => theirs,
);

const { network, tileNetwork, verifier } = isolateNetworks;

/** The detector of the isolate. */
export const faceDetector: FaceDetector = createFaceDetector(network, verifier, tileNetwork);
