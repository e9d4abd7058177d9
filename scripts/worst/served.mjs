import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { issueKey, startServer } from '../load/server.mjs';
import { post } from './post.mjs';

const { described } = await import('../../test/fixtures/worst/search.ts');
const { photograph } = await import('../../test/fixtures/worst/ordinary.ts');
const { firstThreadMs, residentBytes, runtimeUse } = await import('../../test/fixtures/process_memory.ts');

/** A key has 600 calls a minute; hostile calls take turns with these. */
const HOSTILE_KEYS = 3;
const LOOK_EVERY_MS = 50;
/** What is idle is collected, and files are written, a while after the last call. */
const CALM_MS = 5000;
/** Beside a request that takes less than this, calls begin with it so often; their median counts. */
const BEGINNINGS = 3;
const SHORT_MS = 8000;
/** Number of ordinary calls whose median counts, and most beside one request. */
const CALLS_ALONE = 9;
const CALLS_BESIDE = 60;
const noFaces = encodeURIComponent('{"pixelate":{"faces":false}}');
const megabytes = (bytes) => (bytes / (1024 * 1024)).toFixed(0);

/** Who sends hostile requests, in a thread of its own. */
class HostileCaller {
  #thread = new Worker(new URL('./hostile_caller.mjs', import.meta.url));

  make({ shape, point, endpoint, ops }, scale) {
    return this.#ask({ trial: { shape: shape.name, point, endpoint, ops }, scale });
  }

  /** Sends what was made last. @returns the status; 0 where there is no answer */
  send(server, key) {
    return this.#ask({ address: server.address, key });
  }

  #ask(what) {
    this.#thread.postMessage(what);
    return new Promise((answered, failed) => {
      this.#thread.once('error', failed);
      this.#thread.once('message', (answer) => {
        this.#thread.off('error', failed);
        answered(answer);
      });
    });
  }

  end() {
    return this.#thread.terminate();
  }
}

/** Watches the resident memory of the runtime. */
class MemoryWatch {
  #most = { anonymous: 0, ofFiles: 0, all: 0 };
  #timer = setInterval(() => this.now(), LOOK_EVERY_MS);
  #pid;

  constructor(pid) {
    this.#pid = pid;
  }

  now() {
    const { anonymous, ofFiles } = residentBytes(this.#pid);
    const now = { anonymous, ofFiles, all: anonymous + ofFiles };
    for (const part of Object.keys(now)) this.#most[part] = Math.max(this.#most[part], now[part]);
    return now;
  }

  /** The most of each since this was asked last. */
  most() {
    this.now();
    const most = this.#most;
    this.#most = { anonymous: 0, ofFiles: 0, all: 0 };
    return most;
  }

  end() {
    clearInterval(this.#timer);
  }
}

const told = ({ all, anonymous, ofFiles }) =>
  `${megabytes(all)} MB (anonymous ${megabytes(anonymous)}, of files ${megabytes(ofFiles)})`;

/** What of some calls a share stays below. */
function shareOf(calls, figure, share) {
  const sorted = calls.map((call) => call[figure]).sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) * share)];
}

/** @returns the status, and how long it took by the clock and of the runtime's thread */
async function send(server, key, request) {
  const start = performance.now();
  const threadStart = firstThreadMs(server.runtimePid);
  const status = await post(server.address, key, request);
  return {
    status,
    ms: performance.now() - start,
    threadMs: firstThreadMs(server.runtimePid) - threadStart,
  };
}

/** Asks for health over and over; `end` gives the longest wait in milliseconds. */
function watchHealth(server) {
  let isOver = false;
  let longest = 0;
  const asking = (async () => {
    while (!isOver) {
      const start = performance.now();
      await fetch(`${server.address}/v1/health`)
        .then((answer) => answer.arrayBuffer())
        .catch(() => {});
      longest = Math.max(longest, performance.now() - start);
      await wait(20);
    }
  })();
  return async () => {
    isOver = true;
    await asking;
    return longest;
  };
}

/** A call as people make it: a photograph of one megapixel. */
async function ordinaryCall() {
  return { path: `/v1/sanitize?ops=${noFaces}`, body: await photograph(1e6), type: 'image/jpeg' };
}

/**
 * Sends requests to `npm run serve` in one of two ways. One by one: measures each request's CPU in the
 * runtime, the longest wait for health, and how many times as long ordinary calls take beside it, both in CPU
 * time of the runtime's thread and by the clock. Or, if `minutes` is above 0: several callers send all
 * requests at once for that long. Both print the resident memory, and how much of it is the process's own.
 */
export async function serve(trials, minutes) {
  execFileSync(process.execPath, [fileURLToPath(new URL('../serve/build.mjs', import.meta.url))]);
  const data = mkdtempSync(join(tmpdir(), 'worst-'));
  const server = await startServer(data);
  const use = () => runtimeUse(server.runtimePid);
  const memory = new MemoryWatch(server.runtimePid);
  const callers = Array.from({ length: minutes > 0 ? HOSTILE_KEYS : 1 }, () => new HostileCaller());
  try {
    console.log(`resident when started: ${told(memory.now())}`);
    const ordinaryKey = await issueKey(server.address);
    const keys = await Promise.all(callers.map(() => issueKey(server.address)));
    const ordinary = await ordinaryCall();
    for (let warm = 0; warm < 5; warm++) await send(server, ordinaryKey, ordinary);
    const alone = [];
    while (alone.length < CALLS_ALONE) alone.push(await send(server, ordinaryKey, ordinary));
    const [ms, threadMs] = [shareOf(alone, 'ms', 0.5), shareOf(alone, 'threadMs', 0.5)];
    const load = `load of the machine ${loadavg()[0].toFixed(1)}`;
    console.log(`ordinary 1 MP alone: ${ms.toFixed(0)} ms, ${threadMs.toFixed(1)} ms of CPU; ${load}`);
    await wait(CALM_MS);
    console.log(`resident idle, after ${CALLS_ALONE + 5} ordinary calls: ${told(memory.now())}`);
    const given = { server, use, memory, callers, keys, ordinaryKey, ordinary, trials };
    if (minutes > 0) await traffic({ ...given, minutes });
    else await oneByOne({ ...given, alone: { ms, threadMs } });
    await wait(CALM_MS);
    console.log(`resident idle, at the end: ${told(memory.now())}`);
  } finally {
    memory.end();
    await Promise.all(callers.map((caller) => caller.end()));
    await server.stop();
    rmSync(data, { recursive: true, force: true });
  }
}

async function oneByOne({ server, use, memory, callers, keys, ordinaryKey, ordinary, trials, alone }) {
  const [caller] = callers;
  const heads = ['began with it', 'median', '75 %', '95 %'].map((which) => `ordinary, ${which}`);
  const peaks = ['resident peak MB', 'anonymous peak MB'];
  const head = ['request', 'status', 'CPU s', 'health, longest ms', ...peaks, ...heads, 'of'];
  console.log(`| ${head.join(' | ')} |\n|${' --- |'.repeat(head.length)}`);
  for (const trial of trials) {
    await caller.make(trial, trial.size);
    const before = use().cpuMs;
    memory.most();
    const endHealth = watchHealth(server);
    const start = performance.now();
    const [first, beside] = [[], []];
    let status = 0;
    let cpuMs = 0;
    do {
      let isOver = false;
      const hostile = caller.send(server, keys[0]).finally(() => {
        isOver = true;
      });
      first.push(await send(server, ordinaryKey, ordinary));
      while (!isOver && beside.length < CALLS_BESIDE) beside.push(await send(server, ordinaryKey, ordinary));
      status = await hostile;
      cpuMs ||= use().cpuMs - before;
    } while (first.length < BEGINNINGS && performance.now() - start < SHORT_MS);
    const health = await endHealth();
    const took = [(cpuMs / 1000).toFixed(2), health.toFixed(0)];
    const { all, anonymous } = memory.most();
    const times = (calls, share) =>
      calls.length === 0
        ? ''
        : ['threadMs', 'ms'].map((by) => (shareOf(calls, by, share) / alone[by]).toFixed(1)).join(', clock ');
    const ordinaryOnes = [times(first, 0.5), ...[0.5, 0.75, 0.95].map((share) => times(beside, share))];
    const name = `${trial.shape.name} → ${trial.endpoint}`;
    const cells = [name, status, ...took, megabytes(all), megabytes(anonymous), ...ordinaryOnes];
    console.log(`| ${[...cells, described(trial)].join(' | ')} |`);
  }
}

async function traffic({ server, use, memory, callers, keys, ordinaryKey, ordinary, trials, minutes }) {
  const until = performance.now() + minutes * 60_000;
  const isOver = () => performance.now() > until;
  const count = (counts, status) => counts.set(status, (counts.get(status) ?? 0) + 1);
  const hostile = new Map();
  const served = new Map();
  const waits = [];
  const hostileCaller = async (caller, first) => {
    for (let turn = first; !isOver(); turn += callers.length) {
      const trial = trials[turn % trials.length];
      // Every size comes up: most are small.
      await caller.make(trial, 0.3 ** (1 + (Math.floor(turn / trials.length) % 4)));
      count(hostile, await caller.send(server, keys[first]));
    }
  };
  const ordinaryCaller = async () => {
    while (!isOver()) {
      const { status, ms } = await send(server, ordinaryKey, ordinary);
      count(served, status);
      waits.push(ms);
      await wait(1000);
    }
  };
  const looking = async () => {
    memory.most();
    for (let minute = 1; minute <= minutes && !isOver(); minute++) {
      await wait(60_000);
      const cpu = `${(use().cpuMs / 1000).toFixed(0)} s of CPU`;
      console.log(`minute ${minute}: ${told(memory.now())}, at most ${told(memory.most())}; ${cpu}`);
    }
  };
  await Promise.all([...callers.map(hostileCaller), ordinaryCaller(), looking()]);
  waits.sort((a, b) => a - b);
  const at = (share) => waits[Math.floor((waits.length - 1) * share)].toFixed(0);
  console.log(`hostile calls by status: ${JSON.stringify(Object.fromEntries(hostile))}`);
  console.log(`ordinary calls by status: ${JSON.stringify(Object.fromEntries(served))}`);
  console.log(`ordinary calls took ${at(0.5)} ms median, ${at(0.95)} at 95 %, ${at(1)} at most`);
}
