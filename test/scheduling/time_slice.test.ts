import { describe, expect, it } from 'vitest';
import {
  callArrived,
  callEnded,
  JOB_TIME,
  jobTime,
  nextTurn,
  uninterrupted,
} from '../../src/scheduling/time_slice.ts';
import { MAX_COUNTED_WORK } from '../../src/scheduling/work.ts';

/** A slice holds so many jobs that have no pixels. */
const JOBS = 8;
const SLICE = JOBS * JOB_TIME;

describe('time slices', () => {
  it('end after as much work, whatever it comes in, and begin anew', async () => {
    for (const [piece, perPixel] of [
      [1000, 50],
      [7777, 11],
      [60_000, 40],
    ] as const) {
      let turns = 0;
      const time = jobTime(async () => {
        turns++;
      });
      const slice = time.perPixel(perPixel);
      for (let done = 0; done < 100 * SLICE; done += piece * perPixel) await slice.spend(piece);
      expect(turns).toBeGreaterThan(70);
      expect(turns).toBeLessThanOrEqual(100);
    }
  });

  it('are shared by all jobs that share their turns, one after the other or at once', async () => {
    let turns = 0;
    const giveTurn = async () => void turns++;
    for (let job = 0; job < 10 * JOBS; job++) await jobTime(giveTurn).spend(JOB_TIME);
    expect(turns).toBe(10);
    const beside = async () => void turns++;
    const jobs = [jobTime(beside), jobTime(beside).perPixel(1)];
    for (let piece = 0; piece < 10 * JOBS; piece++) await jobs[piece % 2]!.spend(JOB_TIME);
    expect(turns).toBe(20);
  });

  it('end before a long piece of work where somebody says so, and again after it', async () => {
    let turns = 0;
    const time = jobTime(async () => void turns++);
    const slice = time.perPixel(1);
    await slice.spend(SLICE - 1);
    await slice.end();
    expect(turns).toBe(1);
    await slice.spend(1);
    expect(turns).toBe(2);
    expect(slice.spend(SLICE - 1)).toBeUndefined();
    await slice.end();
    await slice.end();
    expect(turns).toBe(4);
  });

  it('are shorter for a large job as long as a small one began or worked a moment ago', async () => {
    let turns = 0;
    const giveTurn = async () => void turns++;
    const large = jobTime(giveTurn);
    const turnsIn = async (slices: number) => {
      const before = turns;
      for (let piece = 0; piece < slices * JOBS; piece++) await large.spend(SLICE / JOBS);
      return turns - before;
    };
    expect(await turnsIn(100)).toBe(100);
    const small = jobTime(giveTurn);
    expect(await turnsIn(100)).toBeGreaterThan(105);
    expect(await turnsIn(100)).toBe(100);
    small.spend(1);
    expect(await turnsIn(100)).toBeGreaterThan(105);
    // By then it is large as well.
    for (let slice = 0; slice < 100; slice++) await small.spend(SLICE);
    await turnsIn(100);
    small.spend(1);
    expect(await turnsIn(100)).toBe(100);
  });

  it('are shorter for a job of a few slices, too: a refused picture made a small call wait for all of it', async () => {
    let turns = 0;
    const giveTurn = async () => void turns++;
    const refused = jobTime(giveTurn);
    for (let slice = 0; slice < 3; slice++) await refused.spend(SLICE);
    jobTime(giveTurn);
    const before = turns;
    for (let piece = 0; piece < 5 * JOBS; piece++) await refused.spend(SLICE / JOBS);
    expect(turns - before).toBeGreaterThan(12);
  });

  it('are shorter from its header on for a job that announces much: one that had just begun kept whole slices', async () => {
    const turnsAfter = async (work: number) => {
      let turns = 0;
      const giveTurn = async () => void turns++;
      const job = jobTime(giveTurn);
      job.announce(work);
      jobTime(giveTurn);
      for (let piece = 0; piece < JOBS; piece++) await job.spend(SLICE / JOBS);
      return turns;
    };
    expect(await turnsAfter(9e6)).toBe(1);
    expect(await turnsAfter(9e8)).toBeGreaterThanOrEqual(5);
  });

  it('are as much shorter as a job is larger: one of three times as much kept whole slices', async () => {
    const turnsBeside = async (times: number) => {
      let turns = 0;
      const giveTurn = async () => void turns++;
      const [job, small] = [jobTime(giveTurn), jobTime(giveTurn)];
      small.announce(SLICE);
      job.announce(times * SLICE);
      for (let piece = 0; piece < JOBS; piece++) await job.spend(SLICE / JOBS);
      return turns;
    };
    const [equal, larger, large] = [await turnsBeside(2), await turnsBeside(3), await turnsBeside(5)];
    expect(equal).toBe(1);
    expect(larger).toBeGreaterThanOrEqual(4);
    expect(large).toBe(JOBS);
  });

  it('are whole again once the small call has ended: the next one was served as if it were about', async () => {
    const turnsAfter = async (end: (signal: AbortSignal, giveTurn: () => Promise<void>) => void) => {
      let turns = 0;
      const giveTurn = async () => void turns++;
      const { signal } = new AbortController();
      callArrived(signal, giveTurn);
      end(signal, giveTurn);
      const job = jobTime(giveTurn);
      job.announce(5 * SLICE);
      for (let piece = 0; piece < JOBS; piece++) await job.spend(SLICE / JOBS);
      return turns;
    };
    expect(await turnsAfter(() => {})).toBe(JOBS);
    expect(await turnsAfter(callEnded)).toBe(1);
  });

  it('end shortly once the header announces much: what was left of a whole slice was worked through', async () => {
    const turnsOf = async (work: number) => {
      let turns = 0;
      const giveTurn = async () => void turns++;
      const job = jobTime(giveTurn);
      jobTime(giveTurn);
      job.announce(work);
      await job.spend(SLICE / 4);
      return turns;
    };
    expect(await turnsOf(9e6)).toBe(0);
    expect(await turnsOf(9e8)).toBe(1);
  });

  it('stay short for a large job that began last: it passed for the small one that it had come as', async () => {
    let turns = 0;
    const giveTurn = async () => void turns++;
    jobTime(giveTurn);
    const large = jobTime(giveTurn);
    large.announce(9e8);
    for (let piece = 0; piece < 2 * JOBS; piece++) await large.spend(SLICE / JOBS);
    expect(turns).toBeGreaterThanOrEqual(5);
  });

  it('stay whole for a call by itself: it is small when it is admitted, and does not stand back for that', async () => {
    let turns = 0;
    const giveTurn = async () => void turns++;
    const { signal } = new AbortController();
    jobTime(giveTurn, signal);
    const job = jobTime(giveTurn, signal);
    job.announce(9e8);
    for (let piece = 0; piece < 20 * JOBS; piece++) await job.spend(SLICE / JOBS);
    expect(turns).toBe(20);
  });

  it('hold twice as much of a small steady picture while no equal is about: a turn sleeps a millisecond', async () => {
    const turnsOf = async (
      work: number,
      pieces: number,
      isSteady = true,
      before = (_: () => Promise<void>) => {},
    ) => {
      let turns = 0;
      const giveTurn = async () => void turns++;
      const job = jobTime(giveTurn);
      job.announce(work);
      before(giveTurn);
      const slice = job.perPixel(1, isSteady);
      for (let piece = 0; piece < 8 * pieces; piece++) await slice.spend(SLICE / pieces);
      return turns;
    };
    expect(await turnsOf(0, JOBS)).toBe(4);
    expect(await turnsOf(0, JOBS, false)).toBe(8);
    expect(await turnsOf(9e8, JOBS)).toBe(8);
    // Pieces of half a slice may take longer than they should.
    expect(await turnsOf(0, 2)).toBe(8);
    const beside = (nanoseconds: number) => (giveTurn: () => Promise<void>) =>
      void jobTime(giveTurn).spend(nanoseconds);
    expect(await turnsOf(0, JOBS, true, beside(1))).toBeGreaterThanOrEqual(8);
    // Whoever is much larger may wait: nobody minds.
    expect(await turnsOf(0, JOBS, true, (giveTurn) => jobTime(giveTurn).announce(9e8))).toBe(4);
  });

  it('hold as much of a steady picture as of others while an equal waits', async () => {
    const waiting: (() => void)[] = [];
    const giveTurn = () => new Promise<void>((done) => void waiting.push(done));
    const [steady, other] = [jobTime(giveTurn), jobTime(giveTurn)].map((job) => job.perPixel(1, true));
    const turn = other!.spend(SLICE);
    expect(turn).toBeInstanceOf(Promise);
    expect(steady!.spend(SLICE / 4)).toBeUndefined();
    for (let piece = 0; piece < 3; piece++) steady!.spend(SLICE / 4);
    expect(waiting).toHaveLength(2);
  });

  it('begin anew with a call that comes, once in each round of the event loop', async () => {
    const waiting: (() => void)[] = [];
    const giveTurn = () => new Promise<void>((done) => void waiting.push(done));
    const { signal: other } = new AbortController();
    const spendMost = () => jobTime(giveTurn).spend(SLICE - 1);
    const spendsMost = () => spendMost() === undefined;
    expect(spendsMost()).toBe(true);
    callArrived(undefined, giveTurn);
    expect(spendsMost()).toBe(true);
    callEnded(other, giveTurn);
    callArrived(undefined, giveTurn);
    expect(spendsMost()).toBe(true);
    callArrived(undefined, giveTurn);
    const turn = spendMost();
    expect(turn).toBeDefined();
    // While a job waits, what is left is what others may have beside it.
    spendMost();
    callEnded(other, giveTurn);
    callArrived(undefined, giveTurn);
    expect(spendsMost()).toBe(false);
    for (const done of waiting) done();
    await turn;
    callArrived(undefined, giveTurn);
    expect(spendsMost()).toBe(true);
  });

  it('ask for nothing while there is something left', () => {
    const time = jobTime(async () => expect.unreachable());
    expect(time.spend(10)).toBeUndefined();
    expect(uninterrupted.spend(1e9)).toBeUndefined();
    expect(uninterrupted.end()).toBeUndefined();
  });

  it('end a job that turns out to be far more work than any may announce, and no other', () => {
    const giveTurn = async () => {};
    const [endless, other] = [jobTime(giveTurn), jobTime(giveTurn)];
    const slices = [endless.perPixel(1), endless.perPixel(50)];
    for (const slice of slices) slice.spend(MAX_COUNTED_WORK / 2);
    expect(() => slices[0]!.spend(1)).toThrow('3 times the work that a call may announce');
    expect(() => other.perPixel(1).spend(1)).not.toThrow();
  });

  it('end a job that was aborted, at its next turn', async () => {
    const client = new AbortController();
    const time = jobTime(async () => {}, client.signal);
    await time.spend(SLICE);
    client.abort(new Error('gone'));
    expect(time.spend(1)).toBeUndefined();
    await expect(time.spend(SLICE)).rejects.toThrow('gone');
    await expect(time.perPixel(1).end()).rejects.toThrow('gone');
  });
});

describe('a turn', () => {
  it('lets what else is due go first, by a timer where there are no immediates', async () => {
    const { setImmediate: immediate } = globalThis;
    const order: string[] = [];
    try {
      for (const name of ['immediate', 'timer']) {
        if (name === 'timer') Object.assign(globalThis, { setImmediate: undefined });
        const due = new Promise<void>((done) => {
          const note = () => done(void order.push(`due before the ${name}`));
          if (name === 'timer') setTimeout(note);
          else immediate(note);
        });
        await Promise.all([due, nextTurn().then(() => order.push(name))]);
      }
    } finally {
      Object.assign(globalThis, { setImmediate: immediate });
    }
    expect(order).toEqual(['due before the immediate', 'immediate', 'due before the timer', 'timer']);
  });
});
