import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { installPackage } from '../fixtures/installed_package.ts';
import { smallFiles } from '../fixtures/small_files.ts';

const FILES = 3000;
/** Every so manieth file is cut off in the middle. */
const CORRUPT = 3;
const MOST_MEGABYTES = 500;

if (!existsSync('/proc/self/status')) console.log('skipped: memory of the program, without /proc');

/** The most that a process has held, in megabytes (Linux: proc(5), VmHWM); undefined once it has ended. */
function peakOf(pid: number): number | undefined {
  try {
    const kilobytes = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
  } catch {
    return undefined;
  }
}

it.skipIf(!existsSync('/proc/self/status'))(
  'thousands of files, a third of them corrupt, keep its memory level',
  async () => {
    await using installed = await installPackage();
    const { folder, cli } = installed;
    await mkdir(join(folder, 'in'));
    const files = await smallFiles();
    for (let at = 0; at < FILES; at++) {
      const { bytes } = files[at % files.length]!;
      const file = at % CORRUPT === 0 ? bytes.subarray(0, bytes.length / 2) : bytes;
      await writeFile(join(folder, 'in', `${at}.jpg`), file);
    }
    const args = ['clean', 'in', '-o', 'out', '--no-faces', '-j', '2', '--quiet', '--json'];
    const program = spawn(process.execPath, [cli, ...args], { cwd: folder });
    let lines = 0;
    program.stdout.on('data', (text: Buffer) => {
      for (const byte of text) if (byte === 0x0a) lines++;
    });
    program.stderr.resume();
    let peak = 0;
    const look = setInterval(() => {
      peak = peakOf(program.pid!) ?? peak;
    }, 100);
    const code = await new Promise((done) => program.on('close', done));
    clearInterval(look);
    console.log(`${FILES} files: ${Math.round(peak)} MB resident at most`);
    expect([code, lines]).toEqual([1, FILES]);
    expect((await readdir(join(folder, 'out'))).length).toBeGreaterThanOrEqual(FILES - FILES / CORRUPT);
    expect(peak).toBeGreaterThan(50);
    expect(peak).toBeLessThan(MOST_MEGABYTES);
  },
);
