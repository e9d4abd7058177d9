/**
 * Ranges of the layers of models/readable_detector.onnx, as src/faces/network/ranges.ts has those of others;
 * to be found anew for new weights.
 */
export const readingRanges = [
  ...[6, 6, 6, 6, 6, 5, 6, 5, 5, 6, 5, 6, 6, 6, 6, 7, 5, 6, 6, 5, 6, 6, 6, 6, 6, 6, 7],
  ...[6, 7, 6, 5, 6, 6, 6, 7, 8, 6, 5],
] as const;
