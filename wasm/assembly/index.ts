// The image core's exports, one line a part. Bindings: ../core.ts.
export { alloc, mark, release, peakBytes } from './memory';
export { inflateOpen, inflateInput, inflateInputBytes, inflateFeed, inflateOutput, inflateReady, inflateTake, inflateCopy, inflateRun, inflateClone, inflateBytes } from './inflate/inflate';
export { pngUnfilter, pngUnfilterRgb } from './png/unfilter';
export { pngExpandTable, pngExpandGrey8, pngExpand, pngApplyKey, pngScatter } from './png/expand';
