/** CPU milliseconds of all the process' threads so far. */
export function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** What is compared, by name; some of it only at times. */
type Contenders = Readonly<Record<string, (() => unknown) | undefined>>;

/**
 * Runs every contender once a round, in turn, so that a busy moment of the machine meets them all.
 * @param clock milliseconds: of the wall, or `cpuTime`
 * @returns milliseconds, the least of all rounds, under the contenders' names
 */
export async function race<Those extends Contenders>(
  contenders: Those,
  rounds: number,
  clock: () => number = () => performance.now(),
): Promise<{ readonly [Name in keyof Those]: number }> {
  const best: Record<string, number> = {};
  for (let round = 0; round < rounds; round++) {
    for (const [name, run] of Object.entries(contenders)) {
      if (!run) continue;
      const start = clock();
      await run();
      best[name] = Math.min(best[name] ?? Number.POSITIVE_INFINITY, clock() - start);
    }
  }
  return best as { readonly [Name in keyof Those]: number };
}

/** "12.3 ms" */
export const ms = (time: number): string => `${time.toFixed(time < 10 ? 2 : time < 100 ? 1 : 0)} ms`;

/** "0.85 ×" */
export const ratio = (ours: number, theirs: number): string => `${(ours / theirs).toFixed(2)} ×`;

/** "12.3 MB" (2^20 bytes) */
export const megabytes = (bytes: number): string => `${(bytes / (1024 * 1024)).toFixed(1)} MB`;
