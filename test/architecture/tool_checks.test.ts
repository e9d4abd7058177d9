import { describe, expect, it } from 'vitest';
import { quickTestsWithTools, strangePrograms } from './tool_checks.ts';

const file = (path: string, ...lines: readonly string[]) => ({ path, text: lines.join('\n') });

const webp = file(
  'test/fixtures/webp_tools.ts',
  "import { haveTools } from './tools.ts';",
  "export const have = haveTools('cwebp');",
  "spawnSync('cwebp', []);",
);
const files = file('test/fixtures/files.ts', "import { have } from './webp_tools.ts';");

describe('quickTestsWithTools', () => {
  it('finds what a test of the quick lane imports, over other files', () => {
    const quick = file('test/a.node.test.ts', "import { files } from './fixtures/files.ts';");
    expect(quickTestsWithTools([quick, files, webp])).toEqual([
      'test/a.node.test.ts is of the quick lane and imports test/fixtures/webp_tools.ts, which needs a program',
    ]);
  });

  it('has nothing against types, and against tests of the slow lane', () => {
    const types = file('test/a.test.ts', "import type { Files } from './fixtures/files.ts';");
    const slow = file('test/a.slow.test.ts', "import { files } from './fixtures/files.ts';");
    const page = file('test/browser/a.test.ts', "import { files } from '../fixtures/files.ts';");
    expect(quickTestsWithTools([types, slow, page, files, webp])).toEqual([]);
  });
});

describe('strangePrograms', () => {
  it('finds programs that the table lacks, and those that are started unasked', () => {
    const one = file(
      'test/a.ts',
      "execFileSync('sh', []);",
      "spawn(process.execPath, ['x']);",
      "spawn('gs', []);",
    );
    const other = file('test/b.ts', '  execFile(', "    'cwebp',", "/x/.exec('dwebp')");
    expect(strangePrograms([one, other, webp], ['cwebp'])).toEqual([
      'test/a.ts starts gs, which the table lacks',
      'test/b.ts starts cwebp and does not ask whether it is there',
    ]);
  });
});
