import { readFile } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Home } from './home.ts';

/** Node, Deno and Bun: the package's files lie beside it, and an immediate costs less than a timer. */
export const home: Home = {
  readFile: async (address) => new Uint8Array(await readFile(fileURLToPath(address.href))),
  nextTurn: () => setImmediate(),
};
