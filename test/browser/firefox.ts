import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { toolPath } from '../fixtures/tools.ts';

/** Path of Firefox on this machine; undefined if there is none. */
export const firefoxPath = toolPath('firefox');

/** Milliseconds for what a person would wait for. */
const PATIENCE = 120_000;
/** No traffic of the browser's own, files to one folder without a question, any port for its control. */
const PREFERENCES = {
  'marionette.port': 0,
  'app.update.disabledForTesting': true,
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.page': 0,
  'datareporting.policy.dataSubmissionEnabled': false,
  'toolkit.telemetry.reportingpolicy.firstRun': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'services.settings.server': 'data:,',
  'browser.download.folderList': 2,
  'browser.download.useDownloadDir': true,
  'browser.download.alwaysOpenPanel': false,
};

/** A page in Firefox with a fresh profile. Selectors are of CSS. */
export interface FirefoxVisit extends AsyncDisposable {
  open(address: string): Promise<void>;
  /** Runs the body of a function in the page, with `arguments`. */
  evaluate<T>(body: string, ...args: unknown[]): Promise<T>;
  /** Waits until the body of a function returns a true value, and returns that. */
  until<T>(body: string): Promise<T>;
  click(selector: string): Promise<void>;
  /** Chooses a file in an input. @param path of the file on this machine */
  choose(selector: string, path: string): Promise<void>;
  /** The content of the file of this name, once it has been downloaded. */
  downloaded(name: string): Promise<Buffer>;
  /** A PNG of what is seen. */
  screenshot(): Promise<Buffer>;
}

/** Starts Firefox, and drives it by its own remote protocol, Marionette. */
export async function visitFirefox(width = 1280, height = 900): Promise<FirefoxVisit> {
  const profile = mkdtempSync(join(tmpdir(), 'page-firefox-'));
  const downloads = join(profile, 'downloads');
  mkdirSync(downloads);
  const preferences = { ...PREFERENCES, 'browser.download.dir': downloads };
  const lines = Object.entries(preferences).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
  );
  writeFileSync(join(profile, 'user.js'), lines.join('\n'));
  const size = [`--width=${width}`, `--height=${height}`];
  const browser = spawn(
    firefoxPath!,
    ['--headless', '--marionette', '--no-remote', '--profile', profile, ...size],
    { stdio: 'ignore' },
  );
  const ended = once(browser, 'exit');
  const portFile = join(profile, 'MarionetteActivePort');
  const port = await eventually(() => existsSync(portFile) && Number(readFileSync(portFile, 'utf8')));
  const marionette = await Marionette.connectTo(port);
  await marionette.call('WebDriver:NewSession', { capabilities: { alwaysMatch: {} } });

  const evaluate = async <T>(body: string, ...args: unknown[]): Promise<T> => {
    const { value } = await marionette.call('WebDriver:ExecuteScript', { script: body, args });
    return value as T;
  };
  const find = async (selector: string): Promise<unknown> => {
    const { value } = await marionette.call('WebDriver:FindElement', {
      using: 'css selector',
      value: selector,
    });
    return Object.values(value as object)[0];
  };
  return {
    evaluate,
    open: async (url) => void (await marionette.call('WebDriver:Navigate', { url })),
    until: (body) => eventually(() => evaluate(body)) as Promise<never>,
    click: async (selector) =>
      void (await marionette.call('WebDriver:ElementClick', { id: await find(selector) })),
    choose: async (selector, path) =>
      void (await marionette.call('WebDriver:ElementSendKeys', { id: await find(selector), text: path })),
    async downloaded(name) {
      const path = join(downloads, name);
      await eventually(
        () => existsSync(path) && !existsSync(`${path}.part`) && readFileSync(path).length > 0,
      );
      return readFileSync(path);
    },
    async screenshot() {
      const { value } = await marionette.call('WebDriver:TakeScreenshot', { full: false });
      return Buffer.from(value as string, 'base64');
    },
    async [Symbol.asyncDispose]() {
      await marionette.call('Marionette:Quit', { flags: ['eForceQuit'] }).catch(() => undefined);
      await Promise.race([ended, wait(10_000).then(() => browser.kill('SIGKILL'))]);
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** What a question returns once it is true. @throws Error when it takes longer than anybody would wait */
async function eventually<T>(ask: () => T | Promise<T>): Promise<Exclude<T, false | null | undefined | 0>> {
  const end = Date.now() + PATIENCE;
  for (;;) {
    const answer = await ask();
    if (answer) return answer as Exclude<T, false | null | undefined | 0>;
    if (Date.now() > end) throw new Error(`Firefox takes longer than ${PATIENCE / 1000} s: ${ask}`);
    await wait(100);
  }
}

/**
 * Marionette's protocol, version 3: JSON arrays after their length and a colon; commands are
 * `[0, id, name, parameters]`, answers `[1, id, error, result]` (Firefox source docs, Marionette).
 */
class Marionette {
  readonly #socket: Socket;
  #received = Buffer.alloc(0);
  #lastId = 0;
  readonly #waiting = new Map<number, (answer: readonly [error: unknown, result: unknown]) => void>();

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk) => this.#take(chunk));
  }

  static async connectTo(port: number): Promise<Marionette> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return new Marionette(socket);
  }

  /** @throws Error with what Firefox says of a command that it can't do */
  async call(name: string, parameters: object): Promise<{ readonly value?: unknown }> {
    this.#lastId++;
    const id = this.#lastId;
    const text = JSON.stringify([0, id, name, parameters]);
    const answered = new Promise<readonly [unknown, unknown]>((resolve) => this.#waiting.set(id, resolve));
    this.#socket.write(`${Buffer.byteLength(text)}:${text}`);
    const [error, result] = await answered;
    if (error) throw new Error(`${name}: ${JSON.stringify(error)}`);
    return (result ?? {}) as { readonly value?: unknown };
  }

  #take(chunk: Buffer): void {
    this.#received = Buffer.concat([this.#received, chunk]);
    for (;;) {
      const colon = this.#received.indexOf(58);
      const end = colon + 1 + Number(this.#received.subarray(0, Math.max(0, colon)).toString());
      if (colon < 0 || this.#received.length < end) return;
      const message: unknown = JSON.parse(this.#received.subarray(colon + 1, end).toString());
      this.#received = this.#received.subarray(end);
      // The first message is a greeting.
      if (!Array.isArray(message)) continue;
      const [, id, error, result] = message as [number, number, unknown, unknown];
      this.#waiting.get(id)?.([error, result]);
      this.#waiting.delete(id);
    }
  }
}
