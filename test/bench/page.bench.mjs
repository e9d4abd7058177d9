/**
 * The page in Chromium, by the browser's own figures: first paint on a throttled phone, what comes over the
 * network, tasks that hold up the page and frames of drags with 12 and 48 megapixels, and memory while 100
 * photos are chosen and cleaned.
 */
import '../../scripts/plain_node.mjs';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { brotliCompressSync, gunzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import sharp from 'sharp';
import { servePage } from '../../scripts/pictures/page_server.mjs';

const RUNS = 5;
/** Tasks that are told one by one: longer ones are felt (Long Tasks API). */
const LONG_TASK = 50;
/** Photos that are cleaned at once. */
const MANY = 100;
/** A phone as Lighthouse has it: a processor four times slower, 1.6 Mbit/s, 150 ms there and back. */
const PHONE = { rate: 4, bytesPerSecond: (1638.4 * 1000) / 8, latency: 150 };
const WINDOW = {
  viewport: { width: 412, height: 823 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
};

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  existsSync,
);
if (!executablePath) {
  console.log('skipped: no Chromium is installed');
  process.exit();
}
const { drawPeople } = await import('../fixtures/drawn_face.ts');
const { described, mainThreadTasks } = await import('../browser/page_trace.ts');
const { startTable, tableRow } = await import('./table.ts');
const served = await servePage();
const browser = await chromium.launch({
  executablePath,
  args: ['--headless', '--no-sandbox', '--disable-gpu'],
});
const loads = [loadavg()[0]];
const folder = mkdtempSync(join(tmpdir(), 'page-bench-'));

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const ms = (values) =>
  `${Math.round(median(values))} ms (${values.map((value) => Math.round(value)).join(', ')})`;

/** Milliseconds from the start of navigation to the first contentful paint. */
const firstPaint = (page) =>
  page.evaluate(
    () =>
      new Promise((resolve) => {
        new PerformanceObserver((list) =>
          resolve(list.getEntriesByName('first-contentful-paint')[0].startTime),
        ).observe({ type: 'paint', buffered: true });
      }),
  );

async function throttled(page) {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: PHONE.rate });
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: PHONE.latency,
    downloadThroughput: PHONE.bytesPerSecond,
    uploadThroughput: PHONE.bytesPerSecond,
  });
  return session;
}

/** Bytes of bodies and heads that have come to a context, workers included. */
function countBytes(context) {
  const sizes = [];
  context.on('requestfinished', (request) => {
    if (request.url().startsWith('http')) {
      sizes.push(
        request
          .sizes()
          .then(({ responseBodySize, responseHeadersSize }) => responseBodySize + responseHeadersSize),
      );
    }
  });
  return async () => (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

async function photo(width, height) {
  const people = [
    { x: 300, y: 300, w: 190, h: 250 },
    { x: 1100, y: 350, w: 200, h: 262 },
  ];
  const drawn = drawPeople(2000, 1500, people);
  return sharp(drawn.pixels, { raw: { width: drawn.width, height: drawn.height, channels: 4 } })
    .removeAlpha()
    .resize(width, height)
    .jpeg({ quality: 90 })
    .toBuffer();
}

/**
 * What the page's main thread does meanwhile, without the tasks by which this program drives the page; and
 * the frames.
 */
async function measured(page, act) {
  let frames = [];
  const tasks = await mainThreadTasks(page, async () => {
    await page.evaluate(() => {
      window.frameTimes = [];
      const note = (time) => {
        window.frameTimes.push(time);
        window.frameRequest = requestAnimationFrame(note);
      };
      window.frameRequest = requestAnimationFrame(note);
    });
    await act();
    frames = await page.evaluate(() => {
      cancelAnimationFrame(window.frameRequest);
      return window.frameTimes.slice(1).map((time, i) => time - window.frameTimes[i]);
    });
  });
  const byClock = tasks.toSorted((a, b) => b.clock - a.clock);
  const sorted = frames.toSorted((a, b) => a - b);
  const share = (part) => Math.round(sorted[Math.floor((sorted.length - 1) * part)] ?? 0);
  return {
    cpu: `${Math.round(Math.max(0, ...tasks.map(({ cpu }) => cpu)))} ms`,
    clock: `${Math.round(byClock[0]?.clock ?? 0)} ms`,
    frames: `${share(0.5)}, ${share(0.95)}, ${share(1)} ms`,
    frameCpu: `${(tasks.reduce((sum, { cpu }) => sum + cpu, 0) / Math.max(1, frames.length)).toFixed(1)} ms`,
    long: byClock.filter(({ clock }) => clock > LONG_TASK).map(described),
  };
}

/** Drags from one point of the window to another, 120 moves at the pace of a screen. */
async function dragged(page, from, to) {
  await page.mouse.move(...from);
  await page.mouse.down();
  for (let step = 1; step <= 120; step++) {
    const part = step / 120;
    await page.mouse.move(from[0] + (to[0] - from[0]) * part, from[1] + (to[1] - from[1]) * part);
    await page.waitForTimeout(8);
  }
  await page.mouse.up();
}

/**
 * Megabytes that the browser's processes hold, memory shared with others in part (Pss of smaps_rollup): those
 * of pages, and all together.
 */
async function heldMegabytes(session) {
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const held = { pages: 0, all: 0 };
  for (const { id, type } of processInfo) {
    const path = `/proc/${id}/smaps_rollup`;
    const found = existsSync(path) && /^Pss:\s+(\d+)/m.exec(readFileSync(path, 'utf8'));
    const megabytes = found ? Number(found[1]) / 1000 : 0;
    held.all += megabytes;
    if (type === 'renderer') held.pages += megabytes;
  }
  return held;
}

/** What is held at most while something is done, looked at ten times a second. */
async function mostHeld(session, act) {
  const most = { pages: 0, all: 0 };
  let isDone = false;
  const watch = async () => {
    while (!isDone) {
      const held = await heldMegabytes(session);
      most.pages = Math.max(most.pages, held.pages);
      most.all = Math.max(most.all, held.all);
      await wait(100);
    }
  };
  const acted = act().finally(() => {
    isDone = true;
  });
  await Promise.all([acted, watch()]);
  return most;
}

/** Names of the modules and weights that the page loads, and their bytes: raw, as sent, in Brotli. */
function partSizes() {
  const folder = 'dist/assets/playground';
  return readdirSync(folder)
    .filter((name) => name.endsWith('.gz'))
    .map((name) => {
      const sent = readFileSync(join(folder, name));
      const raw = gunzipSync(sent);
      return [name.split('.')[0], raw.length, sent.length, brotliCompressSync(raw).length];
    });
}

const kilobytes = (bytes) => `${Math.round(bytes / 1000)} KB`;

try {
  const first = [];
  const again = [];
  for (let run = 0; run < RUNS; run++) {
    const context = await browser.newContext(WINDOW);
    const page = await context.newPage();
    const session = await throttled(page);
    await page.goto(served.origin);
    first.push(await firstPaint(page));
    await page.evaluate(() => navigator.serviceWorker.ready);
    await session.detach();
    await page.close();
    const second = await context.newPage();
    await throttled(second);
    await second.goto(served.origin);
    again.push(await firstPaint(second));
    await context.close();
  }
  console.log('\n| on a throttled phone | first contentful paint |\n| --- | --- |');
  console.log(`| first visit | ${ms(first)} |`);
  console.log(`| second visit | ${ms(again)} |`);

  {
    const context = await browser.newContext({ serviceWorkers: 'block' });
    const bytes = countBytes(context);
    const page = await context.newPage();
    await page.goto(served.origin);
    await page.waitForLoadState('networkidle');
    await page.waitForTimeout(3000);
    const opened = await bytes();
    await page.setInputFiles('#file', {
      name: 'a.jpg',
      mimeType: 'image/jpeg',
      buffer: await photo(2000, 1500),
    });
    await page.waitForSelector('.face', { timeout: 120_000 });
    const detected = await bytes();
    console.log('\n| over the network | bytes |\n| --- | --- |');
    console.log(`| first visit | ${kilobytes(opened)} |`);
    console.log(`| and the face detector | ${kilobytes(detected)} |`);
    await context.close();
  }

  console.log('\n| parts of the pipeline | raw | gzip 9, as sent | Brotli 11 |\n| --- | --- | --- | --- |');
  for (const [name, ...sizes] of partSizes()) tableRow(name, ...sizes.map(kilobytes));

  const rows = new Map();
  const long = [];
  for (const [width, height] of [
    [4000, 3000],
    [8000, 6000],
  ]) {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      serviceWorkers: 'block',
    });
    const page = await context.newPage();
    page.setDefaultTimeout(300_000);
    await page.goto(served.origin);
    await page.waitForLoadState('networkidle');
    const path = join(folder, `${width}.jpg`);
    writeFileSync(path, await photo(width, height));
    const trace = async (name, act) => {
      const figures = await measured(page, act);
      rows.set(name, [...(rows.get(name) ?? []), figures]);
      for (const task of figures.long) long.push(`${(width * height) / 1e6} MP, ${name}: ${task}`);
    };
    await trace('looking at it, finding faces', async () => {
      await page.setInputFiles('#file', path);
      await page.waitForSelector('.face');
      await page.waitForSelector('#progress', { state: 'hidden' });
    });
    const { x, y } = await page.locator('#frame').boundingBox();
    await trace('drawing a region', () => dragged(page, [x + 60, y + 200], [x + 300, y + 320]));
    await page.click('[data-tool="crop"]');
    await dragged(page, [x + 30, y + 30], [x + 420, y + 300]);
    await trace('dragging a corner of the crop', () => dragged(page, [x + 420, y + 300], [x + 320, y + 220]));
    await page.click('[data-tool="move"]');
    for (let press = 0; press < 3; press++) await page.click('#zoom-in');
    await page.waitForTimeout(1000);
    await trace('moving the photo, enlarged', () => dragged(page, [x + 300, y + 300], [x + 120, y + 160]));
    await trace('cleaning, showing the result', async () => {
      await page.click('#clean');
      await page.waitForSelector('#result:visible');
      await page.waitForTimeout(500);
    });
    const result = await page.locator('#compare').boundingBox();
    const held = [result.x + result.width / 2, result.y + result.height / 2];
    await trace('holding it to see the original', () => dragged(page, held, [held[0] + 20, held[1]]));
    await context.close();
  }
  const twice = (name) => [`${name}, 12 MP`, 'the same, 48 MP'];
  startTable('The page', [
    '',
    ...twice('longest task of the main thread, CPU'),
    ...twice('by the clock'),
    ...twice('distance of frames: median, 95 %, worst'),
    ...twice('CPU of the main thread a frame'),
  ]);
  for (const [name, each] of rows) {
    tableRow(name, ...['cpu', 'clock', 'frames', 'frameCpu'].flatMap((key) => each.map((one) => one[key])));
  }
  console.log(`\nlonger than ${LONG_TASK} ms by the clock: ${long.join('\n') || 'none'}`);

  {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      serviceWorkers: 'block',
    });
    const page = await context.newPage();
    page.setDefaultTimeout(600_000);
    const session = await browser.newBrowserCDPSession();
    await page.goto(served.origin);
    await page.waitForLoadState('networkidle');
    const held = [['the page open', null, await heldMegabytes(session)]];
    // Real files, which the browser reads where they lie.
    const content = await photo(4000, 3000);
    const paths = Array.from({ length: MANY }, (_, at) => join(folder, `photo ${at}.jpg`));
    for (const path of paths) writeFileSync(path, content);
    const areDrawn = (count) =>
      [...document.querySelectorAll('.thumb canvas')].filter(({ width }) => width > 1).length >= count;
    const choose = (some, all) => async () => {
      await page.setInputFiles('#file', some);
      await page.waitForFunction(areDrawn, all);
      await page.waitForSelector('.face');
      await page.waitForSelector('#progress', { state: 'hidden' });
    };
    const clean = (count) => async () => {
      await page.click('#clean-all');
      await page.waitForFunction(
        (most) => document.querySelectorAll('.thumb[data-status="clean"]').length >= most,
        count,
      );
    };
    for (const [name, act] of [
      ['2 photos of 12 MP chosen', choose(paths.slice(0, 2), 2)],
      ['these 2 cleaned', clean(2)],
      [`and ${MANY - 2} more chosen`, choose(paths.slice(2), MANY)],
      ['50 of them cleaned', clean(50)],
      ['all cleaned', clean(MANY)],
    ]) {
      if (name.startsWith('50')) {
        held.push([name, await mostHeld(session, act), await heldMegabytes(session)]);
        await page.click('#batch-cancel');
        continue;
      }
      const most = await mostHeld(session, act);
      await page.waitForTimeout(3000);
      held.push([name, most, await heldMegabytes(session)]);
    }
    const size = await page.textContent('#download');
    const told = (figures, key) => (figures ? `${Math.round(figures[key])} MB` : '');
    console.log(
      '\n| memory | its page, at most | after it | all of the browser, at most | after it |\n' +
        '| --- | --- | --- | --- | --- |',
    );
    for (const [name, most, after] of held) {
      tableRow(name, told(most, 'pages'), told(after, 'pages'), told(most, 'all'), told(after, 'all'));
    }
    console.log(`\neach photo has ${kilobytes(content.length)}, each result: ${size}`);
    await context.close();
  }
  loads.push(loadavg()[0]);
  console.log(`\nload of the machine before and after: ${loads.map((load) => load.toFixed(1)).join(', ')}`);
} finally {
  await browser.close();
  served.stop();
  rmSync(folder, { recursive: true, force: true });
}
