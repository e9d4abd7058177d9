/** What contenders of one comparison took, in milliseconds: the least of several rounds, run in turn. */
export type Times<Name extends string> = Readonly<Record<Name, number>>;

/** CPU milliseconds of all the process' threads so far. */
export function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/**
 * Runs every contender once a round, in turn, so that a busy moment of the machine meets them all; the least time of each
 * counts.
 * @param clock milliseconds: of the wall, or `cpuTime`
 */
export async function race<Name extends string>(
  contenders: Readonly<Record<Name, () => unknown>>,
  rounds: number,
  clock: () => number = () => performance.now(),
): Promise<Times<Name>> {
  const names = Object.keys(contenders) as Name[];
  const best = Object.fromEntries(names.map((name) => [name, Number.POSITIVE_INFINITY])) as Record<
    Name,
    number
  >;
  for (let round = 0; round < rounds; round++) {
    for (const name of names) {
      const start = clock();
      await contenders[name]();
      best[name] = Math.min(best[name], clock() - start);
    }
  }
  return best;
}

/** "12.3 ms" */
export const ms = (time: number): string => `${time.toFixed(time < 10 ? 2 : time < 100 ? 1 : 0)} ms`;

/** "0.85 ×" */
export const ratio = (ours: number, theirs: number): string => `${(ours / theirs).toFixed(2)} ×`;

/** "12.3 MB" (2^20 bytes) */
export const megabytes = (bytes: number): string => `${(bytes / (1024 * 1024)).toFixed(1)} MB`;
