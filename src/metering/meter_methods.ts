import type { CallMeter } from './call_meter.ts';

/** The methods of a counting object that others may call. */
export const meterMethods = [
  'admit',
  'isSameContent',
  'giveBack',
  'settle',
  'peek',
  'tick',
  'issue',
  'usage',
  'change',
  'rotate',
  'revoke',
  'enlist',
  'isListed',
  'listed',
] as const satisfies readonly (keyof CallMeter)[];

export type MeterMethod = (typeof meterMethods)[number];

/** Forgets what an answer by RPC keeps alive on the other side; ours are plain values. */
export function released<T>(answer: T): T {
  (answer as Partial<Disposable> | null | undefined)?.[Symbol.dispose]?.();
  return answer;
}
