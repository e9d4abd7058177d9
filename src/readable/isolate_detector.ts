import { createReadableDetector, type ReadableDetector } from './detector.ts';
import { readingNetwork } from './reading_network.ts';

/** The isolate's detector of text and plates; its weights are loaded at its first use. */
export const isolateReadable: ReadableDetector = createReadableDetector(
  readingNetwork(async () => (await import('../../models/readable_detector.onnx')).default),
);
