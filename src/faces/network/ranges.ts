/**
 * Ranges of the layers of each network, in the order in which their weights lie: outputs lie between plus and
 * minus 2 to the power of it. Found by scripts/eval_faces/ranges.mjs, for twice the largest outputs over some
 * seventy photographs of the training set, noise and a hard edge; what is larger still becomes the largest
 * that fits. Layers that are added to each other have the same.
 */
export const ranges = {
  faceDetector: [
    ...[5, 5, 6, 6, 6, 6, 5, 5, 5, 6, 5, 6, 6, 5, 6, 6, 6, 6, 6, 7, 6, 5, 6, 6, 6],
    ...[6, 7, 5, 6, 5, 5, 7, 8, 6, 7, 5, 5, 7, 8, 7, 7, 4, 5],
  ],
  yunet: [
    ...[4, 4, 4, 4, 4, 3, 4, 3, 3, 2, 3, 3, 4, 3, 4, 3, 4, 3, 4, 3, 3, 1, 3, 1, 4],
    ...[2, 4, 3, 3, 3, 4, 2, 5, 1, 5, 5, 5, 6, 5, 4, 5],
  ],
  verifier: [5, 5, 6, 6, 6, 6, 5, 5, 5, 6, 5, 6, 6, 5, 6, 6, 6, 6, 6, 5, 6, 4],
} as const;
