// The image core's exports, one line a part. Bindings: ../core.ts.
export { alloc, mark, release, peakBytes } from './memory';
export { inflateOpen, inflateInput, inflateInputBytes, inflateFeed, inflateOutput, inflateReady, inflateTake, inflateCopy, inflateRun, inflateClone, inflateBytes } from './inflate/inflate';
export { deflateBytes, deflateOpen, deflateRestart, deflateInputBytes, deflateInput, deflateFeed, deflateRun, deflateFinish, deflateOutput, deflateReady, deflateTake } from './deflate/deflate';
export { pngUnfilter, pngUnfilterRgb } from './png/unfilter';
export { pngExpandTable, pngExpandGrey8, pngExpand, pngApplyKey, pngScatter } from './png/expand';
export { jpegDecodeOpen, jpegDecodeFault, jpegDecodeFaultDetail, jpegDecodeWidth, jpegDecodeHeight, jpegDecodeComponents, jpegDecodeRowReached, jpegDecodeColour, jpegDecodeSampling, jpegDecodePlane, jpegDecodePlaneStride, jpegDecodeReserve, jpegDecodeOutputWidth, jpegDecodeOutputHeight, jpegDecodeInks, jpegDecodeStart, jpegDecodeSkipTo, jpegDecodeRow, jpegDecodeNext, jpegDecodeStrip, jpegDecodeStripY } from './jpeg/decode/decoder';
export { pngPack } from './png/pack';
export { pngBookBytes, pngIndex } from './png/palette';
export { pngFilter } from './png/filter';
export { jpegEncodeBytes, jpegEncodeBegin, jpegEncodeInput, jpegEncodeInputRows, jpegEncodePush, jpegEncodePlane, jpegEncodePlaneStride, jpegEncodeReadPlane, jpegEncodePlanes, jpegEncodeFinish } from './jpeg/encode/encoder';
export { greyPixels, clearTransparentPixels, premultiplyPixels, sumPixels, pixelSums } from './kernels/pixels';
export { turnPixels } from './kernels/turn';
export { mirrorRows, flipRow } from './kernels/mirror';
export { narrowRow, blendRows } from './kernels/shrink';
export { colourPixels, colourDeepPixels } from './colour/matrix';
