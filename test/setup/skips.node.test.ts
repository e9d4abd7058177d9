import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { allowedSkips } from './allowed_skips.ts';
import { judgeSkips } from './skips.ts';

const run = (...tests: readonly (readonly [name: string, skipped: boolean])[]) =>
  tests.map(([name, skipped]) => ({ name, skipped }));

describe('skipped tests', () => {
  it('are faults where no entry names them', () => {
    const tests = run(['a.test.ts > one', true], ['a.test.ts > two', false], ['ab.test.ts > one', true]);
    expect(judgeSkips(tests, [{ name: 'a.test.ts', why: 'no corpus' }])).toEqual({
      lines: ['Skipped, as allowed: a.test.ts > one (no corpus)'],
      faults: ['Skipped and not allowed: ab.test.ts > one'],
    });
  });

  it('are faults where the reason of their entry does not hold', () => {
    const tests = run(['a.test.ts > suite > one', true]);
    const entry = { name: 'a.test.ts > suite', why: 'root', holds: false };
    expect(judgeSkips(tests, [entry]).faults).toEqual([
      'Skipped without its reason (root): a.test.ts > suite > one',
    ]);
    expect(judgeSkips(tests, [entry, { name: 'a.test.ts', why: 'no corpus', holds: true }]).faults).toEqual(
      [],
    );
  });

  it('have no entry that names nothing, but for files that did not run', () => {
    const list = [
      { name: 'a.test.ts > gone', why: 'root' },
      { name: 'b.test.ts > one', why: 'root' },
    ];
    expect(judgeSkips(run(['a.test.ts > one', false]), list).faults).toEqual([
      'Allowed to be skipped, and there is no such test: a.test.ts > gone',
    ]);
  });

  it('are listed for files that exist, each with a reason', () => {
    for (const { name, why } of allowedSkips) {
      expect([name, existsSync(name.split(' > ')[0]!)]).toEqual([name, true]);
      expect(why).toMatch(/\w{3}/);
    }
  });
});
