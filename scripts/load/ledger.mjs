/**
 * What the clients know about the calls of each key. A call answered with 200 must be counted once. If a call
 * was not answered, because the server was killed or the client left, it is unknown whether it counts.
 */
export class Ledger {
  /** @type {Map<string, { answered: number, unknown: number }>} */
  #keys = new Map();
  /** @type {Map<number, number>} answers by status, of all calls */
  statuses = new Map();
  unanswered = 0;

  /** @param {string} key */
  add(key) {
    this.#keys.set(key, { answered: 0, unknown: 0 });
  }

  get keys() {
    return [...this.#keys.keys()];
  }

  /** @param {string | null} key of a metered call; null for any other @param {number} status */
  answered(key, status) {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    if (key !== null && status === 200) this.#keys.get(key).answered++;
  }

  /**
   * Records calls of the key that may have been started and were not answered.
   * @param {string} key
   * @param {number} calls
   */
  unknown(key, calls) {
    this.unanswered += calls;
    if (this.#keys.has(key)) this.#keys.get(key).unknown += calls;
  }

  /**
   * @param {(key: string) => Promise<number>} countedCalls
   * @returns {Promise<{ answered: number, counted: number, lost: number, doubled: number }>}
   */
  async check(countedCalls) {
    const sum = { answered: 0, counted: 0, lost: 0, doubled: 0 };
    for (const [key, { answered, unknown }] of this.#keys) {
      const counted = await countedCalls(key);
      sum.answered += answered;
      sum.counted += counted;
      sum.lost += Math.max(0, answered - counted);
      sum.doubled += Math.max(0, counted - answered - unknown);
    }
    return sum;
  }
}
