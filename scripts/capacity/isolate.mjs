import { MemoryBudget } from '../../src/memory/budget.ts';
import { KEPT_SHARE } from '../../src/memory/kept_part.ts';
import { CALLS, CAPACITY, LINES, PLACES } from './figures.mjs';

/** Length of a simulation step in milliseconds: near the 15 ms of a waiting call. */
const STEP_MS = 20;
const MEGABYTE = 1024 * 1024;
/** Turns of the microtask queue after which all callers that were woken are waiting again. */
const SETTLING_TURNS = 16;
/** Milliseconds in which an isolate fills up; calls that arrive during that time are not counted. */
const WARM_UP_MS = 30_000;

/** Uniform numbers of 0 to below 1 (mulberry32, public domain). */
export function random(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Simulates one isolate with the real memory policy (src/memory), in simulated time. Calls arrive at random
 * (Poisson), are received over a connection, share the processor evenly while they work, like jobs that give
 * way, and are answered over a connection.
 * @param {object} options
 * @param {number} options.rate calls per second
 * @param {readonly (keyof typeof CALLS)[]} options.mix kinds; each is as likely as it is often named
 * @param {number} options.seconds how long calls arrive
 * @param {number} options.seed
 * @returns {Promise<{ ends: { isServed: boolean, waitedMs: number, tookMs: number }[], busy: number }>} for
 * each call its total wait for memory, and the time from its arrival to the end of its answer
 */
export async function simulate({ rate, mix, seconds, seed }) {
  const draw = random(seed);
  let now = 0;
  let sleepers = [];
  const pause = () => new Promise((wake) => sleepers.push(wake));
  const kept = CAPACITY * KEPT_SHARE;
  const budget = new MemoryBudget(CAPACITY, PLACES, { now: () => now, pause, kept });
  /** Running jobs, with the CPU milliseconds that each still needs. */
  const jobs = new Set();
  let busyMs = 0;
  let running = 0;
  const ends = [];

  const transfer = async (memory, bytes, bytesPerSecond, admit = () => undefined) => {
    const most = (bytesPerSecond * STEP_MS) / 1000;
    for (let moved = 0; moved < bytes; ) {
      const piece = Math.min(most, bytes - moved);
      await admit(moved + piece);
      await pause();
      memory.moved(piece);
      memory.requirePace();
      moved += piece;
    }
  };

  const call = async ({ cpuMs, fileBytes, jobBytes, answerBytes }, line, isCounted) => {
    const arrived = now;
    let waitedMs = 0;
    const waiting = async (what) => {
      const from = now;
      await what?.finally(() => (waitedMs += now - from));
      return what;
    };
    const stepped = (bytes) => Math.min(MEGABYTE * Math.ceil((bytes + 1) / MEGABYTE), fileBytes + MEGABYTE);
    running++;
    let memory;
    let isServed = false;
    try {
      memory = await waiting(
        budget.receive({
          bytes: MEGABYTE,
          outsideCores: 0,
          most: stepped(fileBytes),
          expectedBytes: fileBytes,
        }),
      );
      const file = memory;
      await transfer(file, fileBytes, line.up, (bytes) => {
        const needed = stepped(bytes);
        return needed > file.bytes ? waiting(file.extendTo(needed, 0)) : undefined;
      });
      file.received(fileBytes, 0);
      memory = await waiting(file.growTo(jobBytes, 'a job'));
      const job = { left: cpuMs };
      jobs.add(job);
      while (job.left > 0) await pause();
      jobs.delete(job);
      memory.shrinkTo(answerBytes, 0);
      memory.startSending(answerBytes);
      await transfer(memory, answerBytes, line.down);
      isServed = true;
    } catch (error) {
      if (error.kind !== 'overloaded' && error.name !== 'SlowTransferFault') throw error;
    } finally {
      memory?.[Symbol.dispose]();
      running--;
    }
    if (isCounted) ends.push({ isServed, waitedMs, tookMs: now - arrived });
  };

  const until = WARM_UP_MS + 1000 * seconds;
  const failures = [];
  let next = (-Math.log(1 - draw()) * 1000) / rate;
  while (now < until || running > 0) {
    for (; next <= now && next < until; next += (-Math.log(1 - draw()) * 1000) / rate) {
      const kind = mix[Math.floor(draw() * mix.length)];
      const line = LINES[Math.floor(draw() * LINES.length)];
      call(CALLS[kind], line, next >= WARM_UP_MS).catch((error) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
    now += STEP_MS;
    work(jobs, STEP_MS);
    if (now > WARM_UP_MS && now <= until && jobs.size > 0) busyMs += STEP_MS;
    const woken = sleepers;
    sleepers = [];
    for (const wake of woken) wake();
    for (let turn = 0; turn < SETTLING_TURNS; turn++) await null;
  }
  return { ends, busy: busyMs / (until - WARM_UP_MS) };
}

/** Distributes this much CPU time evenly; what one job does not need goes to the others. */
function work(jobs, cpuMs) {
  let left = cpuMs;
  const open = [...jobs].filter((job) => job.left > 0).sort((a, b) => a.left - b.left);
  for (const [index, job] of open.entries()) {
    const share = Math.min(job.left, left / (open.length - index));
    job.left -= share;
    left -= share;
  }
}

/** @param {readonly number[]} values any order @param {number} share 0 to 1 */
export function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}
