import { connect } from 'node:net';
import autocannon from 'autocannon';
import sharp from 'sharp';

const noFaces = encodeURIComponent('{"pixelate":{"faces":false}}');
const asJson = encodeURIComponent('{"pixelate":{"faces":false},"response":"json"}');
const toWebp = encodeURIComponent('{"pixelate":{"faces":false},"output":{"format":"webp","maxWidth":640}}');

/** Pictures of noise with Exif, as files. */
export async function pictures() {
  const noise = (width, height) =>
    sharp({
      create: { width, height, channels: 3, noise: { type: 'gaussian', mean: 128, sigma: 12 } },
    }).withExif({ IFD0: { Artist: 'someone' } });
  const [small, photo, large, graphic] = await Promise.all([
    noise(160, 120).jpeg().toBuffer(),
    noise(1152, 864).jpeg().toBuffer(),
    noise(2400, 1800).jpeg().toBuffer(),
    noise(320, 240).png().toBuffer(),
  ]);
  return { small, photo, large, graphic };
}

/** One cycle of the mixed traffic, in order; calls on images are metered. */
function mixed({ small, photo, large, graphic }) {
  const image = (path, body, type = 'image/jpeg') => ({ method: 'POST', path, body, type });
  return [
    image('/v1/inspect', photo),
    image(`/v1/sanitize?ops=${noFaces}`, small),
    image(`/v1/sanitize?ops=${asJson}`, small),
    { method: 'GET', path: '/v1/usage' },
    image(`/v1/sanitize?ops=${noFaces}`, photo),
    image('/v1/inspect', graphic, 'image/png'),
    image(`/v1/sanitize?ops=${toWebp}`, photo),
    image('/v1/inspect', photo.subarray(0, 5000)),
    image(`/v1/sanitize?ops=${noFaces}`, photo.subarray(0, 5000)),
    image(`/v1/sanitize?ops=${noFaces}`, large),
    image('/v1/detect', small),
    image('/v1/sanitize', graphic, 'image/png'),
    { method: 'GET', path: '/v1/health' },
    { method: 'GET', path: '/openapi.json' },
  ];
}

/** The calls of one caller: mixed calls of a key on one connection, starting at one place in the cycle. */
function requestsOf(pictures, key, ledger, from) {
  const turn = mixed(pictures);
  return [...turn.slice(from % turn.length), ...turn.slice(0, from % turn.length)].map(
    ({ method, path, body, type }) => ({
      method,
      path,
      headers: { Authorization: `Bearer ${key}`, ...(type && { 'Content-Type': type }) },
      ...(body && { body }),
      onResponse: (status) => ledger.answered(type ? key : null, status),
    }),
  );
}

/**
 * Callers with one key and one connection each.
 * @param {object} options
 * @param {string} options.address
 * @param {readonly string[]} options.keys
 * @param {Awaited<ReturnType<typeof pictures>>} options.pictures
 * @param {import('./ledger.mjs').Ledger} options.ledger
 * @param {number} [options.amount] calls of each
 * @param {number} [options.seconds] alternatively, their longest duration: until they or the server are
 * stopped
 * @returns {{ done: Promise<void>, stop(): void }}
 */
export function callers({ address, keys, pictures, ledger, amount, seconds }) {
  const runs = keys.map((key, index) => {
    const requests = requestsOf(pictures, key, ledger, 3 * index);
    const limit = amount === undefined ? { duration: seconds } : { amount };
    return startRun({ url: address, connections: 1, timeout: 60, requests, ...limit });
  });
  const ended = runs.map(async (run, index) => ledger.unknown(keys[index], await run.unanswered));
  return {
    done: Promise.all(ended).then(() => {}),
    stop() {
      for (const run of runs) run.stop();
    },
  };
}

/**
 * A run of autocannon. Also counts calls that were sent but not answered completely: because the server was
 * killed or a connection ended, even during an answer. Attempts after the stop reach no server.
 */
function startRun(options) {
  let sent = 0;
  let answered = 0;
  let stopped = false;
  const setupClient = (client) => {
    client.on('request', () => {
      if (!stopped) sent++;
    });
    client.on('response', () => answered++);
  };
  const run = autocannon({ ...options, setupClient });
  return {
    unanswered: run.then(() => Math.max(0, sent - answered)),
    stop() {
      stopped = true;
      run.stop();
    },
  };
}

/** A key that calls as fast as it can: far more than 600 calls a minute. */
export async function hotKey({ address, key, pictures, ledger, amount }) {
  const run = startRun({
    url: address,
    connections: 4,
    amount,
    timeout: 60,
    requests: [
      {
        method: 'POST',
        path: '/v1/inspect',
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'image/jpeg' },
        body: pictures.small,
        onResponse: (status) => ledger.answered(key, status),
      },
    ],
  });
  ledger.unknown(key, await run.unanswered);
}

/** Clients that leave before their answer: some at once, some while it is being prepared. */
export async function leavers({ address, key, pictures, ledger, count }) {
  const leave = async (index) => {
    try {
      const answer = await fetch(`${address}/v1/sanitize?ops=${noFaces}`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'image/jpeg' },
        body: pictures.large,
        signal: AbortSignal.timeout(1 + index * 13),
      });
      await answer.arrayBuffer();
      ledger.answered(key, answer.status);
    } catch {
      ledger.unknown(key, 1);
    }
  };
  for (let index = 0; index < count; index += 4)
    await Promise.all([0, 1, 2, 3].map((each) => leave(index + each)));
}

/**
 * Clients that send single bytes of a large declared upload now and then, or never read their answer.
 * @returns {() => void} ends them
 */
export function slowClients({ address, key, pictures, ledger, count }) {
  const { hostname, port } = new URL(address);
  const sockets = Array.from({ length: count }, (_, index) => {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    const isReader = index % 2 === 0;
    const length = isReader ? pictures.large.length : 20_000_000;
    socket.write(
      `POST /v1/sanitize?ops=${noFaces} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${key}\r\n` +
        `Content-Type: image/jpeg\r\nContent-Length: ${length}\r\n\r\n`,
    );
    if (isReader) socket.write(pictures.large);
    socket.pause();
    ledger.unknown(key, 1);
    return socket;
  });
  const trickle = setInterval(() => {
    for (const [index, socket] of sockets.entries())
      if (index % 2 === 1 && socket.writable) socket.write('x');
  }, 200);
  return () => {
    clearInterval(trickle);
    for (const socket of sockets) socket.destroy();
  };
}
