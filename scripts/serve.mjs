// `npm run serve -- --port 8787 --data /var/lib/image-sanitizer`: runs the Worker as it is deployed, in
// workerd itself, on a self-hosted machine. Secrets come from the environment and are passed on nowhere else.
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { readCommandLine, USAGE } from './serve/command_line.mjs';
import { memoryFault, startFaults } from './serve/settings.mjs';
import { socketPath } from './serve/socket_path.mjs';
import { answers, cpuSecondsOf, isStopped, watch } from './serve/watchdog.mjs';

/** Time for calls to end after the signal to stop: the longest wait plus the longest job. */
const GRACE_MS = 40_000;
/** Exit status requested from flock(1) if another server has the folder. */
const TAKEN = 75;
const FOLDER_TAKEN = "Another server has the folder of --data: two would not see each other's counts.";

const project = fileURLToPath(new URL('..', import.meta.url));
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
if (!existsSync(join(built, 'config.bin'))) refuse('dist/server is missing: npm run build:server');
requireMemory();
deleteEmptied();

const { default: workerd } = createRequire(import.meta.url)('workerd');
const host = options.host.includes(':') ? `[${options.host}]` : options.host;
/** The address at which this machine reaches a server that listens on all of its addresses. */
const ownHost = { '0.0.0.0': '127.0.0.1', '::': '::1' }[options.host] ?? options.host;
const socket =
  options.socket === undefined
    ? undefined
    : await socketPath(options.socket).catch(({ message }) => refuse(message));
const server = spawn(
  ...guarded([
    workerd,
    'serve',
    // Objects with SQLite on disk require this flag.
    '--experimental',
    '--control-fd=3',
    `--socket-addr=http=${socket ? `unix:${socket}` : `${host}:${options.port}`}`,
    `--directory-path=objects=${objects}`,
    `--directory-path=files=${join(built, 'pages')}`,
    '--binary',
    join(built, 'config.bin'),
  ]),
  { stdio: ['ignore', 'inherit', 'inherit', 'pipe'], detached: true },
);

// Its control messages, one a line.
createInterface(server.stdio[3]).on('line', (line) => {
  const { event, port } = JSON.parse(line);
  if (event !== 'listen') return;
  // The permissions of its folder decide who may connect: a proxy runs as another user.
  if (socket) chmodSync(socket, 0o666);
  console.log(`Serving at ${socket ? `unix:${socket}` : `http://${host}:${port}`}, process ${server.pid}`);
  watch({
    answers: () => answers(socket ? { socketPath: socket } : { host: ownHost, port }),
    cpuSeconds: () => cpuSecondsOf(server.pid),
    isStopped: () => isStopped(server.pid),
    end() {
      console.error('The runtime no longer answers: it is ended.');
      server.kill('SIGKILL');
    },
  });
});

let stopping = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);
server.once('error', (error) => refuse(`workerd did not start: ${error.message}`));
server.once('exit', (code, signal) => {
  if (code === TAKEN) refuse(FOLDER_TAKEN);
  // It ends normally only by a signal from us; any other end is a fault.
  process.exit(stopping && (code === 0 || signal === 'SIGTERM') ? 0 : code || 1);
});

/** Lets workerd refuse connections and finish running work. A second signal ends it at once. */
function stop() {
  server.kill(stopping ? 'SIGKILL' : 'SIGTERM');
  if (!stopping) setTimeout(() => server.kill('SIGKILL'), GRACE_MS).unref();
  stopping = true;
}

function commandLine() {
  try {
    return readCommandLine(process.argv.slice(2));
  } catch (error) {
    return refuse(`${error.message}\n${USAGE}`);
  }
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
 * Wraps a command so that it runs only while no other server has the folder: a file lock that ends with the
 * process holding it, however that ends (flock(2)). Its process also ends with this one, even if this one is
 * killed and can't clean up (Linux, prctl(2): PR_SET_PDEATHSIG). Both programs replace themselves by the
 * command, so the process id stays the same. If they are missing, the command is returned unchanged.
 */
function guarded(command) {
  const setpriv = programPath('setpriv');
  const bound = setpriv ? [setpriv, '--pdeathsig', 'KILL', ...command] : command;
  const [first, ...rest] = [...(locked() ?? []), ...bound];
  return [first, rest];
}

/** The prefix of a command that must have the folder to itself; null if flock(1) is missing. */
function locked() {
  const flock = programPath('flock');
  return flock ? [flock, '-n', '-F', '-E', String(TAKEN), join(objects, '..', 'lock')] : null;
}

/** Only if nobody else can have the folder: the files of a running server must not be touched. */
function deleteEmptied() {
  const lock = locked();
  if (!lock) return;
  const [first, ...rest] = [
    ...lock,
    process.execPath,
    '--no-warnings',
    join(project, 'scripts/serve/delete_emptied.mjs'),
    objects,
  ];
  const { status } = spawnSync(first, rest, { stdio: 'inherit' });
  if (status === TAKEN) refuse(FOLDER_TAKEN);
  if (status !== 0) refuse('The counters of --data can not be read.');
}

function programPath(name) {
  return ['/usr/bin', '/bin'].map((folder) => join(folder, name)).find((path) => existsSync(path));
}

/** @returns {never} */
function refuse(reason) {
  console.error(reason);
  process.exit(1);
}
