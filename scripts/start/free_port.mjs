import { createServer } from 'node:net';

/** The addresses that `localhost` may mean, and those of all interfaces. */
const HOSTS = ['127.0.0.1', '::1', '0.0.0.0', '::'];

/**
 * Whether no program listens at a port of this machine: one that listens at a single address would still
 * receive part of what is sent to `localhost`.
 * @param {number} port 0 for any free one
 * @returns {Promise<boolean>}
 */
export async function isPortFree(port) {
  for (const host of HOSTS) if (!(await isFreeAt(port, host))) return false;
  return true;
}

/**
 * @param {number} port
 * @param {string} host
 * @returns {Promise<boolean>}
 */
function isFreeAt(port, host) {
  return new Promise((done) => {
    const probe = createServer();
    // Any other error, such as of a machine without IPv6, does not mean that somebody listens.
    probe.once('error', (error) => done(error.code !== 'EADDRINUSE'));
    probe.listen({ port, host, exclusive: true, ipv6Only: true }, () => probe.close(() => done(true)));
  });
}
