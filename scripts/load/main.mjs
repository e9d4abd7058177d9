// `npm run load`: mixed traffic and faults against the server as it is deployed, in workerd itself: slow
// clients, clients that leave, kills and restarts, a full disk, clock steps. Compares the answers that
// clients got with the counted calls. `npm run load -- --minutes 10` for the long form,
// `-- --throughput` for calls a second beside a server around sharp.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Ledger } from './ledger.mjs';
import { settableClock, smallDisk } from './machine.mjs';
import { countedCalls, issueKey, readMetrics, startServer } from './server.mjs';
import { callers, hotKey, leavers, pictures as makePictures, slowClients } from './traffic.mjs';

/** Concurrent callers, each with a key; one more for misbehaving clients, one for the hot key. */
const CALLERS = 8;
/** Processes that work on pictures. */
const PROCESSES = 2;
/** Clock steps in seconds; all shorter than the hour within which a call must be settled. */
const CLOCK_STEPS = [600, -300, 1500, 0];

/** Seconds after which unsettled calls no longer count (SETTLE_WITHIN_MS of src/metering/meter.ts). */
const AN_HOUR_LATER = 3700;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    built: { type: 'boolean', default: false },
    throughput: { type: 'boolean', default: false },
  },
});
const until = Date.now() + Number(values.minutes) * 60_000;
if (!(until > Date.now())) throw new Error('--minutes is no time');
if (!values.built)
  execFileSync(process.execPath, [fileURLToPath(new URL('../serve/build.mjs', import.meta.url))]);
if (values.throughput) {
  const { throughput } = await import('./throughput.mjs');
  await throughput();
  process.exit();
}

const folder = mkdtempSync(join(tmpdir(), 'load-'));
const data = join(folder, 'data');
const disk = smallDisk(data);
const clock = settableClock(folder);
const ledger = new Ledger();
const pictures = await makePictures();
const onFullDisk = { keysRefused: 0, startsRefused: 0 };
/** Number of rounds of each fault. */
const rounds = {};
const started = Date.now();
let server = await startServer(data, clock?.environment, PROCESSES);
let hot = '';
let rude = '';
let keys = [];
try {
  const all = [];
  for (let key = 0; key < CALLERS + 2; key++) all.push(await issueKey(server.address));
  for (const key of all) ledger.add(key);
  // One key exceeds 600 calls a minute; one belongs to misbehaving clients.
  [hot, rude, ...keys] = all;

  /** Each fault is one round: traffic, the disturbance, and the server state for the next round. */
  const faults = {
    async 'none, graceful restart'() {
      await traffic({ amount: 14 }).done;
      await hotKey({ ...common(), key: hot, amount: 700 });
      await restart(() => server.stop());
    },
    async 'slow clients and clients that leave'() {
      const endSlow = slowClients({ ...common(), key: rude, count: 6 });
      const others = traffic({ amount: 14 });
      await leavers({ ...common(), key: rude, count: 12 });
      await others.done;
      endSlow();
    },
    async 'kill -9 of one process after the other under load'() {
      const others = traffic({ amount: 28 });
      for (const pid of [server.imagePids[0], server.counterPid, server.imagePids[1]]) {
        await wait(1000);
        process.kill(pid, 'SIGKILL');
      }
      await others.done;
      await restart(() => server.stop());
    },
    async 'kill -9 under load'() {
      const others = traffic({ seconds: 30 });
      await wait(2000 + 1500 * Math.sin(Date.now()) ** 2);
      await restart(() => server.kill(), others);
    },
    ...(disk && {
      async 'full disk'() {
        const others = traffic({ amount: 14 });
        await wait(1000);
        disk.fill();
        await others.done;
        // There is space again: the ends of calls that could not be written are now reported.
        disk.free();
        await traffic({ amount: 14 }).done;
        disk.fill();
        // An object with a journal can still write to it. A new object or a new server has no space.
        disk.fill();
        await issueKey(server.address).catch(() => onFullDisk.keysRefused++);
        await server.stop();
        disk.fill();
        try {
          server = await startServer(data, clock?.environment, PROCESSES);
        } catch {
          onFullDisk.startsRefused++;
          disk.free();
          server = await startServer(data, clock?.environment, PROCESSES);
        }
        disk.free();
        await traffic({ amount: 14 }).done;
      },
    }),
    ...(clock && {
      async 'clock steps'() {
        const others = traffic({ amount: 14 });
        for (const step of CLOCK_STEPS) {
          clock.setTo(step);
          await wait(700);
        }
        await others.done;
      },
    }),
  };
  do {
    for (const [name, round] of Object.entries(faults)) {
      if (Date.now() > until && rounds[name]) continue;
      await round();
      rounds[name] = (rounds[name] ?? 0) + 1;
    }
  } while (Date.now() < until);
  await restart(() => server.stop());
  await report();
} finally {
  await server.stop();
  disk?.unmount();
  rmSync(folder, { recursive: true, force: true });
}

function common() {
  return { address: server.address, pictures, ledger };
}

function traffic(limit) {
  return callers({ ...common(), keys, ...limit });
}

/** @param others traffic that ends with the server */
async function restart(end, others) {
  const ending = end();
  others?.stop();
  await ending;
  await others?.done;
  server = await startServer(data, clock?.environment, PROCESSES);
}

async function report() {
  const { address } = server;
  const now = await ledger.check((key) => countedCalls(address, key));
  // Unfinished calls of a killed server count for an hour.
  clock?.setTo(AN_HOUR_LATER);
  const later = await ledger.check((key) => countedCalls(address, key));
  const { answered, counted, lost } = now;
  const { doubled } = later;
  const metrics = await readMetrics(address);
  const ofAll = (name) => {
    const values = [...metrics].filter(([key]) => key.startsWith(`image_sanitizer_${name}{`));
    return values.length === PROCESSES ? values.reduce((sum, [, value]) => sum + Number(value), 0) : null;
  };
  const of = (test) =>
    [...ledger.statuses].reduce((sum, [status, calls]) => sum + (test(status) ? calls : 0), 0);
  const figures = {
    seconds: Math.round((Date.now() - started) / 1000),
    loadOfTheMachine: Number(loadavg()[0].toFixed(1)),
    rounds,
    onFullDisk,
    skipped: [...(disk ? [] : ['full disk: only root has a small one']), ...(clock ? [] : ['clock steps'])],
    statuses: Object.fromEntries([...ledger.statuses].sort(([a], [b]) => a - b)),
    served: of((status) => status < 400),
    refused: of((status) => (status >= 400 && status < 500) || status === 503),
    failed: of((status) => status >= 500 && status !== 503),
    unanswered: ledger.unanswered,
    answeredMetered: answered,
    counted,
    countedAfterAnHour: clock ? later.counted : null,
    lost,
    lostAfterAnHour: clock ? later.lost : null,
    doubleCounted: doubled,
    heldAtRest: ofAll('memory_held_bytes'),
    waitingAtRest: ofAll('calls_waiting'),
  };
  console.log(JSON.stringify(figures, null, 2));
  if (lost + doubled + figures.failed > 0) process.exitCode = 1;
}
