import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { KeptProcess, startRuntime } from './processes.mjs';

/** Milliseconds for a process without calls to end by itself. */
const ENDING_MS = 2000;
/** Milliseconds that the next process waits for the calls of the one before to end, when all are renewed. */
const LONG_CALL_MS = 40_000;

/**
 * The processes of one server: one that counts calls, and those that work on pictures. They talk over Unix
 * sockets in a folder that only their user can enter.
 */
export class Machine {
  #pool;
  #paths;
  #lock;
  #fail;
  #serial = 0;
  #counter;
  /** @type {{ kept: KeptProcess, place: import('./front/pool.mjs').Place }[]} */
  #images = [];

  /**
   * @param {object} options
   * @param {import('./front/pool.mjs').Pool} options.pool
   * @param {{ sockets: string, objects: string, built: string }} options.paths folders: of the sockets, of
   * the counting objects' files, of the build
   * @param {readonly string[]} options.lock prefix of a command that must have the objects to itself
   * @param {(error: Error) => void} options.fail told when a process can't be kept running
   */
  constructor({ pool, paths, lock, fail }) {
    this.#pool = pool;
    this.#paths = paths;
    this.#lock = lock;
    this.#fail = fail;
  }

  /** Process ids: the counting one, and the others in the order of their numbers. */
  get pids() {
    return { counter: this.#counter?.pid, images: this.#images.map(({ kept }) => kept.pid) };
  }

  /** Sockets of the processes with pictures, in the order of their numbers. */
  get sockets() {
    return this.#images.map(({ place }) => place.socketPath);
  }

  /** @throws {import('./processes.mjs').ProcessEnded} if one of them can't start */
  async start(count) {
    this.#counter = await this.#keepCounter();
    this.#images = await Promise.all(Array.from({ length: count }, () => this.#keepImage()));
  }

  /**
   * Starts all processes anew, with the build as it is now. No call is refused: those that have begun end
   * where they are, new ones wait while the counting process starts.
   * @throws if the build does not start; then all is as it was
   */
  async renew() {
    // One after the other, so that the machine holds one more at most. The first tells whether the build
    // starts.
    for (const [index, image] of this.#images.entries()) {
      this.#images[index] = await this.#keepImage();
      // What it has answered is on disk: nothing is lost by ending it at once.
      if (index === 0) await this.#counter.renew();
      // One that takes longer goes on beside the others.
      await Promise.race([this.#endImage(image), wait(LONG_CALL_MS, undefined, { ref: false })]);
    }
  }

  /** Ends all at once, without waiting. */
  kill() {
    for (const kept of [this.#counter, ...this.#images.map((image) => image.kept)]) kept?.kill();
  }

  /** Ends all, those first that ask the counting one. No call may be left. */
  async stop() {
    await Promise.all(this.#images.map((image) => this.#endImage(image)));
    await ended(this.#counter);
  }

  async #endImage({ kept, place }) {
    await this.#pool.remove(place);
    await ended(kept);
    rmSync(place.socketPath, { force: true });
  }

  #keepCounter() {
    const { sockets, objects, built } = this.#paths;
    const [rpc, http] = [this.#rpcSocket, join(sockets, 'counter.http')];
    const start = () => {
      for (const path of [rpc, http]) rmSync(path, { force: true });
      return startRuntime({
        args: [
          `--socket-addr=rpc=unix:${rpc}`,
          `--socket-addr=http=unix:${http}`,
          `--directory-path=objects=${objects}`,
          join(built, 'counter.bin'),
        ],
        prefix: this.#lock,
        sockets: 2,
        asked: http,
      }).then((child) => {
        this.#pool.goOn();
        return child;
      });
    };
    // New calls wait for the short time until the next one is there.
    return new KeptProcess({ start, onEnd: () => this.#pool.pause(), fail: this.#fail }).begin();
  }

  async #keepImage() {
    const { sockets, built } = this.#paths;
    const image = {};
    const start = async () => {
      const socketPath = join(sockets, `image${++this.#serial}`);
      const child = await startRuntime({
        args: [
          `--socket-addr=http=unix:${socketPath}`,
          `--external-addr=counters=unix:${this.#rpcSocket}`,
          `--directory-path=files=${join(built, 'pages')}`,
          join(built, 'config.bin'),
        ],
        asked: socketPath,
      });
      image.place = this.#pool.add(socketPath);
      return child;
    };
    const onEnd = () => {
      void this.#pool.remove(image.place);
      rmSync(image.place.socketPath, { force: true });
    };
    image.kept = await new KeptProcess({ start, onEnd, fail: this.#fail }).begin();
    return image;
  }

  get #rpcSocket() {
    return join(this.#paths.sockets, 'counter');
  }
}

/** Lets a process end by itself, or ends it. */
async function ended(kept) {
  const timer = setTimeout(() => void kept.stop('SIGKILL'), ENDING_MS);
  await kept.stop('SIGTERM');
  clearTimeout(timer);
}
