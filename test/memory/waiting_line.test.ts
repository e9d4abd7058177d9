import { describe, expect, it } from 'vitest';
import { OverloadedFault } from '../../src/faults.ts';
import { MemoryBudget } from '../../src/memory/budget.ts';
import { budgetOf, file, ManualTime, outcomeOf, settle } from './timed_budget.ts';

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

  it('are sent away from the caller with most calls: those of one key sent away all who had none', async () => {
    const { budget, time } = budgetOf(10, 4);
    using _working = await budget.reserve(10, 'at work');
    const come = (id: string, isAnonymous: boolean) =>
      outcomeOf((async () => budget.receive(file(5), undefined, { id, isAnonymous }))());
    const alone = come('network', true);
    const many = [1, 2, 3, 4, 5].map(() => come('greedy', false));
    const other = come('other network', true);
    await time.pass(100);
    expect([alone.error, other.error]).toEqual([undefined, undefined]);
    expect(many.map(({ error }) => error !== undefined)).toEqual([false, false, true, true, true]);
  });

  it('keep nobody back while they wait for jobs of their own caller alone', async () => {
    const { budget, time } = budgetOf(100, 20);
    const jobOf = async (id: string, bytes: number, isLong: boolean) => {
      const upload = await budget.receive(file(1), undefined, { id, isAnonymous: false });
      upload.received(1, 0);
      return outcomeOf(upload.growTo(bytes, 'a job', undefined, 0, isLong));
    };
    await jobOf('many', 40, true);
    const second = await jobOf('many', 40, true);
    await time.pass(6000);
    await jobOf('other', 20, false);
    // By its caller's turn it would come behind the one that waits.
    const next = await jobOf('other', 20, false);
    await time.pass(100);
    expect([second.held, next.held?.bytes]).toEqual([undefined, 20]);
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

describe('callers who wait', () => {
  const one = { id: 'one', isAnonymous: false };
  const other = { id: 'other', isAnonymous: false };
  const network = { id: 'network', isAnonymous: true };

  it('take turns: the second call of one waits behind the first of another', async () => {
    const { budget, time } = budgetOf(100, 20);
    const working = await budget.reserve(100, 'working');
    const order: string[] = [];
    const wait = async (caller: typeof one) => {
      const held = await budget.receive(file(60), undefined, caller);
      order.push(caller.id);
      held[Symbol.dispose]();
    };
    const all = [one, one, one, network, other, other].map(wait);
    working[Symbol.dispose]();
    await time.pass(400);
    await Promise.all(all);
    expect(order).toEqual(['one', 'other', 'one', 'other', 'one', 'network']);
  });

  it('who have a job at work wait behind those who have none, also with a file in hand', async () => {
    const { budget, time } = budgetOf(100, 20);
    const files = [];
    for (const caller of [one, one, one, other]) files.push(await budget.receive(file(5), undefined, caller));
    const working = await files[0]!.growTo(80, 'a job of one');
    const later = [files[1]!, files[2]!].map((each) => outcomeOf(each.growTo(80, 'more of one')));
    const theirs = outcomeOf(files[3]!.growTo(80, 'a job of the other'));
    await time.pass(6000);
    working[Symbol.dispose]();
    await time.pass(40);
    expect([theirs.held?.bytes, later[0]?.held, later[1]?.held]).toEqual([80, undefined, undefined]);
  });

  it('with many short jobs held all the memory: half of it is there for another caller at once', async () => {
    const { budget, time } = budgetOf(100, 20);
    const files = [];
    for (const caller of [one, one, one, one]) files.push(await budget.receive(file(5), undefined, caller));
    const jobs = files.map((upload) => outcomeOf(upload.growTo(20, 'a job of one')));
    const upload = await budget.receive(file(5), undefined, other);
    const theirs = outcomeOf(upload.growTo(40, 'a job of another'));
    await time.pass(40);
    expect(jobs.map(({ held }) => held?.bytes)).toEqual([20, 20, undefined, undefined]);
    expect(theirs.held?.bytes).toBe(40);
    jobs[0]!.held![Symbol.dispose]();
    await time.pass(40);
    expect(jobs[2]!.held?.bytes).toBe(20);
  });

  it('do not keep another caller back while they have a job at work, however long they wait', async () => {
    const { budget, time } = budgetOf(100, 20);
    const files = [];
    for (const caller of [one, one]) files.push(await budget.receive(file(5), undefined, caller));
    using _working = await files[0]!.growTo(20, 'a job of one');
    using _others = await budget.reserve(60, 'a job of somebody else');
    outcomeOf(files[1]!.growTo(30, 'the next of one'));
    await time.pass(7000);
    const own = outcomeOf(budget.receive(file(5), undefined, one));
    const theirs = outcomeOf(budget.receive(file(5), undefined, other));
    await time.pass(40);
    expect([own.held, theirs.held?.bytes]).toEqual([undefined, 5]);
  });

  it('past the last place send away the second call of one, else the last in line, who need not be the latest', async () => {
    const { budget, time } = budgetOf(100, 3);
    using _working = await budget.reserve(100, 'working');
    const waiting = [network, one, one].map((caller) =>
      outcomeOf(budget.receive(file(5), undefined, caller)),
    );
    const theirs = outcomeOf(budget.receive(file(5), undefined, other));
    await time.pass(40);
    expect(waiting.map(({ error }) => error?.constructor)).toEqual([undefined, undefined, OverloadedFault]);
    const next = outcomeOf(budget.receive(file(5), undefined, { id: 'third', isAnonymous: false }));
    await time.pass(40);
    expect(waiting[0]?.error).toBeInstanceOf(OverloadedFault);
    expect([theirs.error, next.error, budget.waiting]).toEqual([undefined, undefined, 3]);
    expect(() => budget.receive(file(5), undefined, network)).toThrow(OverloadedFault);
  });
});
