import weights from '../../models/face_detector.onnx';
import { createFaceDetector, type FaceDetector } from './detector.ts';
import { faceNetwork } from './network/network.ts';
import { verifierNetwork } from './network/verifier_network.ts';

export const isolateNetwork = faceNetwork(async () => weights);
export const isolateVerifier = verifierNetwork(async () => weights);

/** The detector of the isolate. */
export const faceDetector: FaceDetector = createFaceDetector(isolateNetwork, isolateVerifier);
