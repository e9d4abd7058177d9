import { describe, expect, it } from 'vitest';
import { isLong, LEAST_SHARE, RunQueue } from '../../src/scheduling/run_queue.ts';
import { jobTime, nextTurn } from '../../src/scheduling/time_slice.ts';
import { seededBelow } from '../fixtures/random.ts';

/** An event loop: what waits for it goes on one after the other, what then waits again in the next round. */
function eventLoop() {
  const due: (() => void)[] = [];
  let isOver = false;
  const turn = () => new Promise<void>((done) => void due.push(done));
  const run = async () => {
    while (!isOver) {
      due.shift()?.();
      for (let step = 0; step < 20; step++) await undefined;
    }
  };
  const end = () => {
    isOver = true;
  };
  return { turn, run, end };
}

/** What `work` gives, which is done in turns of such a loop. */
async function within<Result>(work: (queue: RunQueue, turn: () => Promise<void>) => Promise<Result>) {
  const { turn, run, end } = eventLoop();
  const [result] = await Promise.all([work(new RunQueue(turn), turn).finally(end), run()]);
  return result;
}

/** A job of so many turns, each of so much work, after so much that it has done before. */
async function work(queue: RunQueue, turns: number, before: number, onTurn: () => void): Promise<void> {
  for (let turn = 0; turn < turns; turn++) {
    await queue.turn({ size: before + turn, came: 0 });
    onTurn();
  }
}

describe('a run queue of jobs', () => {
  it('lets a young job have three quarters of the turns, beside however many old ones', async () => {
    const random = seededBelow(3);
    for (let trial = 0; trial < 40; trial++) {
      const own = 20 + random(200);
      const old = 1 + random(20);
      const beside = await within(async (queue, turn) => {
        let others = 0;
        let isOver = false;
        const oldJobs = Array.from({ length: old }, async () => {
          const before = 1e6 + random(1e6);
          while (!isOver) await work(queue, 1, before, () => others++);
        });
        // They wait already when it comes.
        for (let wait = random(50); wait > 0; wait--) await turn();
        others = 0;
        await work(queue, own, 0, () => {});
        const beside = others;
        isOver = true;
        await Promise.all(oldJobs);
        return beside;
      });
      // Their turns come in bursts, one of which may have begun before and one may end after.
      const share = (own * LEAST_SHARE) / (1 - LEAST_SHARE);
      expect(beside).toBeLessThanOrEqual(share + 2 * old);
      expect(beside).toBeGreaterThanOrEqual(share - 2 * old);
    }
  });

  it('starves nobody: old jobs have a quarter of the turns, each its part, while young ones come', async () => {
    const random = seededBelow(7);
    for (let trial = 0; trial < 20; trial++) {
      const [old, young] = [1 + random(5), 1 + random(12)];
      const turns = 30;
      let all = 0;
      const ends: number[] = [];
      await within(async (queue) => {
        let isOver = false;
        const youngJobs = Array.from({ length: young }, async () => {
          while (!isOver) await work(queue, 1 + random(5), 0, () => all++);
        });
        const oldJobs = Array.from({ length: old }, async (_, n) => {
          await work(queue, turns, 1e6 * (n + 1), () => all++);
          ends.push(all);
        });
        await Promise.all(oldJobs);
        isOver = true;
        await Promise.all(youngJobs);
      });
      // Young ones that wait already when a share is used up come before it.
      const each = old / LEAST_SHARE + young;
      for (const end of ends) expect(end).toBeLessThanOrEqual((turns + 1) * each);
    }
  });

  it('lets jobs that have done about as much share evenly', async () => {
    const taken = [0, 0, 0];
    await within(async (queue) => {
      const jobs = [10, 12, 39].map((before, n) => work(queue, 100, before * 1e6, () => taken[n]!++));
      await Promise.race(jobs);
    });
    expect(Math.min(...taken)).toBeGreaterThan(95);
  });

  it('thirty jobs of one caller kept every small call waiting for thirty slices a round', async () => {
    const ended: number[] = [];
    const between = await within(async (queue, turn) => {
      let others = 0;
      let isOver = false;
      const many = Array.from({ length: 30 }, async (_, came) => {
        for (let left = 40; left > 0 && !isOver; left--) {
          await queue.turn({ size: 1e9 + came, caller: 'many', came, hasSmallCall: () => true });
          others++;
        }
        ended.push(came);
      });
      for (let wait = 0; wait < 100; wait++) await turn();
      others = 0;
      // A small call that does not wait in line: it waits for its counter, its body.
      for (let round = 0; round < 50; round++) await turn();
      const all = others;
      isOver = true;
      await Promise.all(many);
      return all;
    });
    expect(between).toBeLessThanOrEqual(51);
    expect(between).toBeGreaterThanOrEqual(49);
    expect(ended.slice(0, 3)).toEqual([0, 1, 2]);
  });

  it('callers share evenly, however many jobs each has, and one by itself has three turns a round', async () => {
    const shares = async (counts: readonly number[], size = 1e9) => {
      const taken = counts.map(() => 0);
      let rounds = 0;
      await within(async (queue, turn) => {
        let isOver = false;
        const jobs = counts.flatMap((count, caller) =>
          Array.from({ length: count }, async (_, came) => {
            while (!isOver) {
              await queue.turn({ size, caller: String(caller), came });
              taken[caller]!++;
            }
          }),
        );
        for (; rounds < 300; rounds++) await turn();
        isOver = true;
        await Promise.all(jobs);
      });
      return taken.map((turns) => Math.round((turns * 10) / rounds) / 10);
    };
    expect(await shares([12, 1, 3])).toEqual([1, 1, 1]);
    // By itself: who comes would wait for all twelve.
    expect(await shares([12])).toEqual([3]);
    expect(await shares([2])).toEqual([2]);
    // Long jobs: nobody who comes waits for more than one slice.
    expect([isLong(1.5e9), isLong(3e9)]).toEqual([false, true]);
    expect(await shares([12], 3e9)).toEqual([1]);
  });

  it('no jobs wait for each other in a ring, whoever they are of and whatever their sizes', async () => {
    for (let seed = 0; seed < 60; seed++) {
      const random = seededBelow(seed);
      await within((queue) =>
        Promise.all(
          Array.from({ length: 2 + random(14) }, async (_, came) => {
            const caller = random(4) === 0 ? undefined : String(random(3));
            let size = 5e6 * 2 ** random(10);
            for (let turn = 5 + random(20); turn > 0; turn--) {
              await queue.turn({ size, caller, came, hasSmallCall: () => random(2) === 0 });
              size += 1e6 * random(20);
            }
          }),
        ),
      );
    }
  });

  it('forgets a job that the runtime has ended while it waited', async () => {
    let looks = 0;
    const queue = new RunQueue(() => (looks++ === 0 ? new Promise(() => {}) : Promise.resolve()));
    void queue.turn({ size: 0, came: 0 });
    for (let turn = 0; turn < 10; turn++) await queue.turn({ size: 1e6, came: 0 });
    const before = looks;
    await queue.turn({ size: 1e6, came: 0 });
    expect(looks).toBe(before + 1);
  });
});

describe('a small job beside a large one', () => {
  it('waits for a third of its own time, where the large one began before', async () => {
    const giveTurn = () => nextTurn();
    const [large, small] = [jobTime(giveTurn), jobTime(giveTurn)];
    const slice = 10_000_000;
    await large.spend(200 * slice);
    let isOver = false;
    let beside = 0;
    const working = (async () => {
      for (; !isOver; beside++) await large.spend(slice);
    })();
    for (let turn = 0; turn < 30; turn++) await small.spend(slice);
    isOver = true;
    await working;
    expect(beside).toBeGreaterThanOrEqual(9);
    expect(beside).toBeLessThanOrEqual(13);
  });
});
