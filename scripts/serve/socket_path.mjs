import { lstatSync, unlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { resolve } from 'node:path';

/** Whether somebody listens there. */
const isTaken = (path) =>
  new Promise((told) => {
    const socket = connect(path);
    socket.once('connect', () => told(true)).once('error', () => told(false));
    socket.once('connect', () => socket.destroy());
  });

/**
 * Where a server is to listen at a Unix socket. What one that was killed has left there is deleted, since it
 * would keep this one from listening.
 * @param {string} path
 * @returns {Promise<string>} the same, absolute
 * @throws {Error} why it can't be listened at, for people
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
