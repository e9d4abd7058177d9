import { describe, expect, it } from 'vitest';
import { FifoQueue } from '../../src/memory/fifo_queue.ts';

const soon = () => new Promise<void>((resolve) => setTimeout(resolve, 0));
const settle = async () => {
  for (let turn = 0; turn < 4; turn++) await soon();
};

describe('FifoQueue', () => {
  it('lets the first in at once where it fits', async () => {
    const turns = new FifoQueue(() => Promise.reject(new Error('nobody has to pause')));
    expect(
      await turns.wait(
        () => true,
        () => 'in',
      ),
    ).toBe('in');
    expect(turns.length).toBe(0);
  });

  it('lets nobody overtake, and asks only the first whether it fits', async () => {
    const turns = new FifoQueue(soon);
    let open = false;
    const asked: string[] = [];
    const order: string[] = [];
    const enter = (name: string, fits: () => boolean) =>
      turns.wait(
        () => {
          asked.push(name);
          return fits();
        },
        () => order.push(name),
      );
    const both = [enter('large', () => open), enter('small', () => true)];
    await settle();
    expect([turns.length, ...new Set(asked)]).toEqual([2, 'large']);
    open = true;
    await Promise.all(both);
    expect(order).toEqual(['large', 'small']);
  });

  it('frees the place of one who leaves, or whose entering throws', async () => {
    const turns = new FifoQueue(soon);
    const leaving = new AbortController();
    const first = turns.wait(
      () => false,
      () => 'never',
      leaving.signal,
    );
    const second = turns.wait(
      () => true,
      () => 'in',
    );
    leaving.abort(new Error('gone'));
    await expect(first).rejects.toThrow('gone');
    expect(await second).toBe('in');
    const failing = turns.wait(
      () => true,
      () => {
        throw new Error('no');
      },
    );
    await expect(failing).rejects.toThrow('no');
    expect(turns.length).toBe(0);
  });

  it('does not send away one whose way became free before it learnt of it', async () => {
    const turns = new FifoQueue(soon);
    let open = false;
    const first = turns.wait(
      () => open,
      () => 'first',
    );
    const last = turns.wait(
      () => true,
      () => 'last',
    );
    turns.rejectLast(new Error('come back'));
    open = true;
    expect(await Promise.all([first, last])).toEqual(['first', 'last']);
  });

  it('sends away the last, but never the first', async () => {
    const turns = new FifoQueue(soon);
    let open = false;
    const first = turns.wait(
      () => open,
      () => 'first',
    );
    turns.rejectLast(new Error('not the only one'));
    const last = turns.wait(
      () => true,
      () => 'last',
    );
    turns.rejectLast(new Error('come back'));
    turns.rejectLast(new Error('said twice'));
    await expect(last).rejects.toThrow('come back');
    open = true;
    expect(await first).toBe('first');
  });
});
