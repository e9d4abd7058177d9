import { describe, expect, it } from 'vitest';
import { Fault } from '../../src/faults.ts';
import { MemoryBudget } from '../../src/memory/budget.ts';
import { budgetOf, file, ManualTime } from './timed_budget.ts';

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

  it('tells how long calls had to wait, also in vain, and nothing of those that go on at once', async () => {
    const waits: number[] = [];
    const time = new ManualTime();
    const { now, pause } = time;
    const onWaited = (milliseconds: number) => waits.push(milliseconds);
    const budget = new MemoryBudget(100, 5, { now, pause, onWaited });
    const held = await budget.reserve(60, 'a job');
    const waiting = budget.reserve(50, 'one that waits');
    const leaving = new AbortController();
    const left = budget.reserve(50, 'one that leaves', leaving.signal).catch(() => 'left');
    await time.pass(400);
    leaving.abort();
    await time.pass(20);
    expect(await left).toBe('left');
    held[Symbol.dispose]();
    await time.pass(100);
    await waiting;
    expect(waits).toEqual([420, 440]);
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
