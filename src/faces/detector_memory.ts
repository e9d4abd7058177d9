import { type Core, createCore } from '../core/instance.ts';
import { heldBytesFor } from '../core/sizes.ts';
import { BumpAllocator } from './bump_allocator.ts';

/**
 * The memory of one detection: its pictures and the model's input, all of it reserved at once. It lies in a
 * core of its own, since memories of cores go from job to job (src/core/memory_pool.ts), while arrays that
 * detections drop are collected late. Disposing gives the core back: zeros are written over all that was used
 * and every array is detached, so that nothing of one picture can be read by the next detection.
 */
export class DetectorMemory extends BumpAllocator implements Disposable {
  readonly core: Core;

  private constructor(core: Core, bytes: number) {
    super(core, core.alloc(bytes), bytes);
    this.core = core;
  }

  /** @throws Fault 'limit' when there is no memory for so many bytes */
  static open(bytes: number): DetectorMemory {
    const core = createCore(DetectorMemory.heldBytes(bytes));
    try {
      return new DetectorMemory(core, bytes);
    } catch (error) {
      core[Symbol.dispose]();
      throw error;
    }
  }

  /** What a memory for so many bytes holds. */
  static heldBytes(bytes: number): number {
    return heldBytesFor([bytes]);
  }

  [Symbol.dispose](): void {
    this.core[Symbol.dispose]();
  }
}
