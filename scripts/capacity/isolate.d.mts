import type { CALLS } from './figures.mjs';

interface CallEnd {
  readonly isServed: boolean;
  /** Milliseconds that it waited for memory in all, and from its arrival to the end of its answer. */
  readonly waitedMs: number;
  readonly tookMs: number;
}
export function simulate(options: {
  readonly rate: number;
  readonly mix: readonly (keyof typeof CALLS)[];
  readonly seconds: number;
  readonly seed: number;
}): Promise<{ readonly ends: readonly CallEnd[]; readonly busy: number }>;
export function quantile(values: readonly number[], share: number): number;
