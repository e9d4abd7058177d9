import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { readCommandLine, USAGE } from './command_line.mjs';
import { CONNECTIONS_OF_PROCESS, mostConnections } from './front/connections.mjs';
import { createFront } from './front/front.mjs';
import { Pool } from './front/pool.mjs';
import { Machine } from './machine.mjs';
import { machineMetrics } from './machine_metrics.mjs';
import { machineMemory, memoryPlan } from './memory_plan.mjs';
import { programPath } from './processes.mjs';
import { memoryFault, startFaults } from './settings.mjs';
import { socketPath } from './socket_path.mjs';

/** Time for calls to end after the signal to stop: the longest wait plus the longest job. */
const GRACE_MS = 40_000;
/** Exit status requested from flock(1) if another server has the folder. */
const TAKEN = 75;
const FOLDER_TAKEN = "Another server has the folder of --data: two would not see each other's counts.";

const project = fileURLToPath(new URL('../..', import.meta.url));
const options = commandLine();
const built = join(project, 'dist/server');
const figures = join(built, 'detectors.json');
const hasDetectors = options.built ? existsSync(figures) : options.detectors !== undefined;
const faults = startFaults(process.env, hasDetectors);
if (faults.length > 0) {
  refuse(`${faults.join('\n')}\nnpm run secrets makes secrets; see docs/deploying.md.`);
}
const objects = dataFolder(options.data);
if (!options.built) {
  const { detectors } = options;
  const build = [join(project, 'scripts/serve/build.mjs'), ...(detectors ? ['--detectors', detectors] : [])];
  const { status } = spawnSync(process.execPath, build, { stdio: 'inherit' });
  if (status !== 0) process.exit(1);
}
if (!existsSync(join(built, 'counter.bin'))) refuse('dist/server is missing: npm run build:server');
requireMemory();
const processes = plannedProcesses();
deleteEmptied();

const host = options.host.includes(':') ? `[${options.host}]` : options.host;
const socket =
  options.socket === undefined
    ? undefined
    : await socketPath(options.socket).catch(({ message }) => refuse(message));

// Only its owner may enter it.
const sockets = mkdtempSync(join(tmpdir(), 'image-sanitizer-'));
process.on('exit', () => rmSync(sockets, { recursive: true, force: true }));

const pool = new Pool();
const machine = new Machine({
  pool,
  paths: { sockets, objects, built },
  lock: locked() ?? [],
  fail: ({ message }) => refuse(message),
});
process.on('exit', () => machine.kill());
await machine.start(processes).catch((error) => {
  refuse(error.code === TAKEN ? FOLDER_TAKEN : `workerd did not start: ${error.message}`);
});

const front = createFront({ pool, ...(await shared()), mostConnections: connections() });
front.server.once('error', ({ message }) => refuse(message));
front.server.listen(socket ? { path: socket } : { host: options.host, port: options.port }, () => {
  // The permissions of its folder decide who may connect: a proxy runs as another user.
  if (socket) chmodSync(socket, 0o666);
  const { counter, images } = machine.pids;
  const where = socket ? `unix:${socket}` : `http://${host}:${front.server.address().port}`;
  console.log(`Serving at ${where}, counting process ${counter}, image processes ${images.join(' ')}`);
});

let isStopping = false;
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, stop);
let renewing = Promise.resolve();
process.on('SIGHUP', () => {
  renewing = renewing.then(() => !isStopping && renew());
});

/** What the front shares with the Worker, of the same build. */
async function shared() {
  const { ApiError, networkOf, refusedResponse, reportedNetwork } = await import(
    pathToFileURL(join(built, 'front.mjs'))
  );
  const header = (process.env.TRUSTED_PROXY_HEADER?.trim() || 'none').toLowerCase();
  const isProxied = header !== 'none';
  return {
    refusalResponse: ({ code, message, extras }, accept) =>
      refusedResponse(new ApiError(code, message, extras), process.env, accept),
    networkOfSocket({ remoteAddress = '' }) {
      const network = isProxied ? '' : networkOf(remoteAddress);
      // Programs of this machine may be proxies, whose clients are not known.
      return /^(?:127\.|0:0:0:0::)/.test(network) ? '' : network;
    },
    networkOfRequest: isProxied ? (headers) => reportedNetwork(headers[header]) : undefined,
    collected: { '/metrics': (headers) => machineMetrics(machine.sockets, headers) },
  };
}

/** How many connections may be open: of all files that a process may have open, the machine's limit. */
function connections() {
  const { stdout } = spawnSync('/bin/sh', ['-c', 'ulimit -n'], { encoding: 'utf8' });
  const files = Number(stdout);
  const wanted = options.connections ?? CONNECTIONS_OF_PROCESS * processes;
  return mostConnections(wanted, files > 0 ? files : Number.POSITIVE_INFINITY);
}

/** Refuses connections and lets running calls end. A second signal ends everything at once. */
async function stop() {
  if (isStopping) process.exit(1);
  isStopping = true;
  setTimeout(() => process.exit(0), GRACE_MS).unref();
  front.server.once('close', async () => {
    await machine.stop();
    process.exit(0);
  });
  front.stop();
}

async function renew() {
  try {
    await machine.renew();
    const { counter, images } = machine.pids;
    console.log(`Renewed: counting process ${counter}, image processes ${images.join(' ')}`);
  } catch (error) {
    console.error(`The new build does not start: ${error.message}`);
  }
}

function commandLine() {
  try {
    return readCommandLine(process.argv.slice(2));
  } catch (error) {
    return refuse(`${error.message}\n${USAGE}`);
  }
}

/** How many processes work on pictures; says what the server will hold, and refuses what there is not. */
function plannedProcesses() {
  const asked = { processes: options.processes, budget: process.env.MEMORY_BUDGET_MB };
  const plan = memoryPlan(asked, { processors: availableParallelism(), memory: machineMemory() });
  if (plan.fault) refuse(plan.fault);
  console.log(plan.text);
  return plan.processes;
}

/** Additional detectors hold memory from the start, which jobs then lack. */
function requireMemory() {
  if (!existsSync(figures)) return;
  const fault = memoryFault(JSON.parse(readFileSync(figures, 'utf8')), process.env);
  if (fault) refuse(fault);
}

/** @returns {string} the folder of the objects' files, as the absolute path that workerd requires */
function dataFolder(data) {
  const folder = resolve(data, 'objects');
  try {
    // Only the owner may read its files.
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    refuse(`--data is no folder that can be written to: ${error.code}`);
  }
  return folder;
}

/**
 * The prefix of a command that runs only while no other server has the folder: a file lock that ends with
 * the process holding it, however that ends (flock(2)). The program replaces itself by the command; undefined
 * if it is missing.
 */
function locked() {
  const flock = programPath('flock');
  return flock ? [flock, '-n', '-F', '-E', String(TAKEN), join(objects, '..', 'lock')] : undefined;
}

/** Only if nobody else can have the folder: the files of a running server must not be touched. */
function deleteEmptied() {
  const lock = locked();
  if (!lock) return;
  const script = [fileURLToPath(new URL('delete_emptied.mjs', import.meta.url)), objects];
  const [first, ...rest] = [...lock, process.execPath, '--no-warnings', ...script];
  const { status } = spawnSync(first, rest, { stdio: 'inherit' });
  if (status === TAKEN) refuse(FOLDER_TAKEN);
  if (status !== 0) refuse('The counters of --data can not be read.');
}

/** @returns {never} */
function refuse(reason) {
  console.error(reason);
  process.exit(1);
}
