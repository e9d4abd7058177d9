import weights from '../../models/face_detector.onnx';
import { createFaceDetector, type FaceDetector } from './detector.ts';
import { faceNetwork } from './network/network.ts';

export const isolateNetwork = faceNetwork(async () => weights);

/** The detector of the isolate. */
export const faceDetector: FaceDetector = createFaceDetector(isolateNetwork);
