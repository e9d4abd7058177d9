import { createFaceDetector, type FaceDetector } from './detector.ts';
import { faceSession } from './session.ts';

/** The detector of the isolate; the model is loaded at the first detection. */
export const faceDetector: FaceDetector = createFaceDetector(faceSession);
