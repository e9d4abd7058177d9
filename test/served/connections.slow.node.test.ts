import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isAlive } from '../fixtures/killed_runner.ts';
import { buildOwnServer, issueOwnKey, type OwnServer, startOwnServer } from '../fixtures/own_server.ts';

// Clients that open connections and hold them, without a key.
const MB = 1024 * 1024;

let folder: string;
let photo: Uint8Array<ArrayBuffer>;

beforeAll(async () => {
  buildOwnServer();
  folder = mkdtempSync(join(tmpdir(), 'connections-'));
  const image = sharp({ create: { width: 64, height: 48, channels: 3, background: '#804020' } });
  photo = new Uint8Array(await image.jpeg().toBuffer());
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const POST_NOPE = 'POST /nope HTTP/1.1\r\nHost: a.test\r\nContent-Length: 250000\r\n\r\n';
const SHAPES: readonly (readonly [string, string])[] = [
  ['most of a body that is refused', POST_NOPE + 'a'.repeat(200_000)],
  ['a byte of a body', `${POST_NOPE}a`],
  ['a body to /mcp', POST_NOPE.replace('nope', 'mcp') + 'a'.repeat(200_000)],
  ['a head that does not end', `GET / HTTP/1.1\r\nHost: a.test\r\nX-A: ${'a'.repeat(55_000)}`],
  ['nothing', ''],
];

/** Opens connections that send the same each and wait; opens as many anew as are closed. */
function hold(server: OwnServer, count: number, text: string): Disposable {
  const { port } = new URL(server.address);
  const sockets = new Set<Socket>();
  let left = count;
  const more = () => {
    for (; left > 0 && sockets.size < 200; left--) {
      const socket = connect(Number(port), '127.0.0.1', () => {
        if (text) socket.write(text, 'latin1');
      });
      sockets.add(socket);
      socket.on('error', () => {});
      socket.once('close', () => {
        sockets.delete(socket);
        more();
      });
    }
  };
  more();
  return {
    [Symbol.dispose]() {
      left = 0;
      for (const socket of sockets) socket.destroy();
    },
  };
}

const pidsOf = ({ pid, counterPid, imagePids }: OwnServer) => [pid, counterPid, ...imagePids];

/** Of all processes together (proc(5): VmRSS, in kB). */
const residentBytes = (server: OwnServer) =>
  pidsOf(server).reduce((sum, pid) => {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!;
    return sum + Number(kilobytes) * 1024;
  }, 0);

const inspect = (server: OwnServer, key: string) =>
  fetch(`${server.address}/v1/inspect`, {
    method: 'POST',
    headers: { 'Content-Type': 'image/jpeg', Authorization: `Bearer ${key}` },
    body: photo,
  });

describe('3,500 open connections held a gigabyte that nothing counted', () => {
  test.each(SHAPES)('that send %s hold little, and nobody waits for them', async (_, text) => {
    await using server = await startOwnServer(join(folder, 'held'));
    const key = await issueOwnKey(server.address);
    for (let call = 0; call < 5; call++) expect((await inspect(server, key)).status).toBe(200);
    const before = residentBytes(server);
    let most = 0;
    {
      using _held = hold(server, 3500, text);
      for (let call = 0; call < 40; call++) {
        expect((await inspect(server, key)).status).toBe(200);
        expect((await fetch(`${server.address}/v1/health`)).status).toBe(200);
        most = Math.max(most, residentBytes(server));
      }
    }
    console.log(`resident ${Math.round(before / MB)} MB, at most ${Math.round(most / MB)} MB`);
    // A process with pictures, the one that counts, and the front.
    expect(most - before).toBeLessThan(3 * 150 * MB);
  });
});

test('idle connections ended the server at its limit of open files', async () => {
  await using server = await startOwnServer(join(folder, 'files'), {}, undefined, { files: 1024 });
  const key = await issueOwnKey(server.address);
  using _held = hold(server, 3000, '');
  for (let call = 0; call < 20; call++) expect((await inspect(server, key)).status).toBe(200);
  // None of them has ended and been started again.
  expect(server.lines.filter((line) => line.includes('has ended'))).toEqual([]);
  expect([server.counterPid, server.runtimePid].map(isAlive)).toEqual([true, true]);
});
