import type { FaceExports } from './face_exports.ts';
import type { JpegDecodeExports, JpegEncodeExports } from './jpeg/exports.ts';

/**
 * What wasm/assembly/index.ts exports, as the host sees it, one interface a part. Addresses and sizes are
 * unsigned 32-bit numbers of bytes, counts are of pixels, unless said otherwise.
 */

/** wasm/assembly/memory.ts */
interface MemoryExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  alloc(bytes: number): number;
  mark(): number;
  release(at: number): void;
  peakBytes(): number;
}

/** wasm/assembly/colour/matrix.ts */
interface ColourExports {
  colourPixels(at: number, count: number, tables: number, codes: number): void;
  colourPixels16(
    from: number,
    to: number,
    count: number,
    red: number,
    green: number,
    blue: number,
    columns: number,
    codes: number,
  ): void;
  tonePixels(
    from: number,
    to: number,
    count: number,
    wide: number,
    lights: number,
    columns: number,
    gains: number,
    peak: number,
    scene: number,
    codes: number,
  ): void;
}

/** wasm/assembly/av1/output: rows of an AV1 picture made RGBA. Addresses, counts of samples. */
interface Av1OutputExports {
  av1UpsampleRow(near: number, far: number, sums: number, out: number, count: number): void;
  av1ConvertRow(
    y: number,
    u: number,
    v: number,
    out: number,
    width: number,
    matrix: number,
    wide: number,
  ): void;
  av1AlphaRow(
    alpha: number,
    table: number,
    out: number,
    width: number,
    wide: number,
    premultiplied: number,
  ): void;
}

/** wasm/assembly/deflate/deflate.ts */
interface DeflateExports {
  deflateBytes(): number;
  deflateOpen(): number;
  deflateRestart(stream: number): void;
  deflateInputBytes(): number;
  deflateInput(stream: number): number;
  deflateFeed(stream: number, length: number): void;
  deflateRun(stream: number, tuning: number, isEnd: number): number;
  deflateFinish(stream: number): void;
  deflateOutput(stream: number): number;
  deflateReady(stream: number): number;
  deflateTake(stream: number): void;
}

/** wasm/assembly/inflate/inflate.ts */
interface InflateExports {
  inflateOpen(wrapped: number): number;
  inflateInput(stream: number): number;
  inflateInputBytes(): number;
  inflateFeed(stream: number, length: number): void;
  inflateOutput(stream: number): number;
  inflateReady(stream: number): number;
  inflateTake(stream: number, length: number): void;
  inflateCopy(stream: number, to: number, length: number): number;
  inflateRun(stream: number): number;
  inflateClone(stream: number): number;
  inflateBytes(): number;
}

/** wasm/assembly/kernels */
interface KernelExports {
  greyPixels(at: number, count: number): void;
  clearTransparentPixels(at: number, count: number): void;
  hasTransparentPixels(at: number, count: number): number;
  premultiplyPixels(at: number, count: number): void;
  sumBlocks(at: number, count: number, block: number, sums: number, weighted: number): void;
  rotatePixels(
    from: number,
    columns: number,
    rows: number,
    to: number,
    rowStep: number,
    backwards: number,
  ): void;
  mirrorRows(at: number, columns: number, rows: number): void;
  flipRow(from: number, columns: number, to: number, mirror: number): void;
  sumRow(from: number, count: number, sums: number, first: number): void;
  averageSums(sums: number, count: number, edge: number, rows: number, to: number): void;
  narrowRow(
    from: number,
    fromWidth: number,
    pairs: number,
    to: number,
    width: number,
    starts: number,
    weights: number,
    taps: number,
  ): void;
  blendRows(rows: number, weights: number, taps: number, to: number, width: number, opaque: number): void;
}

/** wasm/assembly/png */
interface PngExports {
  /** @returns 0, or 1 for a filter type that does not exist */
  pngUnfilter(
    filter: number,
    filtered: number,
    above: number,
    out: number,
    bytes: number,
    bpp: number,
  ): number;
  /** 8-bit RGB straight to RGBA, `above` being RGBA too. @returns as `pngUnfilter` */
  pngUnfilterRgb(filter: number, filtered: number, above: number, out: number, width: number): number;
  pngExpandTable(row: number, out: number, width: number, depth: number, table: number): void;
  pngExpandGrey8(row: number, out: number, width: number): void;
  pngExpand(layout: number, row: number, out: number, width: number): void;
  pngApplyKey(row: number, out: number, width: number, key: bigint, bytes: number): void;
  pngScatter(row: number, out: number, count: number, step: number): void;
  pngPack(rgba: number, out: number, width: number, channels: number): void;
  pngPackBits(samples: number, out: number, width: number, depth: number): void;
  /**
   * Bytes of a palette being made: how many colours there are in its first 4, the colours as RGBA from
   * PALETTE_COLOURS on.
   */
  pngPaletteBytes(): number;
  /** @returns 0, or 1 where there are more than 256 colours: the row is then not indexed */
  pngIndex(rgba: number, out: number, width: number, palette: number, most: number): number;
  pngFilter(row: number, above: number, out: number, bytes: number, bpp: number, adaptive: number): void;
}

/** wasm/assembly/webp/vp8/decode/decoder.ts; `decoder` is the address that `webpLossyOpen` returned. */
interface WebpLossyExports {
  webpLossyBytes(width: number, height: number): number;
  webpLossyOpen(at: number, length: number): number;
  webpLossyFault(decoder: number): number;
  webpLossyWidth(decoder: number): number;
  webpLossyHeight(decoder: number): number;
  webpLossyRowReached(decoder: number): number;
  webpLossyReserve(decoder: number): number;
  webpLossyStart(decoder: number, firstRow: number): void;
  webpLossyNext(decoder: number): number;
  webpLossyStrip(decoder: number): number;
  webpLossyStripY(decoder: number): number;
  webpLossyAlpha(decoder: number, row: number, at: number): void;
}

/**
 * wasm/assembly/webp/vp8l/decode; `decoder` is the address that `webpLosslessOpen` returned. Addresses
 * and sizes in bytes unless said otherwise.
 */
interface WebpLosslessExports {
  /** @returns the decoder, 0 when the memory cannot grow */
  webpLosslessOpen(at: number, length: number, stripRows: number, sideLimit: number): number;
  webpLosslessFault(decoder: number): number;
  webpLosslessWidth(decoder: number): number;
  webpLosslessHeight(decoder: number): number;
  webpLosslessAlphaUsed(decoder: number): number;
  webpLosslessRowReached(decoder: number): number;
  webpLosslessRestart(decoder: number): void;
  /** @returns rows in the strip, 0 at the end, −1 on a fault */
  webpLosslessNext(decoder: number): number;
  webpLosslessStrip(decoder: number): number;
  webpLosslessSideBytes(decoder: number): number;
  webpLosslessFixedBytes(width: number, height: number, stripRows: number): number;
  webpLosslessSideLimit(width: number, height: number): number;
}

/**
 * What wasm/assembly/webp/alpha exports; `decoder` is the address that `webpAlphaOpen` returned. Addresses
 * and sizes in bytes unless said otherwise.
 */
interface WebpAlphaExports {
  /** @returns the decoder, 0 when the memory cannot grow */
  webpAlphaOpen(at: number, length: number, width: number, height: number, sideLimit: number): number;
  webpAlphaFault(decoder: number): number;
  webpAlphaRowReached(decoder: number): number;
  webpAlphaRestart(decoder: number): void;
  /** @returns where the row is; 0 on a fault and at the end */
  webpAlphaRow(decoder: number): number;
  /** @returns 0 on a fault and where there are not so many rows left */
  webpAlphaMerge(decoder: number, pixels: number, rows: number): number;
  webpAlphaWide(decoder: number): number;
  webpAlphaSideBytes(decoder: number): number;
  webpAlphaFixedBytes(width: number, height: number, compressed: number, wide: number): number;
}

/** wasm/assembly/av1/decoder.ts; `decoder` is the address that `av1Open` returned. */
interface Av1Exports {
  /** @returns the decoder, 0 when the memory cannot grow */
  av1Open(at: number, length: number, operatingPoint: number, layer: number, headersOnly: number): number;
  av1Fault(decoder: number): number;
  av1Width(decoder: number): number;
  av1Height(decoder: number): number;
  av1BitDepth(decoder: number): number;
  av1Monochrome(decoder: number): number;
  av1SubsamplingX(decoder: number): number;
  av1SubsamplingY(decoder: number): number;
  av1Colour(decoder: number): number;
  av1FullRange(decoder: number): number;
  av1ChromaPosition(decoder: number): number;
  av1Bytes(decoder: number): number;
  av1Reserve(decoder: number): number;
  av1SuperblockSize(decoder: number): number;
  av1CodedWidth(decoder: number): number;
  av1CopiesBlocks(decoder: number): number;
  av1TileColumns(decoder: number): number;
  av1TileStart(decoder: number, index: number): number;
  av1ColumnsBytes(decoder: number, checkpoints: number): number;
  /**
   * @returns where the columns of checkpoints go, before and after a reading; 0 when the memory cannot grow
   */
  av1ReserveColumns(decoder: number, checkpoints: number): number;
  av1Start(decoder: number): void;
  av1StartColumns(
    decoder: number,
    first: number,
    end: number,
    firstFiltered: number,
    endFiltered: number,
    from: number,
    to: number,
  ): void;
  /** @returns finished rows of luma, 0 at the end, −1 on a fault */
  av1Next(decoder: number): number;
  av1RowReached(decoder: number): number;
  av1TakeCodedBytes(decoder: number): number;
  av1RowsY(decoder: number): number;
  av1Plane(decoder: number, plane: number): number;
  av1PlaneStride(decoder: number, plane: number): number;
  av1PlaneWidth(decoder: number, plane: number): number;
}

/**
 * wasm/assembly/av1/predict, transform and quantise: what AV1 pictures are rebuilt with, for tests of each.
 * Addresses and sizes in bytes; see the functions of the same names there.
 */
interface Av1ReconstructionExports {
  av1DcQ(qindex: number, bitDepth: number): number;
  av1AcQ(qindex: number, bitDepth: number): number;
  av1QuantiserMatrix(level: number, chroma: number, txSize: number): number;
  av1InverseTransform(
    coefficients: number,
    dst: number,
    stride: number,
    txSize: number,
    txType: number,
    lastRow: number,
    lastColumn: number,
    bitDepth: number,
    lossless: number,
  ): void;
  /** @param block address of an IntraBlock (intra_block.ts): its fields in order, each aligned to its size */
  av1PredictIntra(block: number): void;
  av1PredictPalette(
    dst: number,
    stride: number,
    colours: number,
    map: number,
    mapStride: number,
    width: number,
    height: number,
  ): void;
  av1PredictCfl(
    dst: number,
    stride: number,
    luma: number,
    lumaStride: number,
    subX: number,
    subY: number,
    width: number,
    height: number,
    lumaWidth: number,
    lumaHeight: number,
    alpha: number,
    bitDepth: number,
  ): void;
  av1CopyBlock(
    dst: number,
    stride: number,
    source: number,
    width: number,
    height: number,
    halfX: number,
    halfY: number,
  ): void;
}

/** wasm/assembly/webp/vp8/encode/encoder.ts; `encoder` is the address that `webpEncodeBegin` returned. */
interface WebpEncodeExports {
  webpEncodeBytes(width: number, height: number, alpha: number): number;
  webpEncodeFrameLimit(width: number, height: number): number;
  /** @returns the encoder, 0 when the memory cannot grow */
  webpEncodeBegin(width: number, height: number, quality: number, alpha: number): number;
  webpEncodePush(encoder: number, at: number, rows: number): void;
  webpEncodeSecond(encoder: number): void;
  /** @returns the length of webpEncodeFrame */
  webpEncodeFinish(encoder: number): number;
  webpEncodeFrame(encoder: number): number;
}

/** wasm/assembly/webp/vp8l/encode/encoder.ts; `encoder` is the address of `webpAlphaEncodeBegin`. */
interface WebpAlphaEncodeExports {
  webpAlphaEncodeBytes(width: number, height: number): number;
  /** @returns the encoder, 0 when the memory cannot grow */
  webpAlphaEncodeBegin(width: number, height: number): number;
  webpAlphaEncodePush(encoder: number, at: number, rows: number): void;
  webpAlphaEncodeOpaque(encoder: number): number;
  webpAlphaEncodePlan(encoder: number): number;
  webpAlphaEncodeFinish(encoder: number): void;
}

/** All parts of the core together. */
export interface CoreExports
  extends MemoryExports,
    Av1OutputExports,
    ColourExports,
    DeflateExports,
    FaceExports,
    InflateExports,
    JpegDecodeExports,
    JpegEncodeExports,
    KernelExports,
    PngExports,
    WebpLossyExports,
    WebpLosslessExports,
    WebpAlphaExports,
    Av1Exports,
    Av1ReconstructionExports,
    WebpEncodeExports,
    WebpAlphaEncodeExports {}
