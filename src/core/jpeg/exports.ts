/**
 * wasm/assembly/jpeg/decode: decoder.ts, sizes.ts; `decoder` is the address that `jpegDecodeOpen` returned.
 */
export interface JpegDecodeExports {
  jpegDecodeOpen(at: number, length: number, space: number): number;
  /** @returns 1 where there is more to walk */
  jpegDecodeWalk(decoder: number): number;
  jpegDecodeTaken(decoder: number): number;
  jpegDecodeFault(decoder: number): number;
  jpegDecodeFaultDetail(decoder: number): number;
  jpegDecodeWidth(decoder: number): number;
  jpegDecodeHeight(decoder: number): number;
  jpegDecodeComponents(decoder: number): number;
  jpegDecodeRowReached(decoder: number): number;
  jpegDecodeColour(decoder: number): number;
  jpegDecodeSampling(decoder: number, component: number): number;
  jpegDecodePlane(decoder: number, component: number): number;
  jpegDecodePlaneStride(decoder: number, component: number): number;
  jpegDecodeReserve(decoder: number, size: number, keepsLow: number, checkpoints: number): number;
  jpegDecodeOutputWidth(decoder: number): number;
  jpegDecodeOutputHeight(decoder: number): number;
  jpegDecodeKeepCmyk(decoder: number, cmyk: number): void;
  jpegDecodeStart(decoder: number, x: number, width: number): void;
  jpegDecodeSkipTo(decoder: number, y: number): void;
  jpegDecodeRow(decoder: number): number;
  jpegDecodeNext(decoder: number): number;
  jpegDecodeStrip(decoder: number): number;
  jpegDecodeStripY(decoder: number): number;
  jpegDecodeBytes(
    width: number,
    height: number,
    sampling: number,
    singleScan: number,
    scans: number,
    size: number,
    keepsLow: number,
    checkpoints: number,
  ): number;
}

/** wasm/assembly/jpeg/encode/encoder.ts; `encoder` is the address that `jpegEncodeBegin` returned. */
export interface JpegEncodeExports {
  jpegEncodeBytes(width: number, sampling: number, tokenBytes: number): number;
  /** @returns the encoder, 0 when the memory cannot grow */
  jpegEncodeBegin(
    width: number,
    height: number,
    sampling: number,
    quality: number,
    sharpLimit: number,
    sharpEdge: number,
    tokenBytes: number,
  ): number;
  /** @returns a status */
  jpegEncodePush(encoder: number, at: number, rows: number, flatten: number): number;
  jpegEncodeReadPlane(encoder: number, component: number, at: number, stride: number): void;
  /** @returns a status */
  jpegEncodePlanes(encoder: number, rows: number): number;
  /** @returns bytes of tokens that are still to be written before so many rows */
  jpegEncodeWriteTokens(encoder: number, rows: number, most: number): number;
  /** @returns a status */
  jpegEncodeFinish(encoder: number): number;
}
