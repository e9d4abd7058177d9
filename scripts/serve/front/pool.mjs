/**
 * @typedef {object} Place
 * @property {string} socketPath where the process listens
 * @property {number} calls that it has now
 * @property {number} large calls among these
 * @property {number} turn when it last got a call
 * @property {() => void} [emptied] is told when its last call has ended; set once no new ones come
 */

/** The processes that calls can go to. Whoever asks while none is there waits. */
export class Pool {
  /** @type {Set<Place>} */
  #places = new Set();
  #turn = 0;
  /** @type {Set<() => void>} */
  #waiting = new Set();
  #isPaused = false;

  /** Those that take calls now. */
  get open() {
    return [...this.#places];
  }

  /** @param {string} socketPath */
  add(socketPath) {
    const place = { socketPath, calls: 0, large: 0, turn: 0 };
    this.#places.add(place);
    this.#wake();
    return place;
  }

  /**
   * Sends no further calls there: of a process that has ended, or is about to.
   * @param {Place} place
   * @returns {Promise<void>} resolves when no call is left
   */
  remove(place) {
    this.#places.delete(place);
    return new Promise((emptied) => {
      if (place.calls === 0) emptied();
      else place.emptied = emptied;
    });
  }

  /** Lets new calls wait, such as while the counting process starts anew. */
  pause() {
    this.#isPaused = true;
  }

  goOn() {
    this.#isPaused = false;
    this.#wake();
  }

  /**
   * A place for one call: of the processes with the fewest calls, the one that has had none for longest.
   * Large calls leave one process to the others, if there are several.
   * @param {boolean} isLarge
   * @returns {{ socketPath: string, leave: () => void } | undefined} `leave` is to be called once; undefined
   * if no process takes calls now
   */
  take(isLarge) {
    if (this.#isPaused || this.#places.size === 0) return undefined;
    const place = this.#choose(isLarge);
    place.calls++;
    place.large += Number(isLarge);
    place.turn = ++this.#turn;
    return {
      socketPath: place.socketPath,
      leave() {
        place.calls--;
        place.large -= Number(isLarge);
        if (place.calls === 0) place.emptied?.();
      },
    };
  }

  /** As `take`, but waits for so long until a process takes calls, or the signal comes. */
  async takeLater(isLarge, signal, milliseconds) {
    const until = performance.now() + milliseconds;
    for (let left = milliseconds; left > 0 && !signal.aborted; left = until - performance.now()) {
      await this.#change(signal, left);
      const place = this.take(isLarge);
      if (place) return place;
    }
    return undefined;
  }

  /** @returns {Place} */
  #choose(isLarge) {
    const places = this.open;
    const taken = places.filter(({ large }) => large > 0);
    const choice = isLarge && places.length > 1 && taken.length === places.length - 1 ? taken : places;
    return choice.reduce((best, place) =>
      place.calls < best.calls || (place.calls === best.calls && place.turn < best.turn) ? place : best,
    );
  }

  /** Resolves when there may be a place, the signal comes, or the time is over. */
  #change(signal, milliseconds) {
    return new Promise((changed) => {
      const done = () => {
        clearTimeout(timer);
        this.#waiting.delete(done);
        signal.removeEventListener('abort', done);
        changed();
      };
      const timer = setTimeout(done, milliseconds);
      this.#waiting.add(done);
      signal.addEventListener('abort', done);
    });
  }

  #wake() {
    for (const done of [...this.#waiting]) done();
  }
}
