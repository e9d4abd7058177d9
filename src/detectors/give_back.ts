/**
 * Frees an array's memory now. V8 keeps unused arrays until dozens of megabytes have accumulated, which an
 * isolate of 128 MB does not have: each view of a large picture has its own array.
 */
export function giveBack({ buffer }: ArrayBufferView): void {
  // Missing in Node 20 and in browsers before 2024: there the garbage collector frees it.
  (buffer as { transfer?(length: number): unknown }).transfer?.(0);
}
