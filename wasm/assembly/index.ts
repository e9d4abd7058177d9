// The image core's exports, one line a part. Bindings: ../core.ts.
export { alloc, mark, release, peakBytes } from './memory';
