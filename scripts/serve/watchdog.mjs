import { readFileSync } from 'node:fs';
import { request } from 'node:http';

/**
 * CPU seconds without an answer after which the runtime counts as hung: as much as Cloudflare's network
 * allows for one call (wrangler.toml, cpu_ms).
 */
export const MOST_SILENT_SECONDS = 60;
/**
 * Consecutive unanswered checks after which it counts as hung even if it uses no CPU: at least five minutes
 * in which this program ran, and so could the runtime.
 */
export const MOST_SILENT_CHECKS = 60;
/** Milliseconds between two checks, and for an answer. */
const ASKED_EVERY_MS = 5000;
const ANSWER_MS = 4000;

/** Clock ticks per second in Linux's process times, the same on every machine (proc(5), USER_HZ). */
const TICKS = 100;

/**
 * Checks repeatedly whether the runtime answers, and ends it once it has worked too long without an answer: a
 * call that never gives way can only be ended like that, since all calls share one thread. CPU time counts,
 * so a machine that sleeps does no harm. A runtime that neither works nor answers waits for something that
 * does not come, unless somebody has stopped it by a signal on purpose.
 * @param {object} runtime
 * @param {() => Promise<boolean>} runtime.answers
 * @param {() => number} runtime.cpuSeconds used since its start
 * @param {() => boolean} runtime.isStopped by a signal
 * @param {() => boolean} [runtime.isOver] whether it has ended: then it is asked no more
 * @param {() => void} runtime.end called once
 * @param {(check: () => Promise<void>) => void} [again] schedules the next check
 */
export function watch({ answers, cpuSeconds, isStopped, isOver = () => false, end }, again = later) {
  let answeredAt = cpuSeconds();
  let silent = 0;
  const check = async () => {
    if (isOver()) return;
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
 * Whether a server answers at all, no matter what.
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
 * CPU seconds of a process; on systems other than Linux, clock seconds.
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
 * The fields of proc(5) after the process's name, which is in brackets and may contain anything: the state,
 * 10 numbers, utime and stime.
 */
function statOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1).split(' ');
  } catch {
    return undefined;
  }
}
