import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type CallFacts, SanitizerError } from '../../client/index.ts';
import { Desk, type Job, type JobKind } from '../../src/playground/request_queue.ts';

const NOON = new Date('2026-11-20T12:00:00Z').getTime();
beforeEach(() => void vi.useFakeTimers({ now: NOON }));
afterEach(() => void vi.useRealTimers());

/** What the headers say when a place is free again in so many seconds. */
const facts = (remaining: number, seconds: number, limit = 1): CallFacts => ({
  requestId: 'r',
  plan: limit === 1 ? 'free' : 'pro',
  billable: false,
  periodCostCents: 0,
  rateLimit: { limit, remaining, resetAt: new Date(Date.now() + seconds * 1000) },
});

interface Scene {
  readonly desk: Desk;
  readonly log: string[];
  ask(kind: JobKind, answer: () => CallFacts | Error, automatic?: boolean, takes?: number): void;
}

function scene(): Scene {
  const log: string[] = [];
  const desk = new Desk(() => {});
  return {
    desk,
    log,
    ask(kind, answer, automatic = false, takes = 1000) {
      const job: Job = {
        kind,
        automatic,
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
      desk.request(job);
    },
  };
}

describe('the desk', () => {
  it('lets a call without a key wait for the minute to pass, and starts it by itself', async () => {
    const { desk, log, ask } = scene();
    ask('inspect', () => facts(0, 59));
    await vi.advanceTimersByTimeAsync(5000);
    ask('sanitize', () => facts(0, 60));
    expect(desk.waiting).toBe('sanitize');
    expect(desk.secondsUntilOpen).toBe(55);
    await vi.advanceTimersByTimeAsync(54_000);
    expect(log).toEqual(['inspect starts at 0']);
    await vi.advanceTimersByTimeAsync(1500);
    expect(log).toEqual(['inspect starts at 0', 'sanitize starts at 60']);
    expect(desk.running?.kind).toBe('sanitize');
  });

  it('makes calls at once while there are some left, one after the other', async () => {
    const { desk, log, ask } = scene();
    ask('inspect', () => facts(59, 60, 60));
    ask('detect', () => facts(58, 60, 60));
    expect(desk.running?.kind).toBe('inspect');
    await vi.advanceTimersByTimeAsync(2500);
    expect(log).toEqual(['inspect starts at 0', 'detect starts at 1']);
    expect([desk.running, desk.waiting]).toEqual([null, null]);
    expect(desk.standing).toMatchObject({ plan: 'pro', remaining: 58 });
  });

  it('puts what the person asks for in the place of what waits, never what the page asks for', async () => {
    const { desk, ask } = scene();
    ask('inspect', () => facts(0, 60));
    await vi.advanceTimersByTimeAsync(1500);
    ask('preview', () => facts(0, 60), true);
    expect(desk.waiting).toBe('preview');
    ask('sanitize', () => facts(0, 60));
    expect(desk.waiting).toBe('sanitize');
    ask('detect', () => facts(0, 60), true);
    expect(desk.waiting).toBe('sanitize');
  });

  it('tries again after a refusal for the rate, when it was told to', async () => {
    const { desk, log, ask } = scene();
    let refusals = 0;
    ask('sanitize', () =>
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
    expect(desk.waiting).toBe('sanitize');
    expect(desk.secondsUntilOpen).toBe(20);
    await vi.advanceTimersByTimeAsync(21_500);
    expect(log).toEqual(['sanitize starts at 0', 'sanitize starts at 21']);
    expect(desk.waiting).toBeNull();
  });

  it('hands every other failure on, and goes on', async () => {
    const { desk, log, ask } = scene();
    ask('inspect', () => new SanitizerError('unprocessable_image', 'no image', 422, {}, facts(1, 0)));
    await vi.advanceTimersByTimeAsync(1000);
    expect(log.at(-1)).toBe('inspect failed: no image');
    expect(desk.secondsUntilOpen).toBe(0);
    ask('inspect', () => facts(0, 60));
    expect(desk.running?.kind).toBe('inspect');
  });

  it('forgets what was cancelled: no result, no failure, no new standing', async () => {
    const { desk, log, ask } = scene();
    ask('sanitize', () => facts(0, 60));
    await vi.advanceTimersByTimeAsync(500);
    desk.cancel();
    expect([desk.running, desk.waiting]).toEqual([null, null]);
    await vi.advanceTimersByTimeAsync(5000);
    expect(log).toEqual(['sanitize starts at 0']);
    expect(desk.secondsUntilOpen).toBe(0);
  });

  it('starts what waits when another key allows it', async () => {
    const { desk, log, ask } = scene();
    ask('inspect', () => facts(0, 60));
    await vi.advanceTimersByTimeAsync(1500);
    ask('sanitize', () => facts(58, 60, 60));
    desk.learn(facts(60, 0, 60));
    expect(log.at(-1)).toBe('sanitize starts at 1.5');
  });

  it('never waits longer than the window, whatever the clocks say', async () => {
    const { desk, ask } = scene();
    ask('inspect', () => facts(0, 86_400));
    await vi.advanceTimersByTimeAsync(1000);
    expect(desk.secondsUntilOpen).toBe(60);
  });
});
