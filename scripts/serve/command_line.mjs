import { parseArgs } from 'node:util';

/** How `npm run serve` is called. */
export const USAGE = `npm run serve -- --port <port> --data <folder> [--host <address>] [--built]
  --port   where it listens; 0 for any free port
  --data   folder of the counters, made if it is missing; one server a folder
  --host   address it listens at: 127.0.0.1 unless given, 0.0.0.0 for all
  --built  takes dist/server as npm run build:server left it`;

/**
 * @param {readonly string[]} args
 * @returns {{ port: number, host: string, data: string, built: boolean }}
 * @throws {Error} what is wrong, for people
 */
export function readCommandLine(args) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      port: { type: 'string' },
      host: { type: 'string', default: '127.0.0.1' },
      data: { type: 'string' },
      built: { type: 'boolean', default: false },
    },
  });
  const { port, host, data, built } = values;
  if (!port || !/^\d{1,5}$/.test(port) || Number(port) > 65535) throw new Error('--port is no port');
  if (!data) throw new Error('--data names no folder');
  return { port: Number(port), host, data, built };
}
