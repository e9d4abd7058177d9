import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { areSafe, type UploadClaim } from '../../src/memory/safe_uploads.ts';
import { budgetOf, file, outcomeOf } from './timed_budget.ts';

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
    using ordinary = await budget.receive(declared);
    await ordinary.extendTo(26, 1);
    expect(ordinary.bytes).toBe(26);
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

/** Whether some order lets each upload end, all of them tried; the last may exceed the limit. */
function someOrderEnds(uploads: readonly UploadClaim[], limit: number): boolean {
  if (uploads.length < 2) return true;
  const held = uploads.reduce((sum, { bytes }) => sum + bytes, 0);
  return uploads.some(
    ({ bytes, most }, first) =>
      most - bytes <= limit - held &&
      someOrderEnds(
        uploads.filter((_, index) => index !== first),
        limit,
      ),
  );
}

it('uploads are safe exactly where some order lets all of them end', () => {
  const claim = fc.tuple(fc.nat(20), fc.nat(30)).map(([bytes, more]) => ({ bytes, most: bytes + more }));
  const verdicts = new Set<boolean>();
  fc.assert(
    fc.property(fc.array(claim, { maxLength: 6 }), fc.nat(80), (uploads, limit) => {
      const isSafe = areSafe(uploads, limit);
      verdicts.add(isSafe);
      expect(isSafe).toBe(someOrderEnds(uploads, limit));
    }),
    { numRuns: 2000, seed: 19 },
  );
  expect(verdicts.size).toBe(2);
});
