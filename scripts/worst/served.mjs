import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { issueKey, startServer } from '../load/server.mjs';

const { described } = await import('../../test/fixtures/worst/search.ts');
const { photograph } = await import('../../test/fixtures/worst/honest.ts');
const { beginPeak, firstThreadMs, peakBytes, runtimeUse } = await import(
  '../../test/fixtures/process_memory.ts'
);

/** A key has 600 calls a minute; hostile calls take turns with these. */
const HOSTILE_KEYS = 3;
const LOOK_EVERY_MS = 15_000;
/** Honest calls of which the middle one counts, and most beside one request. */
const CALLS_ALONE = 9;
const CALLS_BESIDE = 60;
const noFaces = encodeURIComponent('{"pixelate":{"faces":false}}');
const megabytes = (bytes) => (bytes / (1024 * 1024)).toFixed(0);

/** The HTTP request of a trial. */
async function requestOf({ shape, point, endpoint, ops }, scale) {
  const body = new Uint8Array(await shape.make(point, scale));
  const types = {
    json: 'application/json',
    mcp: 'application/json',
    multipart: 'multipart/form-data; boundary=edge',
  };
  const bodyEndpoints = { json: '/v1/inspect', multipart: '/v1/inspect', mcp: '/mcp' };
  const path = bodyEndpoints[endpoint] ?? `/v1/${endpoint}?ops=${encodeURIComponent(JSON.stringify(ops))}`;
  return { path, body, type: types[endpoint] ?? 'image/png' };
}

/** What of some calls a share stays below. */
function shareOf(calls, figure, share) {
  const sorted = calls.map((call) => call[figure]).sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) * share)];
}

async function send(server, key, { path, body, type }) {
  const start = performance.now();
  const threadStart = firstThreadMs(server.runtimePid);
  const taken = () => ({
    ms: performance.now() - start,
    threadMs: firstThreadMs(server.runtimePid) - threadStart,
  });
  try {
    const answer = await fetch(server.address + path, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${key}`,
        'Content-Type': type,
        Accept: 'application/json, text/event-stream',
      },
      body,
    });
    await answer.arrayBuffer();
    return { status: answer.status, ...taken() };
  } catch {
    return { status: 0, ...taken() };
  }
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
async function honestCall() {
  return { path: `/v1/sanitize?ops=${noFaces}`, body: await photograph(1e6), type: 'image/jpeg' };
}

/**
 * Sends requests to `npm run serve`: each by itself, with its CPU of the runtime, the longest wait for health
 * and how many times as long honest calls take beside it, by the clock and by what the runtime's thread does
 * meanwhile; or, for so many minutes, all of them by several callers at once, with the resident memory as it
 * goes.
 */
export async function serve(trials, minutes) {
  execFileSync(process.execPath, [fileURLToPath(new URL('../serve/build.mjs', import.meta.url))]);
  const data = mkdtempSync(join(tmpdir(), 'worst-'));
  const server = await startServer(data);
  const use = () => runtimeUse(server.runtimePid);
  try {
    const honestKey = await issueKey(server.address);
    const keys = await Promise.all(Array.from({ length: HOSTILE_KEYS }, () => issueKey(server.address)));
    const honest = await honestCall();
    for (let warm = 0; warm < 5; warm++) await send(server, honestKey, honest);
    const alone = [];
    while (alone.length < CALLS_ALONE) alone.push(await send(server, honestKey, honest));
    const [ms, threadMs] = [shareOf(alone, 'ms', 0.5), shareOf(alone, 'threadMs', 0.5)];
    const load = `load of the machine ${loadavg()[0].toFixed(1)}`;
    console.log(`honest 1 MP alone: ${ms.toFixed(0)} ms, ${threadMs.toFixed(1)} ms of CPU; ${load}`);
    if (minutes > 0) await traffic({ server, use, keys, honestKey, honest, trials, minutes });
    else await oneByOne({ server, use, key: keys[0], honestKey, honest, trials, alone: { ms, threadMs } });
  } finally {
    await server.stop();
    rmSync(data, { recursive: true, force: true });
  }
}

async function oneByOne({ server, use, key, honestKey, honest, trials, alone }) {
  const heads = ['began with it', 'middle', '75 %', '95 %'].map((which) => `honest, ${which}`);
  const head = ['request', 'status', 'CPU s', 'health, longest ms', 'resident peak MB', ...heads, 'of'];
  console.log(`| ${head.join(' | ')} |\n|${' --- |'.repeat(head.length)}`);
  for (const trial of trials) {
    const request = await requestOf(trial, trial.size);
    const before = use().cpuMs;
    beginPeak(server.runtimePid);
    const endHealth = watchHealth(server);
    let isOver = false;
    const hostile = send(server, key, request).finally(() => {
      isOver = true;
    });
    const first = await send(server, honestKey, honest);
    const beside = [];
    while (!isOver && beside.length < CALLS_BESIDE) beside.push(await send(server, honestKey, honest));
    const { status } = await hostile;
    const health = await endHealth();
    const took = [((use().cpuMs - before) / 1000).toFixed(2), health.toFixed(0)];
    const peak = megabytes(peakBytes(server.runtimePid));
    const times = (calls, share) =>
      calls.length === 0
        ? ''
        : ['threadMs', 'ms'].map((by) => (shareOf(calls, by, share) / alone[by]).toFixed(1)).join(', clock ');
    const honestOnes = [times([first], 1), ...[0.5, 0.75, 0.95].map((share) => times(beside, share))];
    const name = `${trial.shape.name} → ${trial.endpoint}`;
    console.log(`| ${[name, status, ...took, peak, ...honestOnes, described(trial)].join(' | ')} |`);
  }
}

async function traffic({ server, use, keys, honestKey, honest, trials, minutes }) {
  const until = performance.now() + minutes * 60_000;
  const isOver = () => performance.now() > until;
  const count = (counts, status) => counts.set(status, (counts.get(status) ?? 0) + 1);
  const hostile = new Map();
  const served = new Map();
  const waits = [];
  const hostileCaller = async (key, first) => {
    for (let turn = first; !isOver(); turn += keys.length) {
      const trial = trials[turn % trials.length];
      // Every size comes up: most are small.
      const request = await requestOf(trial, 0.3 ** (1 + (Math.floor(turn / trials.length) % 4)));
      count(hostile, (await send(server, key, request)).status);
    }
  };
  const honestCaller = async () => {
    while (!isOver()) {
      const { status, ms } = await send(server, honestKey, honest);
      count(served, status);
      waits.push(ms);
      await wait(1000);
    }
  };
  const looking = async () => {
    for (const start = performance.now(); !isOver(); await wait(LOOK_EVERY_MS)) {
      const { residentBytes, cpuMs } = use();
      const at = ((performance.now() - start) / 1000).toFixed(0);
      console.log(`${at} s: ${megabytes(residentBytes)} MB resident, ${(cpuMs / 1000).toFixed(0)} s of CPU`);
    }
  };
  await Promise.all([...keys.map(hostileCaller), honestCaller(), looking()]);
  waits.sort((a, b) => a - b);
  const at = (share) => waits[Math.floor((waits.length - 1) * share)].toFixed(0);
  console.log(`hostile calls by status: ${JSON.stringify(Object.fromEntries(hostile))}`);
  console.log(`honest calls by status: ${JSON.stringify(Object.fromEntries(served))}`);
  console.log(`honest calls took ${at(0.5)} ms in the middle, ${at(0.95)} at 95 %, ${at(1)} at most`);
}
