import { readFileSync } from 'node:fs';
import { request } from 'node:http';

/**
 * CPU seconds without an answer after which the runtime is taken for hung: as much as Cloudflare's network
 * gives one call (wrangler.toml, cpu_ms).
 */
export const MOST_SILENT_SECONDS = 60;
/**
 * Questions in a row without an answer after which it is taken for hung although it does not work: five
 * minutes and more in which this program ran, and so could it.
 */
export const MOST_SILENT_CHECKS = 60;
/** Between two questions, and for an answer. */
const ASKED_EVERY_MS = 5000;
const ANSWER_MS = 4000;

/** Clock ticks a second in which Linux tells times of processes, on every machine (proc(5), USER_HZ). */
const TICKS = 100;

/**
 * Asks the runtime again and again whether it answers, and has it ended once it has worked so long without
 * doing so: a call that never gives way can be ended in no other way, as all calls share one thread. What
 * counts is CPU, so a machine that sleeps does no harm. One that neither works nor answers waits for
 * something that does not come, unless it was stopped by a signal: that is somebody's will.
 * @param {object} runtime
 * @param {() => Promise<boolean>} runtime.answers
 * @param {() => number} runtime.cpuSeconds that it has taken since it was started
 * @param {() => boolean} runtime.isStopped by a signal
 * @param {() => void} runtime.end called once
 * @param {(check: () => Promise<void>) => void} [again] has the next question asked later
 */
export function watch({ answers, cpuSeconds, isStopped, end }, again = later) {
  let answeredAt = cpuSeconds();
  let silent = 0;
  const check = async () => {
    if (await answers()) {
      answeredAt = cpuSeconds();
      silent = 0;
    } else if (!isStopped()) silent++;
    if (cpuSeconds() - answeredAt >= MOST_SILENT_SECONDS || silent >= MOST_SILENT_CHECKS) return end();
    again(check);
  };
  again(check);
}

/** Does not keep the program alive. */
const later = (check) => void setTimeout(check, ASKED_EVERY_MS).unref();

/**
 * Whether a server answers at all; what it answers is no matter.
 * @param {{ host: string, port: number } | { socketPath: string }} where it listens
 * @returns {Promise<boolean>}
 */
export const answers = (where) =>
  new Promise((told) => {
    const asked = request(
      { ...where, path: '/v1/health', signal: AbortSignal.timeout(ANSWER_MS) },
      (answer) =>
        answer
          .on('end', () => told(true))
          .on('error', () => told(false))
          .resume(),
    );
    asked.on('error', () => told(false)).end();
  });

/**
 * CPU seconds of a process; where nobody tells them (elsewhere than in Linux) those of the clock.
 * @param {number} pid
 */
export function cpuSecondsOf(pid) {
  const fields = statOf(pid);
  return fields ? (Number(fields[11]) + Number(fields[12])) / TICKS : performance.now() / 1000;
}

/**
 * Whether a process was stopped by a signal or by a debugger.
 * @param {number} pid
 */
export const isStopped = (pid) => /^t$/i.test(statOf(pid)?.[0] ?? '');

/**
 * What proc(5) tells of a process behind its name, which stands in brackets and may hold anything: the state,
 * 10 numbers, utime and stime.
 */
function statOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1).split(' ');
  } catch {
    return undefined;
  }
}
