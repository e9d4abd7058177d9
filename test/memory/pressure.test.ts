import { describe, expect, it } from 'vitest';
import { Fault, SlowTransferFault } from '../../src/faults.ts';
import type { Reservation } from '../../src/memory/reservation.ts';
import { budgetOf, file, type ManualTime, outcomeOf } from './timed_budget.ts';

const KILOBYTE = 1024;

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
    const ordinary = outcomeOf(budget.reserve(80, 'ordinary'));
    expect(await transfer(time, upload, bytesASecond, 1800)).toBeUndefined();
    expect(ordinary.held).toBeUndefined();
    const fault = await transfer(time, upload, bytesASecond, 800);
    expect(fault).toBeInstanceOf(SlowTransferFault);
    expect(fault).toMatchObject({
      kind: 'overloaded',
      message: expect.stringMatching(/at least 64 KB a second, but only \d+ bytes came through in 2 s/),
    });
    expect(ordinary.held?.bytes).toBe(80);
  });

  it('loses it to those who wait: an answer that nobody reads', async () => {
    const { budget, time } = budgetOf(100);
    const answer = await budget.reserve(60, 'a job');
    answer.startSending(60);
    expect(await transfer(time, answer, 0, 5000)).toBeUndefined();
    const ordinary = outcomeOf(budget.reserve(80, 'ordinary'));
    const fault = await transfer(time, answer, 0, 100);
    expect(fault).toBeInstanceOf(SlowTransferFault);
    expect(ordinary.held?.bytes).toBe(80);
  });

  it('keeps it at 64 KB a second and more, though others wait', async () => {
    const { budget, time } = budgetOf(100);
    const upload = await budget.receive({ ...file(60), expectedBytes: 25_000_000 });
    const ordinary = outcomeOf(budget.reserve(80, 'ordinary'));
    expect(await transfer(time, upload, 70 * KILOBYTE, 15_000)).toBeUndefined();
    expect(ordinary.held).toBeUndefined();
  });

  it('loses it slowest first, and no more of them than it takes', async () => {
    const { budget, time } = budgetOf(100);
    const answers = await Promise.all([1, 2, 3].map(() => budget.reserve(30, 'a job')));
    for (const answer of answers) answer.startSending(30);
    await time.pass(1000, () => answers[0]?.requirePace());
    answers[1]?.moved(32 * KILOBYTE);
    await time.pass(3000, () => answers[0]?.requirePace());
    const ordinary = outcomeOf(budget.reserve(40, 'ordinary'));
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
    expect(ordinary.held?.bytes).toBe(40);
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
    const ordinary = outcomeOf(budget.receive(file(30)));
    await time.pass(3000);
    answer.requirePace();
    expect(() => stalled.requirePace()).toThrow(Fault);
    stalled[Symbol.dispose]();
    await time.pass(20);
    expect(ordinary.held?.bytes).toBe(30);
  });

  it('keeps it once all has arrived', async () => {
    const { budget, time } = budgetOf(100);
    using upload = await budget.receive(file(60));
    outcomeOf(budget.reserve(80, 'ordinary'));
    await time.pass(3000);
    upload.received(50, 0);
    upload.requirePace();
    using job = await upload.growTo(55, 'a job');
    expect(job.bytes).toBe(55);
  });

  it('is not blamed for a codec that stops the event loop', async () => {
    const { budget, time } = budgetOf(100);
    using upload = await budget.receive(file(60));
    outcomeOf(budget.reserve(80, 'ordinary'));
    await time.pass(1000);
    await time.leap(10_000);
    upload.requirePace();
  });

  it('is not blamed for the time it has to wait itself', async () => {
    const { budget, time } = budgetOf(100);
    const working = await budget.reserve(70, 'working');
    using upload = await budget.receive({ ...file(20), most: 60 });
    const extended = upload.extendTo(50, 0);
    outcomeOf(budget.reserve(80, 'ordinary'));
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
    const ordinary = outcomeOf(budget.reserve(80, 'ordinary'));
    await time.pass(11_900);
    expect(ordinary.held).toBeUndefined();
    await time.pass(300);
    expect(ordinary.held?.bytes).toBe(80);
  });
});
