// What metering costs in the local Workers runtime: admissions by one object and by a hundred, in turn and
// many at once, beside objects that merely write one row; and the share of a small sanitize request that
// metering takes.
import sharp from 'sharp';
import { createTestHarness } from 'wrangler';
import { startLocalWorker } from '../fixtures/local_worker.ts';
import { ms, race } from './timing.ts';

const ROUNDS = 5;
/** All of them, and the one that wakes the object, fit the window of one enterprise key. */
const CALLS = 500;

const server = createTestHarness({
  workers: [
    {
      config: {
        name: 'metering-bench',
        main: 'test/bench/metering_worker.ts',
        compatibility_date: '2026-10-20',
        durable_objects: {
          bindings: [
            { name: 'CALL_METER', class_name: 'CallMeter' },
            { name: 'ONE_ROW', class_name: 'OneRow' },
          ],
        },
        migrations: [{ tag: 'v1', new_sqlite_classes: ['CallMeter', 'OneRow'] }],
        vars: { KEY_SIGNING_SECRET: 'bench' },
      },
    },
  ],
});
const { url } = await server.listen();

async function get(path: string, headers: Record<string, string> = {}): Promise<string> {
  const answer = await fetch(new URL(path, url), { headers });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${text}`);
  return text;
}

/**
 * Times `CALLS` questions to objects that are awake already, since making one costs its own files on disk.
 */
async function timeObjects(objects: number, at: number) {
  const ask = (path: string, round: number, calls: number) =>
    get(`${path}?calls=${calls}&objects=${objects}&at=${at}&run=${objects}-${at}-${round}`);
  for (let round = 0; round < ROUNDS; round++) {
    for (const path of ['/admissions', '/rows']) await ask(path, round, objects);
  }
  const rounds = { admissions: 0, rows: 0 };
  const contenders = {
    admissions: () => ask('/admissions', rounds.admissions++, CALLS),
    rows: () => ask('/rows', rounds.rows++, CALLS),
    ticks: () => ask('/ticks', 0, CALLS),
  };
  return race(contenders, ROUNDS);
}

const perSecond = (time: number) => `${(CALLS / (time / 1000)).toFixed(0)}/s`;
for (const objects of [1, 100]) {
  const inTurn = await timeObjects(objects, 1);
  const atOnce = await timeObjects(objects, 50);
  console.log(
    `${String(objects).padStart(3)} object(s), in turn: an admission ${ms(inTurn.admissions / CALLS)}, ` +
      `writing one row ${ms(inTurn.rows / CALLS)}, an empty answer ${ms(inTurn.ticks / CALLS)}`,
  );
  console.log(
    `${' '.repeat(14)}50 at once: admissions ${perSecond(atOnce.admissions)}, rows ${perSecond(atOnce.rows)}, ` +
      `empty answers ${perSecond(atOnce.ticks)}`,
  );
}

const authorization = { Authorization: `Bearer ${await get('/key')}` };
const routes = await race(
  { plain: () => get('/plain', authorization), metered: () => get('/metered', authorization) },
  100,
);
const metering = routes.metered - routes.plain;
await server.close();

await using worker = await startLocalWorker();
const localKey = await worker.issueKey();
const photo = await sharp({ create: { width: 640, height: 480, channels: 3, background: '#678' } })
  .jpeg()
  .toBuffer();
const ops = encodeURIComponent(JSON.stringify({ pixelate: { faces: false } }));
const { sanitize } = await race(
  {
    async sanitize() {
      const answer = await fetch(`${worker.address}/v1/sanitize?ops=${ops}`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${localKey}`, 'Content-Type': 'image/jpeg' },
        body: new Uint8Array(photo),
      });
      await answer.arrayBuffer();
      if (answer.status !== 200) throw new Error(`sanitize: ${answer.status}`);
    },
  },
  50,
);
console.log(
  `Metering adds ${ms(metering)} to a request, ${((100 * metering) / sanitize).toFixed(0)} % of the ${ms(sanitize)} ` +
    'that sanitizing 0.3 megapixels takes with no look for faces (HTTP and metering included).',
);
