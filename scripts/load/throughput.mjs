// `npm run load -- --throughput`: calls a second of `npm run serve` with one process, with two and with one a
// processor, beside a Node server around sharp (test/bench/sharp_server.mjs): the same pictures, the same
// number of calls at once, in turns in one run. The client shares the machine, and tells what it takes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { cpuSecondsOf } from '../serve/watchdog.mjs';
import { issueKey, startServer } from './server.mjs';

const { photoFile } = await import('../../test/bench/photos.ts');

const AT_ONCE = 8;
const ROUNDS = 3;
const SECONDS = 5;
/** Keys of the plan with 600 calls a minute: enough of them for the fastest calls. */
const KEYS = 32;

const noFaces = { faces: false };
/** What is asked, by name: megapixels and ops, and what the server around sharp is asked; null: nothing. */
const KINDS = {
  '12 MP': [12, { pixelate: noFaces }, ''],
  '12 MP with faces': [12, {}, null],
  '12 MP → 800 px': [12, { pixelate: noFaces, output: { maxWidth: 800 } }, '?maxWidth=800'],
  '1 MP': [1, { pixelate: noFaces }, ''],
};

/**
 * Sends so many calls at once for some seconds.
 * @returns calls a second, and milliseconds of CPU for each: of the server, which a busy machine hardly
 * changes, and of this client
 */
async function rateOf({ send, pids }, seconds) {
  const serverMs = () => pids.reduce((sum, pid) => sum + cpuSecondsOf(pid) * 1000, 0);
  const serverSince = serverMs();
  const [since, cpu] = [performance.now(), process.cpuUsage()];
  let answered = 0;
  const one = async () => {
    while (performance.now() - since < seconds * 1000) {
      await send(answered);
      answered++;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
  const { user, system } = process.cpuUsage(cpu);
  return {
    rate: (answered * 1000) / (performance.now() - since),
    serverMs: (serverMs() - serverSince) / answered,
    clientMs: (user + system) / 1000 / answered,
  };
}

/** One call, to its last byte. @throws if it is not served */
function call(agent, address, headers, body) {
  return new Promise((served, failed) => {
    const options = { agent, method: 'POST', headers: { ...headers, 'Content-Length': body.length } };
    const sent = request(address, options, (answer) => {
      answer.on('error', failed).on('end', () => {
        if (answer.statusCode === 200) served();
        else failed(new Error(`answered with ${answer.statusCode}`));
      });
      answer.resume();
    });
    sent.on('error', failed).end(body);
  });
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

/** Runs all, and prints a table. */
export async function throughput() {
  const folder = mkdtempSync(join(tmpdir(), 'throughput-'));
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const rival = spawn(process.execPath, [
    fileURLToPath(new URL('../../test/bench/sharp_server.mjs', import.meta.url)),
  ]);
  const servers = [];
  try {
    const [port] = await once(createInterface(rival.stdout), 'line');
    const counts = [...new Set([1, 2, availableParallelism()])];
    for (const count of counts) {
      const server = await startServer(join(folder, `${count}`), {}, count);
      const keys = [];
      while (keys.length < KEYS) keys.push(await issueKey(server.address));
      servers.push({ count, server, keys });
    }
    console.log(`${AT_ONCE} calls at once; load of the machine ${loadavg()[0].toFixed(1)}`);
    for (const [name, [megapixels, ops, asked]] of Object.entries(KINDS)) {
      const body = await photoFile(megapixels, 'jpeg');
      const type = { 'Content-Type': 'image/jpeg' };
      const targets = servers.map(({ count, server, keys }) => ({
        label: `${count} ${count === 1 ? 'process' : 'processes'}`,
        pids: [server.pid, server.counterPid, ...server.imagePids],
        send: (number) =>
          call(
            agent,
            `${server.address}/v1/sanitize?ops=${encodeURIComponent(JSON.stringify(ops))}`,
            { ...type, Authorization: `Bearer ${keys[number % KEYS]}` },
            body,
          ),
      }));
      if (asked !== null) {
        const send = () => call(agent, `http://127.0.0.1:${port}/${asked}`, type, body);
        targets.push({ label: 'sharp', pids: [rival.pid], send });
      }
      const rounds = targets.map(() => []);
      for (let round = 0; round <= ROUNDS; round++) {
        for (const [index, target] of targets.entries()) {
          // The first is for what is loaded but once.
          const result = await rateOf(target, round === 0 ? 1 : SECONDS);
          if (round > 0) rounds[index].push(result);
        }
      }
      const told = targets.map(({ label }, index) => {
        const of = (figure, digits) => median(rounds[index].map((each) => each[figure])).toFixed(digits);
        return `${label} ${of('rate', 1)}/s (CPU ${of('serverMs', 0)} ms, client ${of('clientMs', 1)} ms)`;
      });
      console.log(`${name}, ${(body.length / 1e6).toFixed(1)} MB: ${told.join('; ')}`);
    }
  } finally {
    agent.destroy();
    rival.kill();
    for (const { server } of servers) await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
