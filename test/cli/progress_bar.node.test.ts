import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { progressBar } from '../../src/cli/progress_bar.ts';

/** A terminal of 100 columns that keeps what is written to it. */
function terminal() {
  let written = '';
  const stream = new PassThrough();
  stream.on('data', (chunk) => {
    written += chunk;
  });
  const columns = { isTTY: true, columns: 100, rows: 20, getWindowSize: () => [100, 20] };
  return { stream: Object.assign(stream, columns) as unknown as NodeJS.WriteStream, text: () => written };
}

it('shows counts, rate and the time that is left; lines stay above it', async () => {
  const { stream, text } = terminal();
  const bar = progressBar(stream, () => 4);
  bar.line('before');
  bar.show({ total: 10, done: 0, refused: 0, skipped: 0 }, 0);
  bar.line('a.jpg: broken');
  bar.show({ total: 10, done: 3, refused: 1, skipped: 1 }, 1.5);
  bar.end();
  expect(text()).toMatch(/^before\n/);
  expect(text()).toContain('a.jpg: broken');
  expect(text()).toContain('65 %, 5/10 files, 1 refused, 1.4/s, 3 s left');
});
