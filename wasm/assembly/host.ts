/** What the core imports from its host: one function, beside the memory. */

/**
 * Hands `bytes` finished bytes at `at` to the host's sink (src/core/instance.ts), which copies them before it
 * returns. So the core can write a file of any length without growing its memory.
 */
// @external('env', 'emit')
export declare function emit(at: usize, bytes: usize): void;
