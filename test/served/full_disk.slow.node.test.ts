import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { smallDisk } from '../../scripts/load/machine.mjs';
import { buildOwnServer, issueOwnKey, startOwnServer } from '../fixtures/own_server.ts';

const folder = mkdtempSync(join(tmpdir(), 'full-disk-'));
const disk = smallDisk(join(folder, 'data'));
if (!disk) console.log('Skipped: only root can have a small disk.');

beforeAll(() => {
  if (disk) buildOwnServer();
});
afterAll(() => {
  disk?.unmount();
  rmSync(folder, { recursive: true, force: true });
});

/** Begins a call: the server has admitted it and waits for the rest of the picture. */
function beginCall(address: string, key: string, picture: Uint8Array) {
  const { port, hostname } = new URL(address);
  const socket = connect(Number(port), hostname);
  let received = '';
  socket.on('data', (text) => (received += text));
  const closed = once(socket, 'close');
  const head = [
    'POST /v1/inspect HTTP/1.1',
    'Host: localhost',
    'Connection: close',
    `Authorization: Bearer ${key}`,
    'Content-Type: image/jpeg',
    `Content-Length: ${picture.length}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  socket.write(picture.subarray(0, 10));
  return {
    /** Sends the rest. @returns the status of the answer */
    async end(): Promise<number> {
      socket.write(picture.subarray(10));
      await closed;
      return Number(/^HTTP\/1\.1 (\d+)/.exec(received)?.[1]);
    },
  };
}

async function countedCalls(address: string, key: string): Promise<number | null> {
  const answer = await fetch(`${address}/v1/usage`, { headers: { Authorization: `Bearer ${key}` } });
  const { calls } = (await answer.json()) as { calls?: number };
  return calls ?? null;
}

test.skipIf(!disk)(
  'ends of calls that a full disk refused are counted when there is room again',
  async () => {
    await using server = await startOwnServer(join(folder, 'data'));
    const { address } = server;
    const key = await issueOwnKey(address);
    const whole = await sharp({ create: { width: 64, height: 48, channels: 3, background: '#804020' } })
      .jpeg()
      .toBuffer();
    const broken = Buffer.alloc(whole.length, 'no picture');
    const calls = [whole, broken, whole, broken, broken].map((picture) => beginCall(address, key, picture));
    await expect.poll(() => countedCalls(address, key), { timeout: 20_000 }).toBe(5);
    // Repeated, since what is freed meanwhile would be room.
    for (let time = 0; time < 3; time++) disk!.fill();
    const statuses: number[] = [];
    for (const call of calls) statuses.push(await call.end());
    expect(statuses).toEqual([200, 422, 200, 422, 422]);
    disk!.free();
    await expect.poll(() => countedCalls(address, key), { timeout: 20_000 }).toBe(2);
  },
);
