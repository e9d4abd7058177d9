import { describe, expect, it } from 'vitest';
import { MemoryBudget } from '../../src/memory/budget.ts';
import type { Caller } from '../../src/memory/holding.ts';
import { file, ManualTime, outcomeOf } from './timed_budget.ts';

/** Of 1000 bytes 100 are kept: jobs up to 100 are small, files up to 15; such files may take 60. */
function keeping() {
  const time = new ManualTime();
  const { now, pause } = time;
  return { time, budget: new MemoryBudget(1000, 16, { now, pause, kept: 100 }) };
}

const caller = (id: string): Caller => ({ id, isAnonymous: false });
const receive = (budget: MemoryBudget, bytes: number, id: string) =>
  outcomeOf(budget.receive(file(bytes), undefined, caller(id)));

describe('what is kept for small calls', () => {
  it('is left by large jobs, however many, and taken by small ones', async () => {
    const { budget, time } = keeping();
    using _large = await budget.reserve(800, 'large');
    const larger = outcomeOf(budget.reserve(101, 'no small job'));
    using _small = await budget.reserve(100, 'small');
    await time.pass(100);
    expect(larger.held).toBeUndefined();
    expect(budget.freeBytes).toBe(100);
  });

  it('is taken by a job that could not begin without it, once it is alone', async () => {
    const { budget, time } = keeping();
    const small = await budget.reserve(60, 'small');
    const whole = outcomeOf(budget.reserve(950, 'nearly all'));
    await time.pass(100);
    expect(whole.held).toBeUndefined();
    small[Symbol.dispose]();
    await time.pass(100);
    expect(whole.held?.bytes).toBe(950);
  });

  it('a small call waited behind large ones that were passed too often, beside free memory', async () => {
    const { budget, time } = keeping();
    using _working = await budget.reserve(700, 'at work');
    const aged = await budget.receive(file(100), undefined, caller('aged'));
    aged.received(100, 0);
    outcomeOf(aged.growTo(600, 'large'));
    await time.pass(6000);
    const upload = await budget.receive(file(10), undefined, caller('small'));
    upload.received(10, 0);
    const job = await upload.growTo(90, 'small');
    expect(job.bytes).toBe(90);
    job[Symbol.dispose]();
    // A file of a job that is not small, too, but that job waits.
    const other = await budget.receive(file(10), undefined, caller('other'));
    other.received(10, 0);
    const large = outcomeOf(other.growTo(150, 'large'));
    await time.pass(100);
    expect(large.held).toBeUndefined();
  });

  it('waits for nobody’s files: one small file of each caller comes in beside all that are waiting', async () => {
    const { budget, time } = keeping();
    for (const id of ['a', 'b', 'c']) expect(receive(budget, 150, id).held).toBeUndefined();
    await time.pass(20);
    expect(budget.freeBytes).toBe(550);
    const [large, small, second] = [
      receive(budget, 20, 'd'),
      receive(budget, 15, 'e'),
      receive(budget, 15, 'e'),
    ];
    await time.pass(100);
    expect([large.held, small.held?.bytes, second.held]).toEqual([undefined, 15, undefined]);
  });

  it('long jobs of little memory took it all, and small calls waited until they had ended', async () => {
    const { budget, time } = keeping();
    const jobOf = async (id: string, bytes: number, isLong: boolean) => {
      const upload = await budget.receive(file(5), undefined, caller(id));
      upload.received(5, 0);
      return outcomeOf(upload.growTo(bytes, 'a job', undefined, 0, isLong));
    };
    for (const id of ['a', 'a', 'b', 'b', 'c', 'c']) await jobOf(id, 145, true);
    await time.pass(100);
    expect(budget.freeBytes).toBeGreaterThanOrEqual(100);
    const long = await jobOf('d', 100, true);
    const small = await jobOf('e', 90, false);
    await time.pass(100);
    expect([long.held, small.held?.bytes]).toEqual([undefined, 90]);
  });

  it('many small jobs of one caller took it all: its second one leaves it to others', async () => {
    const { budget, time } = keeping();
    const jobOf = async (id: string) => {
      const upload = await budget.receive(file(5), undefined, caller(id));
      upload.received(5, 0);
      return outcomeOf(upload.growTo(90, 'a job'));
    };
    for (let job = 0; job < 10; job++) await jobOf('many');
    await time.pass(100);
    expect(budget.freeBytes).toBeGreaterThanOrEqual(100 - 5);
    const other = await jobOf('other');
    await time.pass(100);
    expect(other.held?.bytes).toBe(90);
  });

  it('is taken last by an output that turns out longer', async () => {
    const { budget } = keeping();
    using job = await budget.reserve(300, 'a job');
    job.takeFree(0);
    expect(job.bytes).toBe(900);
    job.takeFree(0);
    expect(job.bytes).toBe(1000);
  });
});
