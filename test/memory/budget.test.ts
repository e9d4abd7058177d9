import { describe, expect, it } from 'vitest';
import { Fault, OverloadedFault } from '../../src/faults.ts';
import { MemoryBudget } from '../../src/memory/budget.ts';
import type { Reservation } from '../../src/memory/reservation.ts';
import { ManualTime, settle } from './manual_time.ts';

const KILOBYTE = 1024;

/** A budget with its time. */
function budgetOf(capacity: number, places = 5, memories?: { limit: number }) {
  const time = new ManualTime();
  const { now, pause } = time;
  return { time, budget: new MemoryBudget(capacity, places, { now, pause, memories }) };
}

/** A file all of whose memory is reserved at once. */
const file = (bytes: number, outsideCores = 0) => ({ bytes, outsideCores, most: bytes });

/** How a promise ended; undefined while it has not. */
function outcomeOf(promise: Promise<Reservation>) {
  const outcome: { held?: Reservation; error?: Error } = {};
  promise.then(
    (held) => (outcome.held = held),
    (error) => (outcome.error = error),
  );
  return outcome;
}

describe('a memory budget', () => {
  it('lets what fits go on at once and frees on disposal, once', async () => {
    const { budget } = budgetOf(100);
    const held = await budget.reserve(60, 'a job');
    expect(budget.freeBytes).toBe(40);
    held[Symbol.dispose]();
    held[Symbol.dispose]();
    expect(budget.freeBytes).toBe(100);
  });

  it('refuses what can never fit, with both figures', () => {
    const { budget } = budgetOf(100 * 1024 * 1024);
    const never = () => budget.reserve(101 * 1024 * 1024, 'a 50.0 megapixel WEBP');
    expect(never).toThrow(Fault);
    expect(never).toThrow(
      'a 50.0 megapixel WEBP would take 101 MB of memory, but this deployment allows 100 MB',
    );
  });

  it('tells the memories of cores what the jobs leave for them', async () => {
    const memories = { limit: 0 };
    const { budget } = budgetOf(100, 5, memories);
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
    const { budget } = budgetOf(100, 5, memories);
    const held = await budget.reserve(60, 'a job', undefined, 20);
    held.shrinkTo(15, 10);
    expect([budget.freeBytes, memories.limit]).toEqual([85, 90]);
    held.shrinkTo(50, 50);
    expect([budget.freeBytes, memories.limit]).toEqual([85, 90]);
    held[Symbol.dispose]();
    expect([budget.freeBytes, memories.limit]).toEqual([100, 100]);
  });

  it('gives one job all that is free, and tells the memories how much of it lies elsewhere', async () => {
    const memories = { limit: 0 };
    const { budget } = budgetOf(100, 5, memories);
    using _other = await budget.reserve(30, 'other', undefined, 0);
    using held = await budget.reserve(20, 'a job', undefined, 0);
    held.takeFree(0.5);
    expect([held.bytes, budget.freeBytes, memories.limit]).toEqual([70, 0, 75]);
  });

  it('refuses to grow beyond the capacity, and keeps what is held', async () => {
    const { budget } = budgetOf(100);
    const upload = await budget.receive(file(25));
    await expect(upload.growTo(101, 'a huge image')).rejects.toMatchObject({ kind: 'limit' });
    expect(upload.bytes).toBe(25);
    await expect(upload.growTo(50, 'x', AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
    expect([upload.bytes, budget.waiting]).toEqual([25, 0]);
  });

  it('asks for all the memory where a file may be larger than that', async () => {
    const { budget } = budgetOf(100);
    using held = await budget.receive(file(1000, 1000));
    expect(held.bytes).toBe(100);
    await held.extendTo(2000, 2000);
    expect(held.bytes).toBe(100);
  });

  it('hands all over to the job that grows out of an upload', async () => {
    const { budget } = budgetOf(100);
    const upload = await budget.receive(file(30));
    upload.received(20, 0);
    expect([upload.bytes, budget.freeBytes]).toEqual([20, 80]);
    const job = await upload.growTo(50, 'a job');
    upload[Symbol.dispose]();
    expect([upload.bytes, job.bytes, budget.freeBytes]).toEqual([0, 50, 50]);
    await expect(upload.growTo(60, 'a job')).rejects.toThrow('gone over');
    job[Symbol.dispose]();
    expect(budget.freeBytes).toBe(100);
  });
});

describe('those who wait', () => {
  it('are told to come back past the last place, unless they need not wait', async () => {
    const { budget, time } = budgetOf(10, 1);
    const held = await budget.reserve(8, 'a');
    const waiting = budget.reserve(10, 'b');
    const refused = () => budget.reserve(5, 'c');
    expect(refused).toThrow(OverloadedFault);
    expect(refused).toThrow(expect.objectContaining({ retryAfterSeconds: expect.any(Number) }));
    (await budget.reserve(2, 'd'))[Symbol.dispose]();
    held[Symbol.dispose]();
    await time.pass(20);
    (await waiting)[Symbol.dispose]();
    expect(budget.freeBytes).toBe(10);
  });

  it('are passed by what fits', async () => {
    const { budget, time } = budgetOf(100);
    const working = await budget.reserve(60, 'working');
    const large = outcomeOf(budget.reserve(90, 'large'));
    const small = await budget.reserve(10, 'small');
    expect(budget.waiting).toBe(1);
    small[Symbol.dispose]();
    working[Symbol.dispose]();
    await time.pass(20);
    expect(large.held?.bytes).toBe(90);
  });

  it('go in the order in which they came where they fit alike', async () => {
    const { budget, time } = budgetOf(100);
    const working = await budget.reserve(100, 'working');
    const order: string[] = [];
    for (const name of ['first', 'second', 'third']) {
      budget.reserve(80, name).then((held) => {
        order.push(name);
        held[Symbol.dispose]();
      });
    }
    working[Symbol.dispose]();
    await time.pass(100);
    expect(order).toEqual(['first', 'second', 'third']);
  });

  it('keep newcomers back once eight have passed them, so that a large job gets its turn', async () => {
    const { budget, time } = budgetOf(100, 20);
    let working = await budget.reserve(60, 'small');
    const large = outcomeOf(budget.reserve(90, 'large'));
    let served = 0;
    let isRefused = false;
    // A new small job begins before the last one ends, so that the large one would never fit.
    for (let job = 0; job < 12 && !isRefused; job++) {
      const next = outcomeOf(budget.reserve(40, 'small'));
      await settle();
      isRefused = !next.held;
      working[Symbol.dispose]();
      if (next.held) working = next.held;
      served += Number(!isRefused);
      if (!isRefused) working.shrinkTo(20, 0);
    }
    expect(served).toBe(8);
    await time.pass(20);
    expect(large.held?.bytes).toBe(90);
  });

  it('keep newcomers back once they have waited for 5 s', async () => {
    const { budget, time } = budgetOf(100);
    using _working = await budget.reserve(60, 'working');
    outcomeOf(budget.reserve(90, 'large'));
    await time.pass(4900);
    (await budget.reserve(10, 'small'))[Symbol.dispose]();
    await time.pass(200);
    const late = outcomeOf(budget.reserve(10, 'small'));
    await time.pass(100);
    expect(late.held).toBeUndefined();
  });

  it('are answered within 20 s whatever happens, with both figures', async () => {
    const { budget, time } = budgetOf(100 * 1024 * 1024);
    using _working = await budget.reserve(60 * 1024 * 1024, 'working');
    const large = outcomeOf(budget.reserve(90 * 1024 * 1024, 'large'));
    await time.pass(19_900);
    expect(large.error).toBeUndefined();
    await time.pass(100);
    expect(large.error).toBeInstanceOf(OverloadedFault);
    expect(large.error?.message).toMatch(/waited 20 s for 90 MB of memory, of which 40 MB became free/);
    expect(budget.waiting).toBe(0);
  });

  it('wait for 20 s in all, however often', async () => {
    const { budget, time } = budgetOf(100);
    let working = await budget.reserve(95, 'working');
    const upload = budget.receive(file(10));
    await time.pass(12_000);
    working[Symbol.dispose]();
    await time.pass(20);
    working = await budget.reserve(90, 'working');
    const grown = outcomeOf((await upload).growTo(50, 'a job'));
    await time.pass(7900);
    expect(grown.error).toBeUndefined();
    await time.pass(200);
    expect(grown.error).toBeInstanceOf(OverloadedFault);
    working[Symbol.dispose]();
  });

  it('give their place to the next when their client leaves', async () => {
    const { budget, time } = budgetOf(100);
    using _held = await budget.reserve(50, 'a');
    const leaving = new AbortController();
    const large = outcomeOf(budget.reserve(80, 'large', leaving.signal));
    leaving.abort(new Error('gone'));
    await time.pass(20);
    expect(large.error?.message).toBe('gone');
    expect(budget.waiting).toBe(0);
    expect(() => budget.reserve(1, 'late', leaving.signal)).toThrow('gone');
  });

  it('with a file in hand go before those who have none', async () => {
    const { budget, time } = budgetOf(100);
    const running = await budget.reserve(80, 'running');
    const order: string[] = [];
    const upload = await budget.receive(file(20));
    budget.reserve(60, 'newcomer').then(() => order.push('newcomer'));
    await time.pass(100);
    upload.growTo(60, 'grown').then((held) => {
      order.push('grown');
      held.shrinkTo(10, 0);
    });
    await time.pass(100);
    running[Symbol.dispose]();
    await time.pass(100);
    expect(order).toEqual(['grown', 'newcomer']);
  });

  it('go on at once where they need no more than they hold, whoever waits', async () => {
    const { budget, time } = budgetOf(70);
    const large = await budget.receive(file(27));
    const small = await budget.receive(file(5));
    const waiting = outcomeOf(small.growTo(68, 'another job'));
    const job = await large.growTo(8, 'a small job');
    expect([job.bytes, large.bytes]).toEqual([8, 0]);
    job[Symbol.dispose]();
    await time.pass(20);
    expect(waiting.held?.bytes).toBe(68);
  });

  it('with a file in hand, and in each other’s way: the last gives way', async () => {
    const { budget, time } = budgetOf(100);
    const files = [await budget.receive(file(25)), await budget.receive(file(25))] as const;
    const first = outcomeOf(files[0].growTo(80, 'first'));
    const last = outcomeOf(files[1].growTo(80, 'last'));
    await time.pass(40);
    expect(last.error).toBeInstanceOf(OverloadedFault);
    expect(files[1].bytes).toBe(25);
    files[1][Symbol.dispose]();
    await time.pass(20);
    expect([first.held?.bytes, files[0].bytes]).toEqual([80, 0]);
  });

  it('are not sent away while somebody works who will make room', async () => {
    const { budget, time } = budgetOf(100);
    const working = await budget.reserve(30, 'working');
    const files = [await budget.receive(file(25)), await budget.receive(file(25))] as const;
    const grown = files.map((one) => outcomeOf(one.growTo(70, 'a job')));
    await time.pass(3000);
    expect(budget.waiting).toBe(2);
    working[Symbol.dispose]();
    await time.pass(20);
    grown[0]?.held?.[Symbol.dispose]();
    await time.pass(20);
    grown[1]?.held?.[Symbol.dispose]();
    expect(budget.freeBytes).toBe(100);
  });

  it('do not keep others waiting once the runtime has ended them', async () => {
    const time = new ManualTime();
    let isEnded = false;
    const pause = () => (isEnded ? new Promise<void>(() => {}) : time.pause());
    const budget = new MemoryBudget(100, 1, { now: time.now, pause });
    const working = await budget.reserve(60, 'working');
    isEnded = true;
    outcomeOf(budget.reserve(90, 'its request was ended'));
    isEnded = false;
    expect(() => budget.reserve(90, 'another')).toThrow(OverloadedFault);
    await time.pass(30_100);
    const next = outcomeOf(budget.reserve(90, 'the next in its place'));
    working[Symbol.dispose]();
    await time.pass(20);
    expect(next.held?.bytes).toBe(90);
  });
});

describe('uploads', () => {
  it('take half of the memory, but any one all it asks for', async () => {
    const { budget, time } = budgetOf(100);
    const large = await budget.receive(file(80));
    large[Symbol.dispose]();
    const first = await budget.receive(file(30));
    const second = outcomeOf(budget.receive(file(30)));
    await time.pass(100);
    expect(budget.waiting).toBe(1);
    const job = await first.growTo(40, 'a job');
    await time.pass(20);
    expect([first.bytes, second.held?.bytes]).toEqual([0, 30]);
    job[Symbol.dispose]();
  });

  it('keep nothing from others by a declared length alone', async () => {
    const { budget } = budgetOf(100);
    const declared = { bytes: 2, outsideCores: 1, most: 26 };
    for (let upload = 0; upload < 12; upload++) await budget.receive(declared);
    using honest = await budget.receive(declared);
    await honest.extendTo(26, 1);
    expect(honest.bytes).toBe(26);
  });

  it('are extended as long as one after the other can still end, and then wait', async () => {
    const { budget, time } = budgetOf(100);
    const first = await budget.receive({ bytes: 5, outsideCores: 0, most: 40 });
    const second = await budget.receive({ bytes: 5, outsideCores: 0, most: 40 });
    await first.extendTo(20, 0);
    const extended = { done: false };
    second.extendTo(20, 0).then(() => (extended.done = true));
    await time.pass(200);
    expect([second.bytes, extended.done]).toEqual([5, false]);
    await first.extendTo(40, 0);
    const job = await first.growTo(45, 'a job');
    await time.pass(20);
    expect([second.bytes, extended.done]).toEqual([20, true]);
    job[Symbol.dispose]();
  });
});

/** Moves bytes at a rate while time passes; ends at what the pace requires. */
async function transfer(time: ManualTime, held: Reservation, bytesASecond: number, ms: number) {
  let fault: Fault | undefined;
  const step = () => {
    if (fault) return;
    held.moved(Math.floor((bytesASecond * 20) / 1000));
    try {
      held.requirePace();
    } catch (error) {
      fault = error as Fault;
      held[Symbol.dispose]();
    }
  };
  await time.pass(ms, step);
  return fault;
}

describe('who holds memory without moving', () => {
  it('is left alone while nobody waits', async () => {
    const { budget, time } = budgetOf(100);
    using upload = await budget.receive({ ...file(100), expectedBytes: 400 * KILOBYTE });
    expect(await transfer(time, upload, 0, 50_000)).toBeUndefined();
  });

  it.each([
    ['stands still', 0],
    ['trickles', 9 * KILOBYTE],
  ])('loses it after 2 s when others wait: an upload that %s', async (_, bytesASecond) => {
    const { budget, time } = budgetOf(100);
    const upload = await budget.receive({ ...file(60), expectedBytes: 25_000_000 });
    const honest = outcomeOf(budget.reserve(80, 'honest'));
    expect(await transfer(time, upload, bytesASecond, 1800)).toBeUndefined();
    expect(honest.held).toBeUndefined();
    const fault = await transfer(time, upload, bytesASecond, 800);
    expect(fault).toMatchObject({
      kind: 'stalled',
      message: expect.stringMatching(/at least 64 KB a second, but only \d+ bytes came through in 2 s/),
    });
    expect(honest.held?.bytes).toBe(80);
  });

  it('loses it to those who wait: an answer that nobody reads', async () => {
    const { budget, time } = budgetOf(100);
    const answer = await budget.reserve(60, 'a job');
    answer.startSending(60);
    expect(await transfer(time, answer, 0, 5000)).toBeUndefined();
    const honest = outcomeOf(budget.reserve(80, 'honest'));
    const fault = await transfer(time, answer, 0, 100);
    expect(fault).toMatchObject({ kind: 'stalled' });
    expect(honest.held?.bytes).toBe(80);
  });

  it('keeps it at 64 KB a second and more, though others wait', async () => {
    const { budget, time } = budgetOf(100);
    const upload = await budget.receive({ ...file(60), expectedBytes: 25_000_000 });
    const honest = outcomeOf(budget.reserve(80, 'honest'));
    expect(await transfer(time, upload, 70 * KILOBYTE, 15_000)).toBeUndefined();
    expect(honest.held).toBeUndefined();
  });

  it('loses it slowest first, and no more of them than it takes', async () => {
    const { budget, time } = budgetOf(100);
    const answers = await Promise.all([1, 2, 3].map(() => budget.reserve(30, 'a job')));
    for (const answer of answers) answer.startSending(30);
    await time.pass(1000, () => answers[0]?.requirePace());
    answers[1]?.moved(32 * KILOBYTE);
    await time.pass(3000, () => answers[0]?.requirePace());
    const honest = outcomeOf(budget.reserve(40, 'honest'));
    await time.pass(20);
    const isTaken = answers.map((answer) => {
      try {
        answer.requirePace();
        return false;
      } catch {
        answer[Symbol.dispose]();
        return true;
      }
    });
    expect(isTaken).toEqual([true, false, false]);
    await time.pass(20);
    expect(honest.held?.bytes).toBe(40);
  });

  it('keeps it where that would not be enough for those who wait', async () => {
    const { budget, time } = budgetOf(100);
    using _working = await budget.reserve(60, 'working');
    using answer = await budget.reserve(30, 'a job');
    answer.startSending(30);
    outcomeOf(budget.reserve(80, 'large'));
    expect(await transfer(time, answer, 0, 10_000)).toBeUndefined();
  });

  it('keeps it where it is in nobody’s way: an answer, where uploads want more of their share', async () => {
    const { budget, time } = budgetOf(100);
    using answer = await budget.reserve(20, 'a job');
    answer.startSending(20);
    const stalled = await budget.receive(file(40));
    const honest = outcomeOf(budget.receive(file(30)));
    await time.pass(3000);
    answer.requirePace();
    expect(() => stalled.requirePace()).toThrow(Fault);
    stalled[Symbol.dispose]();
    await time.pass(20);
    expect(honest.held?.bytes).toBe(30);
  });

  it('keeps it once all has arrived', async () => {
    const { budget, time } = budgetOf(100);
    using upload = await budget.receive(file(60));
    outcomeOf(budget.reserve(80, 'honest'));
    await time.pass(3000);
    upload.received(50, 0);
    upload.requirePace();
    using job = await upload.growTo(55, 'a job');
    expect(job.bytes).toBe(55);
  });

  it('is not blamed for a codec that stops the event loop', async () => {
    const { budget, time } = budgetOf(100);
    using upload = await budget.receive(file(60));
    outcomeOf(budget.reserve(80, 'honest'));
    await time.pass(1000);
    await time.leap(10_000);
    upload.requirePace();
  });

  it('is not blamed for the time it has to wait itself', async () => {
    const { budget, time } = budgetOf(100);
    const working = await budget.reserve(70, 'working');
    using upload = await budget.receive({ ...file(20), most: 60 });
    const extended = upload.extendTo(50, 0);
    outcomeOf(budget.reserve(80, 'honest'));
    await time.pass(4000);
    working[Symbol.dispose]();
    await time.pass(20);
    await extended;
    await time.pass(1000);
    upload.requirePace();
    expect(upload.bytes).toBe(50);
  });

  it('ends after 30 s and the time its size takes at 16 KB a second, though nobody waits', async () => {
    const { budget, time } = budgetOf(100);
    const expectedBytes = 160 * KILOBYTE;
    const upload = await budget.receive({ ...file(50), expectedBytes });
    expect(await transfer(time, upload, 100, 39_900)).toBeUndefined();
    expect(await transfer(time, upload, 100, 200)).toMatchObject({
      kind: 'stalled',
      message: expect.stringMatching(/took too long: \d+ bytes came through in 40 s, but .* may take 40 s/),
    });
    const undeclared = await budget.receive(file(50));
    expect(await transfer(time, undeclared, 0, 29_900)).toBeUndefined();
    expect(await transfer(time, undeclared, 0, 200)).toMatchObject({ kind: 'stalled' });
  });

  it('loses it in the end even where the runtime ended its request in the middle', async () => {
    const { budget, time } = budgetOf(100);
    await budget.receive(file(60));
    const honest = outcomeOf(budget.reserve(80, 'honest'));
    await time.pass(11_900);
    expect(honest.held).toBeUndefined();
    await time.pass(300);
    expect(honest.held?.bytes).toBe(80);
  });
});
