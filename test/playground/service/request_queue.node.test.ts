import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type CallFacts, SanitizerError } from '../../../client/index.ts';
import {
  type CallKind,
  type QueuedCall,
  RequestQueue,
} from '../../../src/playground/service/request_queue.ts';

const NOON = new Date('2026-11-20T12:00:00Z').getTime();
beforeEach(() => void vi.useFakeTimers({ now: NOON }));
afterEach(() => void vi.useRealTimers());

/** The facts of a response after which the window has so many calls left and resets in so many seconds. */
const facts = (remaining: number, seconds: number, limit = 1): CallFacts => ({
  requestId: 'r',
  plan: limit === 1 ? 'free' : 'pro',
  billable: false,
  periodCostCents: 0,
  rateLimit: { limit, remaining, resetAt: new Date(Date.now() + seconds * 1000) },
});

interface Fixture {
  readonly queue: RequestQueue;
  readonly log: string[];
  submit(
    kind: CallKind,
    answer: () => CallFacts | null | Error,
    automatic?: boolean,
    takes?: number,
    metered?: boolean,
  ): void;
}

function createFixture(): Fixture {
  const log: string[] = [];
  const queue = new RequestQueue(() => {});
  return {
    queue,
    log,
    submit(kind, answer, automatic = false, takes = 1000, metered = true) {
      const call: QueuedCall = {
        kind,
        automatic,
        metered,
        run: async (signal) => {
          log.push(`${kind} starts at ${(Date.now() - NOON) / 1000}`);
          await new Promise((done) => setTimeout(done, takes));
          signal.throwIfAborted();
          const result = answer();
          if (result instanceof Error) throw result;
          return result;
        },
        failed: (error) => log.push(`${kind} failed: ${(error as Error).message}`),
      };
      queue.submit(call);
    },
  };
}

describe('the request queue', () => {
  it('lets a call on this device pass while the service’s minute runs, and forgets nothing of it', async () => {
    const { queue, log, submit } = createFixture();
    submit('inspect', () => facts(0, 59));
    await vi.advanceTimersByTimeAsync(5000);
    submit('sanitize', () => null, false, 1000, false);
    await vi.advanceTimersByTimeAsync(0);
    expect(log).toEqual(['inspect starts at 0', 'sanitize starts at 5']);
    await vi.advanceTimersByTimeAsync(1000);
    expect([queue.running, queue.secondsUntilNextCall]).toEqual([null, 54]);
    // A metered one still waits.
    submit('detect', () => facts(0, 60));
    expect(queue.waiting).toBe('detect');
  });

  it('holds a call without a key until the minute has passed, then starts it', async () => {
    const { queue, log, submit } = createFixture();
    submit('inspect', () => facts(0, 59));
    await vi.advanceTimersByTimeAsync(5000);
    submit('sanitize', () => facts(0, 60));
    expect(queue.waiting).toBe('sanitize');
    expect(queue.secondsUntilNextCall).toBe(55);
    await vi.advanceTimersByTimeAsync(54_000);
    expect(log).toEqual(['inspect starts at 0']);
    await vi.advanceTimersByTimeAsync(1500);
    expect(log).toEqual(['inspect starts at 0', 'sanitize starts at 60']);
    expect(queue.running?.kind).toBe('sanitize');
  });

  it('makes calls at once while some are left, one after the other', async () => {
    const { queue, log, submit } = createFixture();
    submit('inspect', () => facts(59, 60, 60));
    submit('detect', () => facts(58, 60, 60));
    expect(queue.running?.kind).toBe('inspect');
    await vi.advanceTimersByTimeAsync(2500);
    expect(log).toEqual(['inspect starts at 0', 'detect starts at 1']);
    expect([queue.running, queue.waiting]).toEqual([null, null]);
    expect(queue.callsLeft).toMatchObject({ plan: 'pro', remaining: 58 });
  });

  it('replaces the waiting call by one that the person requests, never by an automatic one', async () => {
    const { queue, submit } = createFixture();
    submit('inspect', () => facts(0, 60));
    await vi.advanceTimersByTimeAsync(1500);
    submit('preview', () => facts(0, 60), true);
    expect(queue.waiting).toBe('preview');
    submit('sanitize', () => facts(0, 60));
    expect(queue.waiting).toBe('sanitize');
    submit('detect', () => facts(0, 60), true);
    expect(queue.waiting).toBe('sanitize');
  });

  it('tries again after a 429, at the time that it states', async () => {
    const { queue, log, submit } = createFixture();
    let refusals = 0;
    submit('sanitize', () =>
      refusals++ === 0
        ? new SanitizerError(
            'rate_limit_exceeded',
            'too many',
            429,
            { retry_after_seconds: 20 },
            facts(0, 20),
          )
        : facts(0, 60),
    );
    await vi.advanceTimersByTimeAsync(1000);
    expect(queue.waiting).toBe('sanitize');
    expect(queue.secondsUntilNextCall).toBe(20);
    await vi.advanceTimersByTimeAsync(21_500);
    expect(log).toEqual(['sanitize starts at 0', 'sanitize starts at 21']);
    expect(queue.waiting).toBeNull();
  });

  it('reports every other failure, and goes on', async () => {
    const { queue, log, submit } = createFixture();
    submit('inspect', () => new SanitizerError('unprocessable_image', 'no image', 422, {}, facts(1, 0)));
    await vi.advanceTimersByTimeAsync(1000);
    expect(log.at(-1)).toBe('inspect failed: no image');
    expect(queue.secondsUntilNextCall).toBe(0);
    submit('inspect', () => facts(0, 60));
    expect(queue.running?.kind).toBe('inspect');
  });

  it('ignores what was cancelled: no result, no failure, no new rate limit status', async () => {
    const { queue, log, submit } = createFixture();
    submit('sanitize', () => facts(0, 60));
    await vi.advanceTimersByTimeAsync(500);
    queue.cancel();
    expect([queue.running, queue.waiting]).toEqual([null, null]);
    await vi.advanceTimersByTimeAsync(5000);
    expect(log).toEqual(['sanitize starts at 0']);
    expect(queue.secondsUntilNextCall).toBe(0);
  });

  it('starts the waiting call when another key allows it', async () => {
    const { queue, log, submit } = createFixture();
    submit('inspect', () => facts(0, 60));
    await vi.advanceTimersByTimeAsync(1500);
    submit('sanitize', () => facts(58, 60, 60));
    queue.setRateLimit(facts(60, 0, 60));
    expect(log.at(-1)).toBe('sanitize starts at 1.5');
  });

  it('never waits longer than the window, even if the clocks disagree', async () => {
    const { queue, submit } = createFixture();
    submit('inspect', () => facts(0, 86_400));
    await vi.advanceTimersByTimeAsync(1000);
    expect(queue.secondsUntilNextCall).toBe(60);
  });
});
