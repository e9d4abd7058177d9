/**
 * The page in Chromium, by the browser's own figures: first paint on a throttled phone, what comes over the
 * network, tasks that hold up the page and frames of drags with 12 and 48 megapixels, and memory with 100
 * photos.
 */
import '../../scripts/plain_node.mjs';
import { existsSync, readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import sharp from 'sharp';
import { servePage } from '../../scripts/pictures/page_server.mjs';

const RUNS = 5;
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
const served = await servePage();
const browser = await chromium.launch({
  executablePath,
  args: ['--headless', '--no-sandbox', '--disable-gpu'],
});
const loads = [loadavg()[0]];

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
 * Prints the tasks of the page's main thread while something is done, by the browser's own trace, without
 * those by which this program drives the page; and the frames meanwhile.
 */
async function traced(page, name, act) {
  await browser.startTracing(page, {
    categories: ['devtools.timeline', 'disabled-by-default-devtools.timeline', 'toplevel'],
  });
  await page.evaluate(() => {
    window.frameTimes = [];
    const note = (time) => {
      window.frameTimes.push(time);
      window.frameRequest = requestAnimationFrame(note);
    };
    window.frameRequest = requestAnimationFrame(note);
  });
  await act();
  const frames = await page.evaluate(() => {
    cancelAnimationFrame(window.frameRequest);
    return window.frameTimes.slice(1).map((time, i) => time - window.frameTimes[i]);
  });
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
  const thread = ({ pid, tid }) => `${pid}/${tid}`;
  const main = traceEvents
    .filter(({ name: kind, args }) => kind === 'thread_name' && args.name === 'CrRendererMain')
    .map(thread);
  const complete = traceEvents.filter((event) => event.ph === 'X' && main.includes(thread(event)));
  const driving = complete.filter(
    ({ args }) => args.chrome_mojo_event_info?.mojo_interface_tag === 'blink.mojom.DevToolsSession',
  );
  const isDriven = ({ ts, dur }) => driving.some((event) => event.ts >= ts && event.ts < ts + dur);
  const tasks = complete.filter((event) => event.name === 'RunTask' && !isDriven(event));
  const times = tasks.map(({ tdur = 0 }) => tdur / 1000);
  const long = times.filter((time) => time > 50).toSorted((a, b) => b - a);
  const cpu = times.reduce((sum, time) => sum + time, 0) / Math.max(1, frames.length);
  const sorted = frames.toSorted((a, b) => a - b);
  const share = (part) => Math.round(sorted[Math.floor((sorted.length - 1) * part)] ?? 0);
  const longest = Math.round(Math.max(0, ...times));
  console.log(
    `| ${name} | ${longest} ms | ${long.map(Math.round).join(', ') || 'none'} | ${frames.length} | ` +
      `${share(0.5)}, ${share(0.95)}, ${share(1)} ms | ${cpu.toFixed(1)} ms |`,
  );
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

/** Megabytes that the processes of pages hold, memory shared with others in part (Pss of smaps_rollup). */
async function rendererMegabytes(session) {
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  return processInfo
    .filter(({ type }) => type === 'renderer')
    .map(({ id }) => /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${id}/smaps_rollup`, 'utf8'))?.[1] ?? 0)
    .reduce((sum, kilobytes) => sum + kilobytes / 1000, 0);
}

/** A photo as files of the page, as a drag carries them. */
async function transferOf(page, content, count) {
  return page.evaluateHandle(
    ({ base64, count: files }) => {
      const transfer = new DataTransfer();
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      for (let i = 0; i < files; i++) {
        transfer.items.add(new File([bytes], `large-${i}.jpg`, { type: 'image/jpeg' }));
      }
      return transfer;
    },
    { base64: content.toString('base64'), count },
  );
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
    // The file is in the page before anything is measured.
    const data = await transferOf(page, await photo(width, height), 1);
    const megapixels = (width * height) / 1e6;
    console.log(
      `\n| ${megapixels} MP | longest task of the main thread, CPU | all over 50 ms | frames | ` +
        'their distance: median, 95 %, worst | CPU of the main thread a frame |\n' +
        '| --- | --- | --- | --- | --- | --- |',
    );
    await traced(page, 'looking at it, finding faces', async () => {
      await page.dispatchEvent('body', 'drop', { dataTransfer: data });
      await page.waitForSelector('.face');
      await page.waitForSelector('#progress', { state: 'hidden' });
    });
    const { x, y } = await page.locator('#frame').boundingBox();
    await traced(page, 'drawing a region', () => dragged(page, [x + 60, y + 200], [x + 300, y + 320]));
    await page.click('[data-tool="crop"]');
    await dragged(page, [x + 30, y + 30], [x + 420, y + 300]);
    await traced(page, 'dragging a corner of the crop', () =>
      dragged(page, [x + 420, y + 300], [x + 320, y + 220]),
    );
    await page.click('[data-tool="move"]');
    for (let press = 0; press < 3; press++) await page.click('#zoom-in');
    await page.waitForTimeout(1000);
    await traced(page, 'moving the photo, enlarged', () =>
      dragged(page, [x + 300, y + 300], [x + 120, y + 160]),
    );
    await traced(page, 'cleaning, showing the result', async () => {
      await page.click('#clean');
      await page.waitForSelector('#result:visible');
      await page.waitForTimeout(500);
    });
    const split = await page.locator('#split').boundingBox();
    const middle = [split.x + split.width / 2, split.y + split.height / 2];
    await traced(page, 'comparing before and after', () =>
      dragged(page, middle, [middle[0] + 150, middle[1]]),
    );
    await context.close();
  }

  {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      serviceWorkers: 'block',
    });
    const page = await context.newPage();
    page.setDefaultTimeout(300_000);
    const session = await browser.newBrowserCDPSession();
    await page.goto(served.origin);
    await page.waitForLoadState('networkidle');
    const idle = await rendererMegabytes(session);
    const content = await photo(4000, 3000);
    const most = async (act) => {
      let megabytes = 0;
      let isDone = false;
      const watch = async () => {
        while (!isDone) {
          megabytes = Math.max(megabytes, await rendererMegabytes(session));
          await wait(100);
        }
      };
      const acted = act().finally(() => {
        isDone = true;
      });
      await Promise.all([acted, watch()]);
      return megabytes;
    };
    const areDrawn = (count) =>
      [...document.querySelectorAll('.thumb canvas')].filter(({ width }) => width > 1).length >= count;
    const rows = [];
    for (const [name, count, all] of [
      ['2 photos of 12 MP', 2, 2],
      ['and 98 more', 98, 100],
    ]) {
      const data = await transferOf(page, content, count);
      const peak = await most(async () => {
        await page.dispatchEvent('body', 'drop', { dataTransfer: data });
        await page.waitForFunction(areDrawn, all);
        await page.waitForSelector('.face');
        await page.waitForSelector('#progress', { state: 'hidden' });
      });
      await data.dispose();
      await page.waitForTimeout(3000);
      rows.push([name, peak, await rendererMegabytes(session)]);
    }
    console.log('\n| memory of the page (Pss) | at most | after it |\n| --- | --- | --- |');
    console.log(`| open | | ${Math.round(idle)} MB |`);
    for (const [name, peak, after] of rows)
      console.log(`| ${name} | ${Math.round(peak)} MB | ${Math.round(after)} MB |`);
    await context.close();
  }
  loads.push(loadavg()[0]);
  console.log(`\nload of the machine before and after: ${loads.map((load) => load.toFixed(1)).join(', ')}`);
} finally {
  await browser.close();
  served.stop();
}
