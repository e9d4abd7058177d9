import { parseArgs } from 'node:util';
import { CONNECTIONS_OF_PROCESS } from './front/connections.mjs';

/**
 * Longest path of a socket on Linux and other systems, in bytes without the terminator (unix(7), sun_path).
 */
const LONGEST_SOCKET = 103;

const MOST_PROCESSES = 256;
const MOST_CONNECTIONS = 100_000;

const isCount = (text, most) => /^[1-9]\d{0,5}$/.test(text) && Number(text) <= most;

/** How `npm run serve` is called. */
export const USAGE = `npm run serve -- --port <port> | --socket <path> --data <folder>
    [--host <address>] [--processes auto|<n>] [--connections <n>] [--detectors <folder> | --built]
  --port   where it listens; 0 for any free port
  --socket  Unix socket where it listens instead, for a proxy on this machine
  --data   folder of the counters, made if it is missing; one server a folder
  --host   address it listens at: 127.0.0.1 unless given, 0.0.0.0 for all
  --processes  that work on pictures: auto is one a processor that memory allows
  --connections  most that may be open at one time: ${CONNECTIONS_OF_PROCESS} a process unless given
  --detectors  manifests and models of further detectors, see docs/detectors.md
  --built  takes dist/server as npm run build:server left it`;

/**
 * @param {readonly string[]} args
 * @returns {{ port?: number, socket?: string, host: string, data: string, processes: number | 'auto',
 * connections?: number, built: boolean, detectors?: string }}
 * @throws {Error} with the problem in words for people
 */
export function readCommandLine(args) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      port: { type: 'string' },
      socket: { type: 'string' },
      host: { type: 'string', default: '127.0.0.1' },
      data: { type: 'string' },
      built: { type: 'boolean', default: false },
      detectors: { type: 'string' },
      processes: { type: 'string', default: 'auto' },
      connections: { type: 'string' },
    },
  });
  const { port, socket, host, data, built, detectors, processes, connections } = values;
  if (socket === undefined) {
    if (!port || !/^\d{1,5}$/.test(port) || Number(port) > 65535) throw new Error('--port is no port');
  } else if (port !== undefined) {
    throw new Error('--port and --socket exclude each other');
  } else if (socket === '' || Buffer.byteLength(socket) > LONGEST_SOCKET) {
    throw new Error(`--socket is no path of at most ${LONGEST_SOCKET} bytes`);
  }
  if (!data) throw new Error('--data names no folder');
  if (built && detectors !== undefined) {
    throw new Error(
      '--detectors is for building: npm run build:server -- --detectors <folder>, then --built',
    );
  }
  if (processes !== 'auto' && !isCount(processes, MOST_PROCESSES))
    throw new Error(`--processes is neither auto nor a number from 1 to ${MOST_PROCESSES}`);
  if (connections !== undefined && !isCount(connections, MOST_CONNECTIONS))
    throw new Error(`--connections is no number from 1 to ${MOST_CONNECTIONS}`);
  const where = socket === undefined ? { port: Number(port) } : { socket };
  const counts = {
    processes: processes === 'auto' ? processes : Number(processes),
    ...(connections !== undefined && { connections: Number(connections) }),
  };
  return { ...where, host, data, ...counts, built, ...(detectors !== undefined && { detectors }) };
}
