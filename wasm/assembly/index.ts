// The image core's exports, one statement per file. The build generates their types, which
// src/core/exports.ts imports.

export {
  av1BitDepth,
  av1Bytes,
  av1ChromaPosition,
  av1CodedWidth,
  av1Colour,
  av1ColumnsBytes,
  av1CopiesBlocks,
  av1Fault,
  av1FullRange,
  av1Height,
  av1Monochrome,
  av1Next,
  av1Open,
  av1Plane,
  av1PlaneStride,
  av1PlaneWidth,
  av1Reserve,
  av1ReserveColumns,
  av1RowReached,
  av1RowsY,
  av1Start,
  av1StartColumns,
  av1SubsamplingX,
  av1SubsamplingY,
  av1SuperblockSize,
  av1TakeCodedBytes,
  av1TileColumns,
  av1TileStart,
  av1Width,
} from './av1/decoder';
export { av1AlphaRow, av1ConvertRow } from './av1/output/convert';
export { av1UpsampleRow } from './av1/output/upsample';
export { colourPixels, colourPixels16 } from './colour/matrix';
export { tonePixels } from './colour/tone';
export {
  deflateBytes,
  deflateFeed,
  deflateFinish,
  deflateInput,
  deflateInputBytes,
  deflateOpen,
  deflateOutput,
  deflateReady,
  deflateRestart,
  deflateRun,
  deflateTake,
} from './deflate/deflate';
export { faceDepthwiseRow, faceMaxPoolRow } from './faces/depthwise';
export { faceAddCoarseRow, facePointwiseRow } from './faces/pointwise';
export { faceShrinkAcross, faceShrinkBegin, faceShrinkDown } from './faces/shrink';
export { faceNormaliseBytes, faceNormaliseRow, faceSpreadRow, faceStemRow } from './faces/stem';
export {
  inflateBytes,
  inflateClone,
  inflateCopy,
  inflateFeed,
  inflateInput,
  inflateInputBytes,
  inflateOpen,
  inflateOutput,
  inflateReady,
  inflateRun,
  inflateTake,
} from './inflate/inflate';
export {
  jpegDecodeBlockSize,
  jpegDecodeColour,
  jpegDecodeComponents,
  jpegDecodeFault,
  jpegDecodeFaultDetail,
  jpegDecodeHeight,
  jpegDecodeKeepCmyk,
  jpegDecodeNext,
  jpegDecodeOpen,
  jpegDecodeOutputHeight,
  jpegDecodeOutputWidth,
  jpegDecodePlane,
  jpegDecodePlaneStride,
  jpegDecodeReserve,
  jpegDecodeRow,
  jpegDecodeRowReached,
  jpegDecodeSampling,
  jpegDecodeSkipTo,
  jpegDecodeStart,
  jpegDecodeStrip,
  jpegDecodeStripY,
  jpegDecodeTaken,
  jpegDecodeWalk,
  jpegDecodeWidth,
} from './jpeg/decode/decoder';
export { jpegDecodeBytes } from './jpeg/decode/sizes';
export {
  jpegEncodeBegin,
  jpegEncodeBytes,
  jpegEncodeFinish,
  jpegEncodePlanes,
  jpegEncodePush,
  jpegEncodeReadPlane,
  jpegEncodeWhole,
  jpegEncodeWriteTokens,
} from './jpeg/encode/encoder';
export { averageSums, sumRow } from './kernels/average';
export { flipRow, mirrorRows } from './kernels/mirror';
export {
  clearTransparentPixels,
  greyPixels,
  hasTransparentPixels,
  premultiplyPixels,
  sumBlocks,
} from './kernels/pixels';
export { blendRows, narrowRow } from './kernels/resize';
export { blendPairs, narrowEight, pairRow } from './kernels/resize_samples';
export { rotatePixels } from './kernels/rotate';
export { alloc, mark, peakBytes, release } from './memory';
export { pngApplyKey, pngExpand, pngExpandGrey8, pngExpandTable, pngScatter } from './png/expand';
export { pngFilter } from './png/filter';
export { pngPack, pngPackBits } from './png/pack';
export { pngIndex, pngPaletteBytes } from './png/palette';
export { pngUnfilter, pngUnfilterRgb } from './png/unfilter';
// Nothing in src calls these.
export * from './test_exports';
export {
  webpAlphaFault,
  webpAlphaFixedBytes,
  webpAlphaMerge,
  webpAlphaOpen,
  webpAlphaRestart,
  webpAlphaRow,
  webpAlphaRowReached,
  webpAlphaSideBytes,
  webpAlphaWide,
} from './webp/alpha/decoder';
export {
  webpLossyAlpha,
  webpLossyBytes,
  webpLossyFault,
  webpLossyHeight,
  webpLossyNext,
  webpLossyOpen,
  webpLossyReserve,
  webpLossyRowReached,
  webpLossyStart,
  webpLossyStrip,
  webpLossyStripY,
  webpLossyWidth,
} from './webp/vp8/decode/decoder';
export {
  webpEncodeBegin,
  webpEncodeBytes,
  webpEncodeFinish,
  webpEncodeFrame,
  webpEncodeFrameLimit,
  webpEncodePush,
  webpEncodeSecond,
} from './webp/vp8/encode/encoder';
export {
  webpLosslessAlphaUsed,
  webpLosslessFault,
  webpLosslessFixedBytes,
  webpLosslessHeight,
  webpLosslessNext,
  webpLosslessOpen,
  webpLosslessRestart,
  webpLosslessRowReached,
  webpLosslessSideBytes,
  webpLosslessStrip,
  webpLosslessWidth,
} from './webp/vp8l/decode/decoder';
export { webpLosslessSideLimit } from './webp/vp8l/decode/limit';
export {
  webpAlphaEncodeBegin,
  webpAlphaEncodeBytes,
  webpAlphaEncodeFinish,
  webpAlphaEncodeOpaque,
  webpAlphaEncodePlan,
  webpAlphaEncodePush,
} from './webp/vp8l/encode/encoder';
