import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { haveTools } from '../fixtures/tools.ts';

test.skipIf(!haveTools('systemd-analyze'))('systemd takes the unit, and calls it little exposed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'unit-'));
  try {
    const path = join(folder, 'image-sanitizer.service');
    const unit = readFileSync('deploy/image-sanitizer.service', 'utf8');
    writeFileSync(path, unit.replaceAll('/opt/image-sanitizer', process.cwd()));
    const verified = spawnSync('systemd-analyze', ['verify', path], { encoding: 'utf8' });
    expect([verified.status, verified.stderr]).toEqual([0, '']);
    // From 0, closed, to 10, open; the threshold is in tenths of that.
    const args = ['security', '--offline=true', '--threshold=20', path];
    const { status, stdout, stderr } = spawnSync('systemd-analyze', args, { encoding: 'utf8' });
    expect([status, status === 0 ? '' : stdout + stderr]).toEqual([0, '']);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
