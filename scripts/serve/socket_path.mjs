import { lstatSync, unlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { resolve } from 'node:path';

/** Whether a server is listening there. */
const isTaken = (path) =>
  new Promise((told) => {
    const socket = connect(path);
    socket.once('connect', () => told(true)).once('error', () => told(false));
    socket.once('connect', () => socket.destroy());
  });

/**
 * Prepares the path of a server's Unix socket. Deletes a socket left there by a killed server, which would
 * prevent listening.
 * @param {string} path
 * @returns {Promise<string>} the absolute path
 * @throws {Error} why it can't be used, in words for people
 */
export async function socketPath(path) {
  const whole = resolve(path);
  const found = lstatSync(whole, { throwIfNoEntry: false });
  if (!found) return whole;
  if (!found.isSocket()) throw new Error(`--socket: ${path} is there, and is no socket`);
  if (await isTaken(whole)) throw new Error(`--socket: another server listens at ${path}`);
  unlinkSync(whole);
  return whole;
}
