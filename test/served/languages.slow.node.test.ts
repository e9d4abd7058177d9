import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, inject, it } from 'vitest';
import { sanitizePrograms } from '../../src/api/openapi/other_languages.ts';
import { scan } from '../../src/metadata/scan.ts';
import { drawPeople } from '../fixtures/drawn_face.ts';
import { pythonWith } from '../fixtures/python.ts';
import { sampleFile } from '../fixtures/samples.ts';
import { tagJpeg } from '../fixtures/tagged_jpeg.ts';
import { haveTools, toolPath } from '../fixtures/tools.ts';

const run = promisify(execFile);
const { address, key } = inject('sharedWorker');

const python = pythonWith('httpx');

/** How a sample is run; undefined where its language is not installed. */
const runners: Record<string, { readonly file: string; readonly command: readonly string[] } | undefined> = {
  JavaScript: { file: 'main.mjs', command: [process.execPath] },
  Python: python === undefined ? undefined : { file: 'main.py', command: [python] },
  PHP: haveTools('php') ? { file: 'main.php', command: [toolPath('php')!] } : undefined,
  Go: haveTools('go') ? { file: 'main.go', command: [toolPath('go')!, 'run'] } : undefined,
};

describe.each(sanitizePrograms)('the sample in $lang', ({ lang, sourceAt }) => {
  const runner = runners[lang];
  it.skipIf(!runner)('cleans a photo, and fails where the service refuses it', async () => {
    const { file, command } = runner!;
    const photo = tagJpeg(await sampleFile('jpeg', drawPeople(90, 60)), {});
    const folder = await mkdtemp(join(tmpdir(), 'sample-'));
    try {
      const call = async (image: Uint8Array) => {
        await writeFile(join(folder, 'photo.jpg'), image);
        const env = { ...process.env, IMAGE_SANITIZER_KEY: key, GOCACHE: join(folder, 'cache') };
        await run(command[0]!, [...command.slice(1), file], { cwd: folder, env });
      };
      await writeFile(join(folder, file), sourceAt(address));
      await call(photo);
      const clean = await readFile(join(folder, 'clean.jpg'));
      expect(scan(clean)).toMatchObject({ format: 'jpeg', width: 90, blocks: [] });
      await expect(call(new TextEncoder().encode('no picture'))).rejects.toThrow();
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
