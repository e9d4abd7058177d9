import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { answers, cpuSecondsOf, isStopped, watch } from './watchdog.mjs';

/** A process that ended sooner than this after its start is started again only after a pause. */
const SHORT_LIFE_MS = 5000;
/** The pause after the first short life; it doubles with each further one. */
const FIRST_PAUSE_MS = 100;
/** So many short lives in a row end the server. */
const MOST_SHORT_LIVES = 8;

/** @returns {string | undefined} the path of a program of the system */
export const programPath = (name) =>
  ['/usr/bin', '/bin'].map((folder) => join(folder, name)).find((path) => existsSync(path));

/**
 * Starts workerd and watches that it answers.
 * @param {object} options
 * @param {readonly string[]} options.args after `workerd serve`
 * @param {readonly string[]} [options.prefix] a program that becomes workerd, with its arguments
 * @param {number} [options.sockets] at how many it listens
 * @param {string} options.asked Unix socket at which it is asked whether it answers
 * @returns {Promise<import('node:child_process').ChildProcess>} once it listens
 * @throws {ProcessEnded} if it ends before
 */
export async function startRuntime({ args, prefix = [], sockets = 1, asked }) {
  const { default: workerd } = createRequire(import.meta.url)('workerd');
  // It ends with this program, even if this one is killed and can't clean up (Linux, prctl(2):
  // PR_SET_PDEATHSIG). The program replaces itself by workerd, so the process id stays the same.
  const setpriv = programPath('setpriv');
  const bound = setpriv ? [setpriv, '--pdeathsig', 'KILL'] : [];
  // Objects with SQLite on disk require the flag.
  const serve = [workerd, 'serve', '--experimental', '--control-fd=3', '--binary'];
  const [program, ...rest] = [...prefix, ...bound, ...serve, ...args];
  const child = spawn(program, rest, { stdio: ['ignore', 'inherit', 'inherit', 'pipe'], detached: true });
  let listening = 0;
  await new Promise((listens, failed) => {
    child.once('error', failed);
    child.once('exit', (code) => failed(new ProcessEnded(code)));
    // Its control messages, one a line.
    createInterface(child.stdio[3]).on('line', (line) => {
      if (JSON.parse(line).event === 'listen' && ++listening === sockets) listens();
    });
  });
  watch({
    answers: () => answers({ socketPath: asked }),
    cpuSeconds: () => cpuSecondsOf(child.pid),
    isStopped: () => isStopped(child.pid),
    isOver: () => hasEnded(child),
    end() {
      console.error(`Process ${child.pid} no longer answers: it is ended.`);
      child.kill('SIGKILL');
    },
  });
  return child;
}

/** A process that ended before it listened. */
export class ProcessEnded extends Error {
  constructor(code) {
    super(`A process ended at its start (${code})`);
    this.code = code;
  }
}

const hasEnded = ({ exitCode, signalCode }) => exitCode !== null || signalCode !== null;

/**
 * Ends a process.
 * @param {NodeJS.Signals} signal
 * @returns {Promise<void>} resolves when it has ended
 */
export function end(child, signal) {
  if (hasEnded(child)) return Promise.resolve();
  return new Promise((ended) => {
    child.once('exit', () => ended());
    child.kill(signal);
  });
}

/**
 * Keeps one process running: if it ends by itself, another one takes its place.
 */
export class KeptProcess {
  #start;
  #onEnd;
  #fail;
  #isWanted = true;
  #shortLives = 0;
  #child;
  #onRenewed = () => {};

  /**
   * @param {object} options
   * @param {() => Promise<import('node:child_process').ChildProcess>} options.start
   * @param {() => void} options.onEnd told at once when it has ended by itself
   * @param {(error: Error) => void} options.fail told when it can't be kept running
   */
  constructor({ start, onEnd, fail }) {
    this.#start = start;
    this.#onEnd = onEnd;
    this.#fail = fail;
  }

  get pid() {
    return this.#child?.pid;
  }

  /** Starts the process for the first time. @throws if that fails */
  async begin() {
    this.#keep(await this.#start());
    return this;
  }

  /**
   * Ends it at once, so that another one takes its place.
   * @returns {Promise<void>} resolves when that one listens
   */
  renew() {
    this.#shortLives = 0;
    return new Promise((renewed) => {
      this.#onRenewed = renewed;
      this.#child.kill('SIGKILL');
    });
  }

  /** Ends it at once and for good, without waiting. */
  kill() {
    this.#isWanted = false;
    this.#child?.kill('SIGKILL');
  }

  /** Ends it for good. */
  async stop(signal) {
    this.#isWanted = false;
    if (this.#child) await end(this.#child, signal);
  }

  #keep(child) {
    this.#child = child;
    this.#onRenewed();
    const since = performance.now();
    const ended = (code, signal) => {
      if (!this.#isWanted) return;
      this.#shortLives = performance.now() - since < SHORT_LIFE_MS ? this.#shortLives + 1 : 0;
      console.error(`Process ${child.pid} has ended (${signal ?? code}).`);
      this.#onEnd();
      void this.#again();
    };
    if (hasEnded(child)) ended(child.exitCode, child.signalCode);
    else child.once('exit', ended);
  }

  async #again() {
    while (this.#isWanted) {
      if (this.#shortLives >= MOST_SHORT_LIVES)
        return this.#fail(new Error('A process ends again and again.'));
      if (this.#shortLives > 1)
        await new Promise((over) => setTimeout(over, FIRST_PAUSE_MS * 2 ** (this.#shortLives - 2)));
      if (!this.#isWanted) return;
      try {
        const child = await this.#start();
        if (!this.#isWanted) return void child.kill('SIGKILL');
        console.log(`Process ${child.pid} takes its place.`);
        return this.#keep(child);
      } catch (error) {
        this.#shortLives++;
        console.error(error.message);
      }
    }
  }
}
