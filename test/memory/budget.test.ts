import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Fault, OverloadedFault } from '../../src/faults.ts';
import { MemoryBudget, type Reservation } from '../../src/memory/budget.ts';

const soon = () => new Promise<void>((resolve) => setTimeout(resolve, 0));

/** Lets all who wait look several times. */
const settle = async () => {
  for (let turn = 0; turn < 5; turn++) await soon();
};

const budgetOf = (capacity: number, places: number) => new MemoryBudget(capacity, places, undefined, soon);

describe('MemoryBudget', () => {
  it('lets what fits go on at once and frees on disposal, once', async () => {
    const budget = budgetOf(100, 2);
    const held = await budget.reserve(60, 'a job');
    expect(budget.freeBytes).toBe(40);
    held[Symbol.dispose]();
    held[Symbol.dispose]();
    expect(budget.freeBytes).toBe(100);
  });

  it('refuses what can never fit, with both figures', () => {
    const budget = budgetOf(100 * 1024 * 1024, 2);
    const never = () => budget.reserve(101 * 1024 * 1024, 'a 50.0 megapixel WEBP');
    expect(never).toThrow(Fault);
    expect(never).toThrow(
      'a 50.0 megapixel WEBP would take 101 MB of memory, but this deployment allows 100 MB',
    );
  });

  it('makes the others wait their turn: a large job is not starved by small ones behind it', async () => {
    const budget = budgetOf(100, 5);
    const order: string[] = [];
    const first = await budget.reserve(60, 'first');
    const enter = (name: string) => (held: Reservation) => {
      order.push(name);
      return held;
    };
    const large = budget.reserve(90, 'large').then(enter('large'));
    const small = budget.reserve(10, 'small').then(enter('small'));
    await settle();
    expect(order).toEqual([]);
    expect(budget.waiting).toBe(2);
    first[Symbol.dispose]();
    await settle();
    expect(order).toEqual(['large', 'small']);
    (await large)[Symbol.dispose]();
    (await small)[Symbol.dispose]();
    expect(budget.freeBytes).toBe(100);
  });

  it('tells the one past the last place to come back', async () => {
    const budget = budgetOf(10, 1);
    const held = await budget.reserve(10, 'a');
    const waiting = budget.reserve(10, 'b');
    try {
      await budget.reserve(1, 'c');
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(OverloadedFault);
      expect((error as OverloadedFault).retryAfterSeconds).toBeGreaterThan(0);
    }
    held[Symbol.dispose]();
    (await waiting)[Symbol.dispose]();
    expect(budget.freeBytes).toBe(10);
  });

  it('gives the place of a client that left to the next', async () => {
    const budget = budgetOf(100, 5);
    const held = await budget.reserve(50, 'a');
    const leaving = new AbortController();
    const large = budget.reserve(80, 'large', leaving.signal);
    const small = budget.reserve(40, 'small');
    leaving.abort(new Error('gone'));
    await expect(large).rejects.toThrow('gone');
    (await small)[Symbol.dispose]();
    held[Symbol.dispose]();
    expect(budget.freeBytes).toBe(100);
    expect(budget.waiting).toBe(0);
    expect(() => budget.reserve(1, 'late', leaving.signal)).toThrow('gone');
  });

  it('tells the memories of cores what the jobs leave for them', async () => {
    const memories = { limit: 0 };
    const budget = new MemoryBudget(100, 5, memories, soon);
    expect(memories.limit).toBe(100);
    const held = await budget.reserve(60, 'mostly in cores', undefined, 10);
    expect(memories.limit).toBe(90);
    const other = await budget.reserve(40, 'elsewhere');
    expect(memories.limit).toBe(50);
    held[Symbol.dispose]();
    held[Symbol.dispose]();
    other[Symbol.dispose]();
    expect(memories.limit).toBe(100);
  });

  it('looks by a timer of its own when none is given', async () => {
    const budget = new MemoryBudget(10, 1);
    const held = await budget.reserve(10, 'a');
    const waiting = budget.reserve(10, 'b');
    held[Symbol.dispose]();
    (await waiting)[Symbol.dispose]();
    expect(budget.freeBytes).toBe(10);
  });

  it('gives back what a job needs no longer, and never takes more', async () => {
    const memories = { limit: 0 };
    const budget = new MemoryBudget(100, 5, memories, soon);
    const held = await budget.reserve(60, 'a job', undefined, 20);
    held.shrinkTo(15, 10);
    expect([budget.freeBytes, memories.limit]).toEqual([85, 90]);
    held.shrinkTo(50, 50);
    expect([budget.freeBytes, memories.limit]).toEqual([85, 90]);
    held[Symbol.dispose]();
    expect([budget.freeBytes, memories.limit]).toEqual([100, 100]);
  });

  it('leaves what arrives half of the memory, but any one file all it asks for', async () => {
    const budget = budgetOf(100, 5);
    const large = await budget.receive(80, 0);
    large[Symbol.dispose]();
    const first = await budget.receive(30, 0);
    const second = budget.receive(30, 0);
    await settle();
    expect(budget.waiting).toBe(1);
    const job = await first.growTo(40, 'a job');
    expect(first.bytes).toBe(0);
    (await second)[Symbol.dispose]();
    job[Symbol.dispose]();
    expect(budget.freeBytes).toBe(100);
  });

  it('asks for all the memory where a file may be larger than that', async () => {
    const budget = budgetOf(100, 5);
    using held = await budget.receive(1000, 1000);
    expect(held.bytes).toBe(100);
  });

  it('lets a job with its file in hand go before those who have none', async () => {
    const budget = budgetOf(100, 5);
    const running = await budget.reserve(50, 'running');
    const file = await budget.receive(20, 0);
    const order: string[] = [];
    const grown = file.growTo(60, 'large').then((held) => {
      order.push('grown');
      return held;
    });
    const entered = budget.receive(10, 0).then((held) => {
      order.push('entered');
      return held;
    });
    await settle();
    expect(order).toEqual([]);
    running[Symbol.dispose]();
    await settle();
    expect(order).toEqual(['grown', 'entered']);
    (await grown)[Symbol.dispose]();
    (await entered)[Symbol.dispose]();
    expect(budget.freeBytes).toBe(100);
  });

  it('sends the last away where those who wait with a file keep each other from going on', async () => {
    const budget = budgetOf(100, 5);
    const files = [await budget.receive(25, 0), await budget.receive(25, 0)] as const;
    const first = files[0].growTo(80, 'first');
    const last = files[1].growTo(80, 'last');
    await expect(last).rejects.toBeInstanceOf(OverloadedFault);
    expect(files[1].bytes).toBe(25);
    files[1][Symbol.dispose]();
    expect((await first).bytes).toBe(80);
    expect(files[0].bytes).toBe(0);
  });

  it('sends nobody away while somebody works who will make room', async () => {
    const budget = budgetOf(100, 5);
    const working = await budget.reserve(30, 'working');
    const files = [await budget.receive(25, 0), await budget.receive(25, 0)] as const;
    const grown = files.map((file) => file.growTo(70, 'a job'));
    await settle();
    expect(budget.waiting).toBe(2);
    working[Symbol.dispose]();
    (await grown[0]!)[Symbol.dispose]();
    (await grown[1]!)[Symbol.dispose]();
    expect(budget.freeBytes).toBe(100);
  });

  it('refuses to grow beyond the capacity, and keeps what is held', async () => {
    const budget = budgetOf(100, 5);
    const file = await budget.receive(25, 0);
    await expect(file.growTo(101, 'a huge image')).rejects.toMatchObject({ kind: 'limit' });
    expect(file.bytes).toBe(25);
    await expect(file.growTo(50, 'x', AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
    expect([file.bytes, budget.waiting]).toEqual([25, 0]);
  });

  it('lets a job that needs no more than it holds go on at once, whoever waits', async () => {
    const budget = budgetOf(70, 5);
    const large = await budget.receive(27, 0);
    const small = await budget.receive(5, 0);
    const waiting = small.growTo(68, 'another job');
    const job = await large.growTo(8, 'a small job');
    expect([job.bytes, large.bytes]).toEqual([8, 0]);
    job[Symbol.dispose]();
    expect((await waiting).bytes).toBe(68);
  });

  it('does not let a job wait for ever for files that arrive slowly', async () => {
    const budget = new MemoryBudget(100, 5, undefined, () => Promise.resolve());
    using stalled = await budget.receive(40, 0);
    const file = await budget.receive(5, 0);
    await expect(file.growTo(70, 'a job')).rejects.toBeInstanceOf(OverloadedFault);
    expect([file.bytes, stalled.bytes, budget.waiting]).toEqual([5, 40, 0]);
    file[Symbol.dispose]();
    using _next = await budget.receive(10, 0);
  });

  it('gives one job all that is free, and tells the memories how much of it lies elsewhere', async () => {
    const memories = { limit: 0 };
    const budget = new MemoryBudget(100, 5, memories, soon);
    using _other = await budget.reserve(30, 'other', undefined, 0);
    using held = await budget.reserve(20, 'a job', undefined, 0);
    held.takeFree(0.5);
    expect([held.bytes, budget.freeBytes, memories.limit]).toEqual([70, 0, 75]);
  });

  it('never promises more than it has, and ends with everyone served or sent away', async () => {
    const job = fc.record({
      file: fc.integer({ min: 1, max: 60 }),
      more: fc.integer({ min: 0, max: 70 }),
      delay: fc.nat(4),
      aborts: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(job, { minLength: 1, maxLength: 12 }), async (jobs) => {
        const budget = budgetOf(100, 20);
        const check = () => expect(budget.freeBytes).toBeGreaterThanOrEqual(0);
        const run = async ({ file, more, delay, aborts }: (typeof jobs)[number]) => {
          const gone = new AbortController();
          for (let turn = 0; turn < delay; turn++) await soon();
          using received = await budget.receive(file, 0, gone.signal);
          check();
          await soon();
          if (aborts) gone.abort(new Error('gone'));
          using working = await received.growTo(file + more, 'a job', gone.signal);
          check();
          await soon();
          working.takeFree(1);
          check();
        };
        const ends = await Promise.allSettled(jobs.map(run));
        expect([budget.freeBytes, budget.waiting]).toEqual([100, 0]);
        for (const [at, end] of ends.entries()) {
          if (end.status === 'fulfilled') continue;
          const { file, more, aborts } = jobs[at]!;
          const reason = end.reason as Error;
          if (aborts && reason.message === 'gone') continue;
          expect(reason).toMatchObject({ kind: file + more > 100 ? 'limit' : 'overloaded' });
        }
      }),
      { numRuns: 40, seed: 11 },
    );
  });
});
