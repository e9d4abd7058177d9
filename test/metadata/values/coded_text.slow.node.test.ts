import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileExtensions } from '../../../src/metadata/extensions.ts';
import { formatOf } from '../../../src/metadata/format_of.ts';
import { isoTime } from '../../../src/metadata/values/times.ts';
import { codedFiles } from '../../fixtures/metadata/coded_files.ts';
import { haveTools } from '../../fixtures/tools.ts';

const haveExiftool = haveTools('exiftool');

/** What exiftool (https://exiftool.org) says of every file. */
function readAll(): Readonly<Record<string, unknown>>[] {
  const folder = mkdtempSync(join(tmpdir(), 'exiftool-'));
  try {
    const paths = codedFiles.map(({ bytes }, index) => {
      const path = join(folder, `${index}.${fileExtensions[formatOf(bytes)!][0]}`);
      writeFileSync(path, bytes);
      return path;
    });
    return JSON.parse(spawnSync('exiftool', ['-j', ...paths], { encoding: 'utf8' }).stdout);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe.skipIf(!haveExiftool)('a text in a form that programs write, beside exiftool', () => {
  const read = haveExiftool ? readAll() : [];
  const cases = codedFiles.map((file, index) => ({ ...file, index }));

  it.each(cases)('$name', ({ tag, said, differs, index }) => {
    const theirs = String(read[index]![tag] ?? '');
    const agrees = tag === 'DateTimeOriginal' ? isoTime(theirs) === said : theirs === said;
    // a reason that is of no use is a fault, too
    expect(agrees, `exiftool says ${theirs}`).toBe(differs === undefined);
  });
});
