/** What the core asks of its host: the one import beside its memory. */

/**
 * Hands `bytes` finished bytes at `at` to the host's sink (src/core/instance.ts), which copies them
 * before returning. Makes it possible to write a file of any length from a memory that does not grow.
 */
// @external('env', 'emit')
export declare function emit(at: usize, bytes: usize): void;
