import { expect, it } from 'vitest';
import type { Caller } from '../../src/memory/holding.ts';
import { seededRandom } from '../fixtures/random.ts';
import { CAPACITY, type CallEnd, type CallPlan, KEPT, Simulation, STEP_MS } from './simulated_calls.ts';

const KILOBYTE = 1024;
const MEGABYTE = 1024 * KILOBYTE;

/** What a call may wait for memory in all. */
const MOST_WAITING_MS = 20_000;

/** What a small call may wait: it looks once or twice. */
const MOST_PASSED_MS = 2 * STEP_MS;

/** A rate at which nobody is slow. */
const LEAST_RATE = 80 * KILOBYTE;

/** Draws numbers: `between` two others, as many small as large ones by their logarithm; `upTo` evenly. */
function drawing(seed: number) {
  const random = seededRandom(seed);
  const between = (least: number, most: number) => Math.floor(least * (most / least) ** random());
  const upTo = (most: number) => 1 + Math.floor(random() * most);
  return { between, upTo, chance: (share: number) => random() < share };
}

/** A call of somebody who sends, reads and stays as he should. */
function ordinaryCall({ between, upTo, chance }: ReturnType<typeof drawing>, arrivesAt: number): CallPlan {
  const fileBytes = chance(0.5) ? upTo(25 * MEGABYTE) : between(20 * KILOBYTE, 25 * MEGABYTE);
  const jobBytes = Math.min(CAPACITY, fileBytes + between(MEGABYTE, 60 * MEGABYTE));
  return {
    arrivesAt,
    fileBytes,
    isLengthDeclared: chance(0.8),
    uploadRate: Math.max(LEAST_RATE, fileBytes / between(1, 5)),
    jobBytes,
    workMs: between(STEP_MS, 5000),
    answerBytes: Math.min(jobBytes, between(20 * KILOBYTE, 25 * MEGABYTE)),
    readRate: between(4 * MEGABYTE, 20 * MEGABYTE),
    stallsAfter: Number.POSITIVE_INFINITY,
    leavesAt: Number.POSITIVE_INFINITY,
  };
}

/** A call of somebody who stalls, trickles, reads slowly or goes away. */
function otherCall(draw: ReturnType<typeof drawing>, arrivesAt: number): CallPlan {
  const { between, chance } = draw;
  return {
    ...ordinaryCall(draw, arrivesAt),
    ...(chance(0.4) && { uploadRate: between(KILOBYTE, 200 * KILOBYTE) }),
    ...(chance(0.4) && { readRate: between(KILOBYTE, 200 * KILOBYTE) }),
    ...(chance(0.4) && { stallsAfter: between(1, 25 * MEGABYTE) }),
    leavesAt: arrivesAt + between(100, 40_000),
  };
}

/** One of a few callers, some without a key, or one of its own. */
function anyCaller({ upTo, chance }: ReturnType<typeof drawing>): Caller | undefined {
  return chance(0.2) ? undefined : { id: String(upTo(6)), isAnonymous: chance(0.5) };
}

/** Everything is given back, and nobody waits. */
function expectNothingHeld({ budget, memories }: Simulation): void {
  expect([budget.freeBytes, budget.waiting, memories.limit]).toEqual([CAPACITY, 0, CAPACITY]);
}

/** @param thousands numbers of schedules' seeds, in thousands */
export function checkAnySchedule(thousands: readonly number[]): void {
  it.each(thousands)(
    'holds no more than the budget, answers everybody in time, gives everything back: %i, 000 to 999',
    async (thousand) => {
      const kinds = new Map<string, number>();
      for (let seed = thousand * 1000; seed < (thousand + 1) * 1000; seed++) {
        const draw = drawing(seed);
        const within = draw.between(500, 20_000);
        const plans = Array.from({ length: draw.upTo(30) }, () => {
          const arrivesAt = draw.upTo(within);
          const plan = draw.chance(0.5) ? ordinaryCall(draw, arrivesAt) : otherCall(draw, arrivesAt);
          return seed % 2 === 0 ? plan : { ...plan, caller: anyCaller(draw) };
        });
        const simulation = new Simulation(seed % 4 < 2 ? KEPT : 0);
        const ends = await simulation.run(plans);
        expectNothingHeld(simulation);
        for (const [index, { kind, waitedMs }] of ends.entries()) {
          const plan = plans[index]!;
          const told = `seed ${seed}, call ${index}: ${kind} after waiting for ${waitedMs} ms`;
          expect(waitedMs, told).toBeLessThanOrEqual(MOST_WAITING_MS);
          if (plan.leavesAt === Number.POSITIVE_INFINITY) expect(kind, told).toMatch(/served|overloaded/);
          const isFast = Math.min(plan.uploadRate, plan.readRate) >= LEAST_RATE;
          if (isFast && plan.stallsAfter >= 25 * MEGABYTE) expect(kind, told).not.toBe('stalled');
          kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
        }
      }
      for (const kind of ['served', 'overloaded', 'stalled', 'gone']) {
        expect(kinds.get(kind), kind).toBeGreaterThan(300);
      }
    },
  );
}

/** Calls of people among those who take as much memory as they may, for as long as they may. */
export function checkSmallOnesPass(): void {
  it('small calls never wait for large ones, which are served all the same', async () => {
    const kinds = new Map<string, number>();
    for (let seed = 0; seed < 150; seed++) {
      const draw = drawing(seed);
      const { between, chance, upTo } = draw;
      const large = (): CallPlan => ({
        ...ordinaryCall(draw, upTo(20_000)),
        fileBytes: between(100 * KILOBYTE, 12 * MEGABYTE),
        uploadRate: between(MEGABYTE, 40 * MEGABYTE),
        jobBytes: between(KEPT + MEGABYTE, CAPACITY - KEPT),
        workMs: between(STEP_MS, 6000),
        caller: { id: `large ${upTo(3)}`, isAnonymous: false },
      });
      const small = (arrivesAt: number): CallPlan => ({
        ...ordinaryCall(draw, arrivesAt),
        fileBytes: between(50 * KILOBYTE, MEGABYTE / 2),
        isLengthDeclared: true,
        uploadRate: 4 * MEGABYTE,
        jobBytes: between(MEGABYTE, KEPT / 2),
        workMs: STEP_MS,
        answerBytes: MEGABYTE / 2,
        caller: { id: 'small', isAnonymous: chance(0.5) },
      });
      const simulation = new Simulation();
      const many = Array.from({ length: between(2, 16) }, large);
      const few = Array.from({ length: 10 }, (_, index) => small(1000 + index * 3000));
      const ends = await simulation.run([...few, ...many]);
      expectNothingHeld(simulation);
      for (const [index, end] of ends.slice(0, few.length).entries()) {
        expect(end.kind, `seed ${seed}, call ${index}`).toBe('served');
        expect(end.waitedMs, `seed ${seed}, call ${index}`).toBeLessThanOrEqual(MOST_PASSED_MS);
      }
      for (const { kind } of ends.slice(few.length)) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    }
    expect([...kinds.keys()].sort()).toEqual(['overloaded', 'served']);
    expect(kinds.get('served')).toBeGreaterThan(5 * kinds.get('overloaded')!);
  });
}

/** Large calls among small ones, and ordinary ones beside clients who do not move. */
export function checkNobodyStarves(): void {
  const run = async (plans: readonly CallPlan[], kept = 0): Promise<CallEnd[]> => {
    const simulation = new Simulation(kept);
    const ends = await simulation.run(plans);
    expectNothingHeld(simulation);
    return ends;
  };

  it('whom large or small others pass: every large call among an endless stream of small ones is served', async () => {
    for (let seed = 0; seed < 100; seed++) {
      const draw = drawing(seed);
      const small = (arrivesAt: number): CallPlan => ({
        ...ordinaryCall(draw, arrivesAt),
        fileBytes: 500 * KILOBYTE,
        uploadRate: 2 * MEGABYTE,
        jobBytes: draw.between(6 * MEGABYTE, 12 * MEGABYTE),
        workMs: draw.between(STEP_MS, 3000),
        answerBytes: 500 * KILOBYTE,
      });
      const large = { ...small(5000), jobBytes: draw.between(60 * MEGABYTE, CAPACITY) };
      // 10 MB for more than a second each, three of them a second and more: all the memory.
      const stream = Array.from({ length: 150 }, (_, index) => small(index * draw.between(100, 300)));
      const [end] = await run([large, ...stream], seed % 2 === 0 ? KEPT : 0);
      expect(end, `seed ${seed}`).toMatchObject({ kind: 'served' });
      // Passed for 5 s, then until those who work have ended.
      expect(end!.waitedMs, `seed ${seed}`).toBeLessThanOrEqual(12_000);
    }
  });

  it('who come at once with jobs of half the memory: all are served, since files in hand leave that much', async () => {
    for (let seed = 0; seed < 200; seed++) {
      const draw = drawing(seed);
      const plans = Array.from({ length: 12 }, () => {
        const fileBytes = draw.between(3 * MEGABYTE, 8 * MEGABYTE);
        const jobBytes = draw.between(CAPACITY / 4, CAPACITY / 2);
        return { ...ordinaryCall(draw, draw.upTo(500)), fileBytes, jobBytes, isLengthDeclared: true };
      });
      const quick = plans.map((plan) => ({ ...plan, uploadRate: 40 * MEGABYTE, workMs: STEP_MS }));
      const ends = await run(
        quick.map((plan) => ({ ...plan, answerBytes: MEGABYTE, readRate: 20 * MEGABYTE })),
      );
      expect(
        ends.map(({ kind }) => kind),
        `seed ${seed}`,
      ).toEqual(plans.map(() => 'served'));
    }
  });

  it('beside clients who do not move, however many: their memory is there after the 2 s that they are given', async () => {
    for (let seed = 0; seed < 300; seed++) {
      const draw = drawing(seed);
      const hostile = Array.from({ length: draw.between(1, 20) }, () => ({
        ...otherCall(draw, 1),
        uploadRate: draw.chance(0.5) ? 9 * KILOBYTE : 20 * MEGABYTE,
        workMs: STEP_MS,
        readRate: KILOBYTE,
        leavesAt: 100_000,
      }));
      const ends = await run([...hostile, ordinaryCall(draw, 40_000)]);
      const end = ends.at(-1)!;
      expect(end, `seed ${seed}`).toMatchObject({ kind: 'served' });
      expect(end.waitedMs, `seed ${seed}`).toBeLessThanOrEqual(3000);
    }
  });

  /** Forty calls that come as fast as they may and behave as they like. */
  const crowd = (draw: ReturnType<typeof drawing>, callerOf: (index: number) => Caller): CallPlan[] =>
    Array.from({ length: 40 }, (_, index) => ({
      ...ordinaryCall(draw, draw.upTo(2000)),
      uploadRate: draw.chance(0.5) ? draw.between(LEAST_RATE, MEGABYTE) : 20 * MEGABYTE,
      jobBytes: draw.between(10 * MEGABYTE, CAPACITY),
      workMs: draw.between(STEP_MS, 3000),
      readRate: draw.chance(0.5) ? LEAST_RATE : 20 * MEGABYTE,
      fileBytes: draw.between(MEGABYTE, 12 * MEGABYTE),
      answerBytes: draw.between(MEGABYTE, 4 * MEGABYTE),
      caller: callerOf(index),
      leavesAt: draw.chance(0.3) ? 2300 : Number.POSITIVE_INFINITY,
    }));

  it.each<[string, (index: number) => Caller]>([
    ['forty calls of one other key', () => ({ id: 'greedy', isAnonymous: false })],
    ['forty calls of one host without a key', () => ({ id: 'host', isAnonymous: true })],
    ['forty hosts without a key', (index) => ({ id: `host ${index}`, isAnonymous: true })],
  ])('beside %s: a key’s call of usual size is served', async (_, callerOf) => {
    for (let seed = 0; seed < 60; seed++) {
      const draw = drawing(seed);
      const usual = (arrivesAt: number): CallPlan => ({
        ...ordinaryCall(draw, arrivesAt),
        fileBytes: 4 * MEGABYTE,
        uploadRate: 4 * MEGABYTE,
        jobBytes: 12 * MEGABYTE,
        workMs: 500,
        answerBytes: MEGABYTE,
        isLengthDeclared: true,
        caller: { id: 'usual', isAnonymous: false },
      });
      const ends = await run([usual(3000), usual(9000), usual(15_000), ...crowd(draw, callerOf)]);
      for (const end of ends.slice(0, 3)) {
        expect(end, `seed ${seed}`).toMatchObject({ kind: 'served' });
        // Five megabytes come one after the other, each of which may have to wait for one job of 3 s.
        expect(end.waitedMs, `seed ${seed}`).toBeLessThanOrEqual(15_000);
      }
    }
  });
}
