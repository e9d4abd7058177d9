import { readFileSync } from 'node:fs';

/**
 * CPU seconds without an answer after which the runtime is taken for hung: as much as Cloudflare's network
 * gives one call (wrangler.toml, cpu_ms).
 */
export const MOST_SILENT_SECONDS = 60;
/** Between two questions, and for an answer. */
const ASKED_EVERY_MS = 5000;
const ANSWER_MS = 4000;

/** Clock ticks a second in which Linux tells times of processes, on every machine (proc(5), USER_HZ). */
const TICKS = 100;

/**
 * Asks the runtime again and again whether it answers, and has it ended once it has worked so long without
 * doing so: a call that never gives way can be ended in no other way, as all calls share one thread. What
 * counts is CPU, so a machine that sleeps or a runtime that is stopped does no harm.
 * @param {object} runtime
 * @param {() => Promise<boolean>} runtime.answers
 * @param {() => number} runtime.cpuSeconds that it has taken since it was started
 * @param {() => void} runtime.end called once
 * @param {(check: () => Promise<void>) => void} [again] has the next question asked later
 */
export function watch({ answers, cpuSeconds, end }, again = later) {
  let answeredAt = cpuSeconds();
  const check = async () => {
    if (await answers()) answeredAt = cpuSeconds();
    else if (cpuSeconds() - answeredAt >= MOST_SILENT_SECONDS) return end();
    again(check);
  };
  again(check);
}

/** Does not keep the program alive. */
const later = (check) => void setTimeout(check, ASKED_EVERY_MS).unref();

/**
 * Whether a server answers at all; what it answers is no matter.
 * @param {string} address
 */
export const answers = (address) =>
  fetch(`${address}/v1/health`, { signal: AbortSignal.timeout(ANSWER_MS) }).then(
    (answer) => answer.arrayBuffer().then(() => true),
    () => false,
  );

/**
 * CPU seconds of a process; where nobody tells them (elsewhere than in Linux) those of the clock.
 * @param {number} pid
 */
export function cpuSecondsOf(pid) {
  try {
    // Behind the name, which may hold anything, in brackets: state, then 10 numbers, utime and stime.
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1).split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS;
  } catch {
    return performance.now() / 1000;
  }
}
