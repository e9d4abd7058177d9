import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ChangeContext, History } from '../../../src/playground/stage/history.ts';

const at = (now: number, kind: string | null = null, drag: number | null = null): ChangeContext => ({
  kind,
  drag,
  now,
});

describe('the history', () => {
  it('goes back and forth as a list of all steps does', () => {
    const action = fc.oneof(
      fc.integer({ min: 0, max: 9 }),
      fc.constantFrom('undo' as const, 'redo' as const),
    );
    fc.assert(
      fc.property(fc.array(action, { maxLength: 60 }), (actions) => {
        const history = new History(-1);
        let steps = [-1];
        let place = 0;
        actions.forEach((what, index) => {
          if (what === 'undo') {
            expect(history.undo()).toBe(place > 0 ? steps[place - 1] : null);
            place = Math.max(0, place - 1);
          } else if (what === 'redo') {
            expect(history.redo()).toBe(place < steps.length - 1 ? steps[place + 1] : null);
            place = Math.min(steps.length - 1, place + 1);
          } else if (what !== steps[place]) {
            history.record(what, at(index));
            steps = [...steps.slice(0, place + 1), what];
            place++;
          } else history.record(what, at(index));
          expect(history.current).toBe(steps[place]);
          expect(history.canUndo).toBe(place > 0);
          expect(history.canRedo).toBe(place < steps.length - 1);
        });
      }),
      { seed: 25 },
    );
  });

  it('takes a drag as one step, and changes of one kind that follow closely', () => {
    const history = new History({ x: 0 });
    for (let x = 1; x < 9; x++) history.record({ x }, at(x, 'move', 1));
    history.record({ x: 20 }, at(10, 'move', 2));
    expect(history.undo()).toEqual({ x: 8 });
    expect(history.undo()).toEqual({ x: 0 });
    expect(history.undo()).toBeNull();

    for (let x = 1; x < 5; x++) history.record({ x }, at(x * 900, 'move'));
    history.record({ x: 5 }, at(3700, 'size'));
    history.record({ x: 6 }, at(9000, 'size'));
    expect(history.undo()).toEqual({ x: 5 });
    expect(history.undo()).toEqual({ x: 4 });
    expect(history.undo()).toEqual({ x: 0 });
  });

  it('has no step for a drag that ends where it began, and none for what nobody did', () => {
    const history = new History({ x: 0 });
    history.record({ x: 1 }, at(0, 'move', 1));
    history.record({ x: 0 }, at(1, 'move', 1));
    expect(history.canUndo).toBe(false);
    expect(history.undo()).toBeNull();
    history.record({ x: 2 }, at(2));
    history.amend({ x: 3 });
    expect(history.undo()).toEqual({ x: 0 });
    expect(history.redo()).toEqual({ x: 3 });
  });

  it('has changes that were made elsewhere in every step', () => {
    const history = new History({ own: 0, shared: 0 });
    history.record({ own: 1, shared: 0 }, at(0));
    history.record({ own: 1, shared: 2 }, at(2));
    history.record({ own: 3, shared: 2 }, at(4));
    history.undo();
    history.amend({ own: 1, shared: 9 }, (step) => ({ ...step, shared: 9 }));
    expect(history.redo()).toEqual({ own: 3, shared: 9 });
    expect(history.undo()).toEqual({ own: 1, shared: 9 });
    // The step that changed nothing but what is shared is passed over.
    expect(history.undo()).toEqual({ own: 0, shared: 9 });
    expect(history.canUndo).toBe(false);
  });

  it('forgets the oldest steps', () => {
    const history = new History(0);
    for (let step = 1; step <= 300; step++) history.record(step, at(step));
    let undone = 0;
    while (history.undo() !== null) undone++;
    expect(undone).toBe(200);
    expect(history.current).toBe(100);
  });
});
