import { describe, expect, test } from 'vitest';
import { withDeadline } from '../../client/deadline.ts';

const never = () => new Promise<never>(() => {});

describe('a call with a deadline', () => {
  test('ends with the error timeout, also where what it waits for heeds no signal', async () => {
    await expect(withDeadline(5, undefined, never)).rejects.toMatchObject({
      name: 'SanitizerError',
      code: 'timeout',
      status: 0,
    });
  });

  test('aborts what it waits for, by the same error', async () => {
    const reason = await new Promise((told) => {
      void withDeadline(5, undefined, async ({ signal }) => {
        signal.addEventListener('abort', () => told(signal.reason));
        await never();
      }).catch(() => {});
    });
    expect(reason).toMatchObject({ code: 'timeout' });
  });

  test('ends with the caller’s reason when the caller aborts, before or while it runs', async () => {
    const stop = new AbortController();
    const running = withDeadline(60_000, stop.signal, never);
    stop.abort(new Error('enough'));
    await expect(running).rejects.toThrow('enough');
    await expect(withDeadline(60_000, stop.signal, never)).rejects.toThrow('enough');
  });

  test('knows how much time is left, and may have no limit', async () => {
    const left = await withDeadline(60_000, undefined, async (deadline) => deadline.left());
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(60_000);
    const unlimited = withDeadline(Number.POSITIVE_INFINITY, undefined, async (deadline) => deadline.left());
    expect(await unlimited).toBe(Number.POSITIVE_INFINITY);
  });

  test.each([0, -1, Number.NaN, '5' as unknown as number])('refuses %s as its time', async (time) => {
    await expect(withDeadline(time, undefined, never)).rejects.toThrow(
      `Expected timeout to be milliseconds above 0 but received ${time}`,
    );
  });
});
