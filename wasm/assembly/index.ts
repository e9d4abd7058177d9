// The image core's exports, one line a part. Bindings: ../core.ts.

export { colourDeepPixels, colourPixels } from './colour/matrix';
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
  jpegDecodeInks,
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
export {
  jpegEncodeBegin,
  jpegEncodeBytes,
  jpegEncodeFinish,
  jpegEncodeInput,
  jpegEncodeInputRows,
  jpegEncodePlane,
  jpegEncodePlaneStride,
  jpegEncodePlanes,
  jpegEncodePush,
  jpegEncodeReadPlane,
} from './jpeg/encode/encoder';
export { flipRow, mirrorRows } from './kernels/mirror';
export {
  clearTransparentPixels,
  greyPixels,
  pixelSums,
  premultiplyPixels,
  sumPixels,
} from './kernels/pixels';
export { blendRows, narrowRow } from './kernels/shrink';
export { turnPixels } from './kernels/turn';
export { alloc, mark, peakBytes, release } from './memory';
export { pngApplyKey, pngExpand, pngExpandGrey8, pngExpandTable, pngScatter } from './png/expand';
export { pngFilter } from './png/filter';
export { pngPack } from './png/pack';
export { pngBookBytes, pngIndex } from './png/palette';
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
  webpAlphaEncodeInput,
  webpAlphaEncodeInputRows,
  webpAlphaEncodePlan,
  webpAlphaEncodePush,
} from './webp/vp8l/encode/encoder';
export { webpLosslessSideLimit } from './webp/vp8l/limit';
