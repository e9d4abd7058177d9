import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * A disk of a few megabytes for the counters, so that it can be filled up. Requires root.
 * @param {string} folder where it is mounted; created if missing
 * @returns {{ fill(): void, free(): void, unmount(): void } | undefined}
 */
export function smallDisk(folder) {
  mkdirSync(folder, { recursive: true });
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=24m,mode=0700', 'tmpfs', folder]);
  if (mounted.status !== 0) return undefined;
  const filler = join(folder, 'filler');
  return {
    fill() {
      const { bavail, bsize } = statfsSync(folder);
      try {
        writeFileSync(filler, Buffer.alloc(bavail * bsize), { flag: 'a' });
      } catch (error) {
        if (error.code !== 'ENOSPC') throw error;
      }
    },
    free: () => rmSync(filler, { force: true }),
    unmount: () => spawnSync('umount', [folder]),
  };
}

/**
 * A settable clock for the server, if there is a compiler to build it (Linux).
 * @param {string} folder for its files
 * @returns {{ environment: Record<string, string>, setTo(seconds: number): void } | undefined} `setTo` sets
 * how many seconds the clock is ahead of the machine's
 */
export function settableClock(folder) {
  if (process.platform !== 'linux') return undefined;
  const library = join(folder, 'clock_step.so');
  const file = join(folder, 'clock_step');
  const source = fileURLToPath(new URL('clock_step.c', import.meta.url));
  try {
    execFileSync('cc', ['-O1', '-shared', '-fPIC', '-o', library, source, '-ldl'], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  const setTo = (seconds) => {
    const bytes = Buffer.alloc(8);
    bytes.writeBigInt64LE(BigInt(seconds));
    writeFileSync(file, bytes, { flag: 'r+' });
  };
  writeFileSync(file, Buffer.alloc(8));
  return { environment: { LD_PRELOAD: library, CLOCK_STEP_FILE: file }, setTo };
}
