import { expect, it } from 'vitest';
import { inspectText, printable } from '../../src/cli/inspect_text.ts';
import { inspect } from '../../src/library/index.ts';
import { drawPeople } from '../fixtures/drawn_face.ts';
import { sampleFile } from '../fixtures/samples.ts';

it('says of a file without metadata that it has none', async () => {
  const result = await inspect(await sampleFile('png', drawPeople(40, 30)), { values: true });
  expect(inspectText('a.png', { ...result, blocks: [] })).toBe(
    'a.png: PNG, 40 × 30 pixels\n  It carries no metadata.\n',
  );
});

it('shows control characters of a file as none that a terminal obeys', () => {
  expect(printable('a\u001B[2Jb\u0007\u009B\r\u2028c\nd é')).toBe(
    'a\uFFFD[2Jb\uFFFD\uFFFD\uFFFD\uFFFDc\nd é',
  );
});
