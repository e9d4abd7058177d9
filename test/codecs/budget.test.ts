import { describe, expect, it } from 'vitest';
import { MemoryBudget, type Reservation } from '../../src/codecs/budget.ts';
import { Fault, OverloadedFault } from '../../src/faults.ts';

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
});
