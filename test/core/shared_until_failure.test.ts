import { describe, expect, it } from 'vitest';
import { sharedUntilFailure } from '../../src/core/shared_until_failure.ts';

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
