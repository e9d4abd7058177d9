import { createReadableDetector, type ReadableDetector } from './detector.ts';
import { readingNetwork } from './reading_network.ts';

/** The detector of text and plates of the isolate; its weights are loaded when it is first used. */
export const isolateReadable: ReadableDetector = createReadableDetector(
  readingNetwork(async () => (await import('../../models/readable_detector.onnx')).default),
);
