// What slow, hostile and large clients do to ordinary calls, through the Worker in workerd itself within the
// memory of an isolate: latency of a hundred calls, one after the other, that sanitize a photograph of one
// megapixel (no look for faces), and of GET /v1/health beside each of them.
import '../../scripts/plain_node.mjs';
import { startBareRuntime } from '../fixtures/bare_runtime.ts';
import { issueKey, TEST_SECRETS } from '../fixtures/local_worker.ts';
import { RawClient } from '../fixtures/raw_client.ts';
import { ms } from './timing.ts';

const { photoFile } = await import('./photos.ts');

const CALLS = Number(process.env.HOLD_CALLS ?? 100);
/** Calls that one key makes: below what its plan allows a minute. */
const CALLS_A_KEY = 400;

const small = new Uint8Array(await photoFile(1, 'jpeg'));
const medium = new Uint8Array(await photoFile(12, 'jpeg'));
const large = new Uint8Array(await photoFile(50, 'jpeg'));

await using worker = await startBareRuntime('src/index.ts', ['enable_request_signal'], TEST_SECRETS);
const address = `http://127.0.0.1:${worker.port}`;
let made = 0;
let key: Promise<string> | undefined;

async function headers(): Promise<Record<string, string>> {
  if (made++ % CALLS_A_KEY === 0) key = issueKey(address);
  return { 'Content-Type': 'image/jpeg', Authorization: `Bearer ${await key}` };
}

const pathFor = (output: object) =>
  `/v1/sanitize?ops=${encodeURIComponent(JSON.stringify({ pixelate: { faces: false }, output }))}`;
const toJpeg = pathFor({ format: 'jpeg' });
const toPng = pathFor({ format: 'png' });

/** What was measured of one kind of call: milliseconds of those that were served, and every status. */
interface Measured {
  readonly took: number[];
  readonly statuses: Map<number, number>;
}

const newMeasured = (): Measured => ({ took: [], statuses: new Map() });

async function timed(measured: Measured, call: () => Promise<Response>): Promise<void> {
  const from = performance.now();
  const answer = await call();
  await answer.arrayBuffer();
  measured.statuses.set(answer.status, (measured.statuses.get(answer.status) ?? 0) + 1);
  if (answer.status === 200) measured.took.push(performance.now() - from);
}

async function sanitizeOnce(photo: Uint8Array<ArrayBuffer>): Promise<Response> {
  return fetch(address + toJpeg, { method: 'POST', headers: await headers(), body: photo });
}

/** An ordinary call, and a look at the service's health while it goes on. */
async function callOnce(ordinary: Measured, health: Measured): Promise<void> {
  await Promise.all([
    timed(ordinary, () => sanitizeOnce(small)),
    timed(health, () => fetch(`${address}/v1/health`)),
  ]);
}

/** Begins what disturbs the ordinary calls. @returns what ends it */
type Disturbance = () => Promise<() => Promise<void> | void>;

const stalledReaders: Disturbance = async () => {
  const clients: RawClient[] = [];
  for (let count = 0; count < 6; count++) {
    const length = { 'Content-Length': String(medium.length) };
    const client = await RawClient.post(address, toPng, { ...(await headers()), ...length });
    clients.push(client);
    client.send(medium);
    await client.untilAnswered();
    client.stopReading();
  }
  return () => {
    for (const client of clients) client[Symbol.dispose]();
  };
};

const tricklingUploads: Disturbance = async () => {
  const length = { 'Content-Length': String(25 * 1024 * 1024) };
  const open = async () => RawClient.post(address, toJpeg, { ...(await headers()), ...length });
  const clients = await Promise.all([open(), open(), open()]);
  const timer = setInterval(() => {
    for (const client of clients) client.send(small.subarray(0, 900));
  }, 100);
  return () => {
    clearInterval(timer);
    for (const client of clients) client[Symbol.dispose]();
  };
};

const largeJobs: Disturbance = async () => {
  let isOver = false;
  const working = (async () => {
    while (!isOver) await (await sanitizeOnce(large)).arrayBuffer();
  })();
  return async () => {
    isOver = true;
    await working;
  };
};

function row(name: string, { took, statuses }: Measured): string {
  const sorted = took.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  const times = [at(0.5), at(0.95), sorted.at(-1)].map((time) => ms(time ?? Number.NaN).padStart(9));
  const answers = [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ');
  return `${name.padEnd(34)}${times.join('')}   ${answers}`;
}

function print(name: string, ordinary: Measured, health: Measured): void {
  console.log(row(name, ordinary));
  console.log(row('  health beside them', health));
}

await sanitizeOnce(small).then((answer) => answer.arrayBuffer());
console.log(
  `${''.padEnd(34)}${['median', '95 %', 'worst'].map((head) => head.padStart(9)).join('')}   answers`,
);
const disturbances: Readonly<Record<string, Disturbance>> = {
  alone: async () => () => {},
  'beside six stalled readers': stalledReaders,
  'beside three trickling uploads': tricklingUploads,
  'beside one 50 MP job at a time': largeJobs,
};
for (const [name, begin] of Object.entries(disturbances)) {
  const end = await begin();
  const [ordinary, health] = [newMeasured(), newMeasured()];
  for (let call = 0; call < CALLS; call++) await callOnce(ordinary, health);
  print(name, ordinary, health);
  await end();
}
const [ordinary, health] = [newMeasured(), newMeasured()];
await Promise.all(Array.from({ length: 60 }, () => callOnce(ordinary, health)));
print('sixty at once', ordinary, health);
