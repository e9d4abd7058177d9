import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { WholeLines } from '../../../src/cli/mcp/whole_lines.ts';
import { sizeFault } from '../../../src/json/size.ts';

/** What comes of chunks, and how many lines were too long. */
function through(chunks: readonly string[], most = 1e9, takes?: (line: Buffer) => boolean) {
  let tooLong = 0;
  const lines = new WholeLines(most, () => tooLong++, takes);
  const seen: string[] = [];
  lines.on('data', (line: Buffer) => seen.push(String(line)));
  for (const chunk of chunks) lines.write(Buffer.from(chunk));
  return { seen, tooLong: () => tooLong };
}

it('gives the same lines however they are cut, and keeps what has no end yet', () => {
  const line = fc.string({ unit: fc.constantFrom('a', 'b', '"', '\r'), maxLength: 8 });
  fc.assert(
    fc.property(fc.array(line), fc.array(fc.nat(40), { maxLength: 6 }), (lines, cuts) => {
      const whole = `${lines.map((one) => `${one}\n`).join('')}rest`;
      const at = [0, ...cuts.sort((a, b) => a - b), whole.length];
      const { seen } = through(at.slice(1).map((end, n) => whole.slice(at[n], end)));
      expect(seen).toEqual(lines.map((one) => `${one}\n`));
    }),
    { seed: 4, numRuns: 300 },
  );
});

it('passes over a line that is too long, says so once, and goes on with the next', () => {
  const { seen, tooLong } = through(['aaaa', 'aaaa', 'aa\nbb', '\ncccc\n', 'ddddd\n'], 5);
  expect(seen).toEqual(['bb\n', 'cccc\n']);
  expect(tooLong()).toBe(2);
});

it('hands on no line that is not taken: a message of 200,000 members would cost its reader seconds', () => {
  const small = (line: Buffer) => sizeFault(line.toString('latin1')) === undefined;
  const many = `{${'"a":1,'.repeat(200_000)}"a":1}\n`;
  const { seen, tooLong } = through(['{"a":1}\n', many, '{"b":1}\n'], 1e9, small);
  expect(seen).toEqual(['{"a":1}\n', '{"b":1}\n']);
  expect(tooLong()).toBe(0);
});

it('hands on one line at a time where it has to wait for its reader', async () => {
  let letOn = () => {};
  const ready = () =>
    new Promise<void>((resolve) => {
      letOn = resolve;
    });
  const lines = new WholeLines(1e9, () => {}, undefined, ready);
  const seen: string[] = [];
  lines.on('data', (line: Buffer) => seen.push(String(line)));
  lines.write(Buffer.from('a\nb\nc'));
  lines.write(Buffer.from('c\n'));
  for (const expected of [['a\n'], ['a\n', 'b\n'], ['a\n', 'b\n', 'cc\n']]) {
    await new Promise((resolve) => setImmediate(resolve));
    expect(seen).toEqual(expected);
    letOn();
  }
});

it('copies each byte once, however many chunks a line comes in: a picture of 25 MB took seconds', () => {
  const concat = vi.spyOn(Buffer, 'concat');
  try {
    const { seen } = through([...Array.from({ length: 1000 }, () => 'x'.repeat(1000)), '\n']);
    expect(seen[0]).toHaveLength(1_000_001);
    expect(concat.mock.calls.filter(([list]) => list.length > 0)).toHaveLength(1);
  } finally {
    concat.mockRestore();
  }
});
