import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
  type Request,
} from 'playwright-core';
import { toolPath } from '../fixtures/tools.ts';

/** Path of a browser on this machine; undefined if there is none. */
export const browserPath = toolPath('chromium');

/** Headless, and without any traffic of the browser's own. */
export const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Chromium's own remark that a page offers its installation itself. */
const INSTALL_REMARK = /^Banner not shown: /;

/** A page in a browser of its own, with its console output and requests. */
export interface Visit extends AsyncDisposable {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Everything that was written to the console, and every uncaught error. */
  readonly consoleOutput: string[];
  /** URLs of all requests, in order. */
  readonly requests: string[];
  /**
   * Requests of the page and its workers that could carry something of a photo: all but plain readings,
   * without body and query, of where the first one went.
   */
  readonly sent: string[];
}

function isPlainReading(request: Request, origin: string): boolean {
  const address = new URL(request.url());
  if (address.origin !== origin) return false;
  if (address.protocol === 'blob:') return true;
  return request.method() === 'GET' && request.postDataBuffer() === null && address.search === '';
}

/** A browser with a fresh profile, as a visitor has it. @param options of the browser's context */
export async function visit(options: BrowserContextOptions = {}): Promise<Visit> {
  const profile = mkdtempSync(join(tmpdir(), 'playground-browser-'));
  const start = { executablePath: browserPath!, args: FLAGS, ...contextOptions(options) };
  const context = await chromium.launchPersistentContext(profile, start);
  return visitIn(context, () => rmSync(profile, { recursive: true, force: true }));
}

const contextOptions = (options: BrowserContextOptions): BrowserContextOptions => ({
  viewport: { width: 1280, height: 860 },
  acceptDownloads: true,
  // Requests of a service worker can't be held back by tests.
  serviceWorkers: 'block',
  ...options,
});

let shared: Promise<Browser> | undefined;

/** As `visit`, in the one browser that the tests of a file share: cookies, storage and caches are its own. */
export async function visitShared(options: BrowserContextOptions = {}): Promise<Visit> {
  shared ??= chromium.launch({ executablePath: browserPath!, args: FLAGS });
  return visitIn(await (await shared).newContext(contextOptions(options)), () => undefined);
}

/** Ends the browser that the tests of a file have shared. */
export const closeShared = async (): Promise<void> => (await shared)?.close();

async function visitIn(context: BrowserContext, ended: () => void): Promise<Visit> {
  const page = context.pages()[0] ?? (await context.newPage());
  const consoleOutput: string[] = [];
  const requests: string[] = [];
  const sent: string[] = [];
  let origin = '';
  context.on('request', (request) => {
    if (!origin && request.url().startsWith('http')) ({ origin } = new URL(request.url()));
    if (!isPlainReading(request, origin)) sent.push(`${request.method()} ${request.url()}`);
  });
  page.on('console', (message) => {
    if (message.text() === 'Service Worker registration blocked by Playwright') return;
    if (INSTALL_REMARK.test(message.text())) return;
    consoleOutput.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => consoleOutput.push(`uncaught: ${error.message}`));
  page.on('request', (request) => requests.push(request.url()));
  return {
    page,
    context,
    consoleOutput,
    requests,
    sent,
    async [Symbol.asyncDispose]() {
      await context.close();
      ended();
    },
  };
}
