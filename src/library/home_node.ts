import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Home } from './home.ts';

/** Bytes read at a time. */
const CHUNK = 1024 * 1024;

/**
 * Node, Deno and Bun: the package's files are next to this script, and an immediate costs less than a timer.
 */
export const home: Home = {
  readFile: async (address) => new Uint8Array(await readFile(fileURLToPath(address.href))),
  async openFile(name) {
    const path = typeof name === 'string' ? name : fileURLToPath(name.href);
    const stats = await stat(path);
    // Opening a pipe waits for its writer, and that wait can't be ended.
    if (!stats.isFile()) {
      const came = stats.isDirectory() ? 'a folder' : 'a pipe or a device, which can be given as a stream';
      throw new TypeError(`Expected the path or URL of a file but received that of ${came}`);
    }
    return createReadStream(path, { highWaterMark: CHUNK });
  },
  nextTurn: () => setImmediate(),
};
