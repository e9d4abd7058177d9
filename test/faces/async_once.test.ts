import { describe, expect, it } from 'vitest';
import { serialized, sharedUntilFailure } from '../../src/faces/async_once.ts';

describe('sharedUntilFailure', () => {
  it('creates one value for all calls, now and later', async () => {
    let made = 0;
    const get = sharedUntilFailure(async () => ++made);
    expect(await Promise.all([get(), get(), get()])).toEqual([1, 1, 1]);
    expect(await get()).toBe(1);
  });

  it('rejects all waiting calls after a failure, and creates the value at the next', async () => {
    let tries = 0;
    const get = sharedUntilFailure(async () => {
      if (++tries === 1) throw new Error('no memory');
      return tries;
    });
    const outcomes = await Promise.allSettled([get(), get()]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(tries).toBe(1);
    expect(await Promise.all([get(), get()])).toEqual([2, 2]);
  });
});

describe('serialized', () => {
  it('runs one call at a time, in order, and goes on after a failure', async () => {
    const events: string[] = [];
    const work = serialized(async (name: string, steps: number) => {
      events.push(`${name} begins`);
      for (let i = 0; i < steps; i++) await Promise.resolve();
      events.push(`${name} ends`);
      if (name === 'b') throw new Error('b failed');
      return name;
    });
    const outcomes = await Promise.allSettled([work('a', 9), work('b', 1), work('c', 5)]);
    expect(events).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });
});
