import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileExtensions } from '../../../src/metadata/extensions.ts';
import { formatOf } from '../../../src/metadata/format_of.ts';
import { positionFiles } from '../../fixtures/metadata/position_files.ts';
import { haveTools } from '../../fixtures/tools.ts';

const haveExiftool = haveTools('exiftool');

/** The position of each file as exiftool (https://exiftool.org) composes it; null where it has none. */
function readAll(): (readonly [number, number] | null)[] {
  const folder = mkdtempSync(join(tmpdir(), 'exiftool-'));
  try {
    const paths = positionFiles.map(({ bytes }, index) => {
      const path = join(folder, `${index}.${fileExtensions[formatOf(bytes)!][0]}`);
      writeFileSync(path, bytes);
      return path;
    });
    const { stdout } = spawnSync('exiftool', ['-j', '-n', '-Composite:GPSPosition', ...paths], {
      encoding: 'utf8',
    });
    return JSON.parse(stdout).map(({ GPSPosition }: { GPSPosition?: string }) => {
      const degrees = GPSPosition?.split(' ').map(Number) ?? [];
      return degrees.length === 2 && !degrees.some(Number.isNaN) ? degrees : null;
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe.skipIf(!haveExiftool)('the place that a file states, beside exiftool', () => {
  const read = haveExiftool ? readAll() : [];
  const cases = positionFiles.map((file, index) => ({ ...file, index }));

  it.each(cases)('$name', ({ said, differs, index }) => {
    const theirs = read[index]!;
    const agrees =
      said === null || said === 'unreadable'
        ? theirs === null
        : theirs !== null && said.every((degrees, axis) => Math.abs(degrees - theirs[axis]!) < 1e-6);
    // a reason that is of no use is a fault, too
    expect(agrees, `exiftool says ${theirs}`).toBe(differs === undefined);
  });
});
