/**
 * What the clients know of the calls of each key. A call that was answered 200 has to be counted once. Of one
 * that nobody answered, because the server was killed or the client left, nobody knows whether it is.
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
   * So many calls of the key may have been begun and were not answered.
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
