/** What the core asks of its host: the one import beside its memory. */

/**
 * Hands `bytes` finished bytes at `at` to whoever listens (src/core/instance.ts, `sink`), who copies them
 * before returning. Makes it possible to write a file of any length from a memory that does not grow.
 */
// @external('env', 'emit')
export declare function emit(at: usize, bytes: usize): void;
