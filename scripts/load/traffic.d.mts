import type { Ledger } from './ledger.mjs';

type Pictures = Readonly<Record<'small' | 'photo' | 'large' | 'graphic', Buffer>>;
export function pictures(): Promise<Pictures>;
export function callers(options: {
  address: string;
  keys: readonly string[];
  pictures: Pictures;
  ledger: Ledger;
  amount?: number;
  seconds?: number;
}): { done: Promise<void>; stop(): void };
