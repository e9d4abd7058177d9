/**
 * Frees an array's memory now. V8 lets arrays lie until dozens of megabytes of them have come together, which
 * an isolate of 128 MB does not have: each view of a large picture has its own.
 */
export function giveBack({ buffer }: ArrayBufferView): void {
  // Not in Node 20, nor in browsers before 2024: there the collector does it.
  (buffer as { transfer?(length: number): unknown }).transfer?.(0);
}
