// The image core's exports, one line a part. Bindings: ../core.ts.
export { alloc, mark, release, peakBytes } from './memory';
export { inflateOpen, inflateInput, inflateInputBytes, inflateFeed, inflateOutput, inflateReady, inflateTake, inflateCopy, inflateRun } from './inflate/inflate';
