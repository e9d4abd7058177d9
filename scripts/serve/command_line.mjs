import { parseArgs } from 'node:util';

/** How `npm run serve` is called. */
export const USAGE = `npm run serve -- --port <port> --data <folder> [--host <address>] [--detectors <folder> | --built]
  --port   where it listens; 0 for any free port
  --data   folder of the counters, made if it is missing; one server a folder
  --host   address it listens at: 127.0.0.1 unless given, 0.0.0.0 for all
  --detectors  manifests and models of further detectors, see docs/detectors.md
  --built  takes dist/server as npm run build:server left it`;

/**
 * @param {readonly string[]} args
 * @returns {{ port: number, host: string, data: string, built: boolean, detectors?: string }}
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
      detectors: { type: 'string' },
    },
  });
  const { port, host, data, built, detectors } = values;
  if (!port || !/^\d{1,5}$/.test(port) || Number(port) > 65535) throw new Error('--port is no port');
  if (!data) throw new Error('--data names no folder');
  if (built && detectors !== undefined) {
    throw new Error(
      '--detectors is for building: npm run build:server -- --detectors <folder>, then --built',
    );
  }
  return { port: Number(port), host, data, built, ...(detectors !== undefined && { detectors }) };
}
