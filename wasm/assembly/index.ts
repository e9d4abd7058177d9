// The image core's exports, one line a part. Bindings: src/core/exports.ts.

export { colourPixels, colourPixels16 } from './colour/matrix';
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
} from './jpeg/encode/encoder';
export { flipRow, mirrorRows } from './kernels/mirror';
export {
  clearTransparentPixels,
  greyPixels,
  premultiplyPixels,
  sumBlocks,
} from './kernels/pixels';
export { blendRows, narrowRow } from './kernels/resize';
export { rotatePixels } from './kernels/rotate';
export { alloc, mark, peakBytes, release } from './memory';
export { pngApplyKey, pngExpand, pngExpandGrey8, pngExpandTable, pngScatter } from './png/expand';
export { pngFilter } from './png/filter';
export { pngPack } from './png/pack';
export { pngIndex, pngPaletteBytes } from './png/palette';
export { pngUnfilter, pngUnfilterRgb } from './png/unfilter';
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
} from './webp/vp8/decoder';
export {
  webpEncodeBegin,
  webpEncodeBytes,
  webpEncodeFinish,
  webpEncodeFrame,
  webpEncodeFrameLimit,
  webpEncodePush,
  webpEncodeSecond,
} from './webp/vp8_encode/encoder';
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
} from './webp/vp8l/decoder';
export {
  webpAlphaEncodeBegin,
  webpAlphaEncodeBytes,
  webpAlphaEncodeFinish,
  webpAlphaEncodeOpaque,
  webpAlphaEncodePlan,
  webpAlphaEncodePush,
} from './webp/vp8l/encode/encoder';
export { webpLosslessSideLimit } from './webp/vp8l/limit';
