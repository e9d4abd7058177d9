/**
 * The page in Chromium, by the browser's own figures: first paint on a throttled phone, what comes over the
 * network, and tasks that hold up the page while it works on 48 megapixels.
 */
import '../../scripts/plain_node.mjs';
import { existsSync } from 'node:fs';
import { loadavg } from 'node:os';
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

/** Prints the tasks of the page's main thread while something is done, by the browser's own trace. */
async function traced(page, name, act) {
  await browser.startTracing(page, {
    categories: ['devtools.timeline', 'disabled-by-default-devtools.timeline'],
  });
  await act();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
  const thread = ({ pid, tid }) => `${pid}/${tid}`;
  const main = traceEvents
    .filter(({ name: kind, args }) => kind === 'thread_name' && args.name === 'CrRendererMain')
    .map(thread);
  const tasks = traceEvents
    .filter((event) => event.ph === 'X' && event.name === 'RunTask' && main.includes(thread(event)))
    .map(({ tdur = 0 }) => Math.round(tdur / 1000));
  const long = tasks.filter((time) => time > 50).toSorted((a, b) => b - a);
  console.log(`| ${name} | ${Math.max(0, ...tasks)} ms | ${long.join(', ') || 'none'} |`);
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

  {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      serviceWorkers: 'block',
    });
    const page = await context.newPage();
    page.setDefaultTimeout(300_000);
    await page.goto(served.origin);
    await page.waitForLoadState('networkidle');
    // The file is in the page before anything is measured.
    const data = await page.evaluateHandle(
      (base64) => {
        const transfer = new DataTransfer();
        const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
        transfer.items.add(new File([bytes], 'large.jpg', { type: 'image/jpeg' }));
        return transfer;
      },
      (await photo(8000, 6000)).toString('base64'),
    );
    console.log(
      '\n| 48 MP | longest task of the main thread, CPU | all its tasks over 50 ms |\n| --- | --- | --- |',
    );
    await traced(page, 'looking at it, finding faces', async () => {
      await page.dispatchEvent('body', 'drop', { dataTransfer: data });
      await page.waitForSelector('.face');
      await page.waitForSelector('#progress', { state: 'hidden' });
    });
    await traced(page, 'drawing a region', async () => {
      const frame = await page.locator('#frame').boundingBox();
      await page.mouse.move(frame.x + 60, frame.y + 200);
      await page.mouse.down();
      await page.mouse.move(frame.x + 300, frame.y + 320, { steps: 60 });
      await page.mouse.up();
    });
    await traced(page, 'cleaning, showing the result', async () => {
      await page.click('#clean');
      await page.waitForSelector('#result:visible');
      await page.waitForTimeout(500);
    });
    await context.close();
  }
  loads.push(loadavg()[0]);
  console.log(`\nload of the machine before and after: ${loads.map((load) => load.toFixed(1)).join(', ')}`);
} finally {
  await browser.close();
  served.stop();
}
