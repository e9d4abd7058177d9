/**
 * wasm/assembly/faces: layers of the networks. Addresses of 16-bit integers, counts of pixels and channels.
 */
export interface FaceExports {
  faceNormaliseRow(from: number, plane: number, to: number, width: number, mean: number): void;
  faceStemRow(above: number, row: number, below: number, to: number, weights: number, width: number): void;
  faceDepthwiseRow(
    above: number,
    row: number,
    below: number,
    to: number,
    weights: number,
    width: number,
    channels: number,
    stride: number,
    least: number,
  ): void;
  faceMaxPoolRow(upper: number, lower: number, to: number, width: number, channels: number): void;
  facePointwiseRow(
    from: number,
    to: number,
    residual: number,
    weights: number,
    pixels: number,
    inputs: number,
    outputs: number,
    least: number,
  ): void;
  faceAddCoarseRow(coarse: number, to: number, pixels: number, channels: number): void;
}
