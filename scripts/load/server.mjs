import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const secret = () => randomBytes(24).toString('base64url');
const secrets = { ADMIN_TOKEN: secret(), KEY_SIGNING_SECRET: secret(), CALLER_HASH_SECRET: secret() };

/**
 * Starts `npm run serve` with dist/server as built; several in sequence may use the same folder.
 * @param {string} data folder of the counters
 * @param {Record<string, string>} environment added to this process's
 * @param {number} processes that work on pictures
 */
export async function startServer(data, environment = {}, processes = 1) {
  const script = fileURLToPath(new URL('../serve.mjs', import.meta.url));
  const program = [script, '--built', '--port', '0'];
  const server = spawn(process.execPath, [...program, '--data', data, '--processes', String(processes)], {
    env: { ...process.env, ...secrets, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const errors = [];
  server.stderr.on('data', (text) => errors.push(String(text)));
  const ended = once(server, 'exit');
  const [address, counterPid, imagePids] = await new Promise((serving, failed) => {
    ended.then(() => failed(new Error(`The server did not start:\n${errors.join('')}`)));
    createInterface(server.stdout).on('line', (line) => {
      const [, address, counter, images] =
        /^Serving at (\S+), counting process (\d+), image processes ([\d ]+)$/.exec(line) ?? [];
      if (address) serving([address, Number(counter), images.split(' ').map(Number)]);
    });
  });
  return {
    address,
    /** Process id of the first process that works on pictures. */
    runtimePid: imagePids[0],
    counterPid,
    imagePids,
    /** Process id of the program that started them. */
    pid: server.pid,
    /** Kills all processes without giving them time for anything. */
    async kill() {
      server.kill('SIGKILL');
      await ended;
    },
    /** Lets it finish running work. */
    async stop() {
      server.kill('SIGTERM');
      await ended;
    },
  };
}

/** @returns {Promise<string>} a key of the plan with 600 calls per minute */
export async function issueKey(address) {
  const answer = await fetch(`${address}/v1/keys`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${secrets.ADMIN_TOKEN}`, 'Content-Type': 'application/json' },
    body: '{"plan": "enterprise"}',
  });
  if (answer.status !== 201) throw new Error(`no key: ${answer.status}`);
  return (await answer.json()).key;
}

/** Figures of /metrics by name and labels. */
export async function readMetrics(address) {
  const answer = await fetch(`${address}/metrics`, {
    headers: { Authorization: `Bearer ${secrets.ADMIN_TOKEN}` },
  });
  const lines = (await answer.text()).split('\n').filter((line) => line && !line.startsWith('#'));
  return new Map(lines.map((line) => line.match(/^(.*) (\S+)$/).slice(1)));
}

/** @returns {Promise<number>} counted calls of a key in this month */
export async function countedCalls(address, key) {
  for (let attempt = 1; ; attempt++) {
    const answer = await fetch(`${address}/v1/usage`, { headers: { Authorization: `Bearer ${key}` } });
    if (answer.status === 200) return (await answer.json()).calls;
    if (attempt === 5) throw new Error(`usage: ${answer.status}`);
    await new Promise((done) => setTimeout(done, 1000));
  }
}
