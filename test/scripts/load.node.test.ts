import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { Ledger } from '../../scripts/load/ledger.mjs';
import { callers } from '../../scripts/load/traffic.mjs';

const pictures = {
  small: Buffer.alloc(10),
  photo: Buffer.alloc(10),
  large: Buffer.alloc(10),
  graphic: Buffer.alloc(10),
};

/** Runs callers against a server that counts calls on images as it receives them. */
async function run(
  limit: { amount: number } | { seconds: number },
  answer: (res: ServerResponse, call: number) => void,
) {
  let calls = 0;
  let counted = 0;
  let stop: () => void;
  const server = createServer((request, response) => {
    if (request.method === 'POST') counted++;
    request.resume().on('end', () => answer(response, ++calls));
    if (calls < 40) return;
    // As if it were killed.
    stop();
    server.close();
    server.closeAllConnections();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const ledger = new Ledger();
  ledger.add('key');
  const traffic = callers({ address, keys: ['key'], pictures, ledger, ...limit });
  stop = () => traffic.stop();
  await traffic.done;
  server.closeAllConnections();
  server.close();
  return { ledger, check: await ledger.check(async () => counted) };
}

test.concurrent('calls that are all answered leave nothing unknown', async () => {
  const { ledger, check } = await run({ amount: 28 }, (response) => response.end('done'));
  expect(check).toEqual({ answered: 22, counted: 22, lost: 0, doubled: 0 });
  expect(ledger.unanswered).toBe(0);
});

test.concurrent.each([
  ['amount', { amount: 42 }],
  ['seconds', { seconds: 20 }],
])('calls whose answers break off may be counted, in runs that end by %s', async (_name, limit) => {
  const { ledger, check } = await run(limit, (response, call) => {
    if (call % 4 !== 0) response.end('done');
    else response.writeHead(200, { 'Content-Length': '100' }).write('half', () => response.destroy());
  });
  expect(check).toMatchObject({ doubled: 0 });
  expect(check.answered).toBeLessThan(check.counted);
  expect(ledger.unanswered).toBeGreaterThanOrEqual(check.counted - check.answered);
});

test.concurrent('what is counted beyond that is counted twice', async () => {
  const { ledger } = await run({ amount: 14 }, (response) => response.end('done'));
  expect(await ledger.check(async () => 13)).toEqual({ answered: 11, counted: 13, lost: 0, doubled: 2 });
  expect(await ledger.check(async () => 9)).toEqual({ answered: 11, counted: 9, lost: 2, doubled: 0 });
});
