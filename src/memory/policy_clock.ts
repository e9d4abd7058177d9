/** The most that one `read` can add to `turning`. */
const LONGEST_TURN_MS = 500;

/** The two times of the budget's clock, in milliseconds since it was made. */
export interface Times {
  /** Real time: for deadlines of waiting calls. */
  readonly wall: number;
  /**
   * The time during which the event loop went round. A codec that can't give way stops the loop, and with it
   * all uploads and answers, which must not count against them. So a longer standstill counts as half a
   * second here.
   */
  readonly turning: number;
}

/** The budget's clock. It never runs backwards. */
export class PolicyClock {
  readonly #now: () => number;
  #last: number;
  #times: Times = { wall: 0, turning: 0 };

  /** @param now the time in milliseconds from any start */
  constructor(now: () => number) {
    this.#now = now;
    this.#last = now();
  }

  read(): Times {
    const passed = this.#now() - this.#last;
    if (passed > 0) {
      const { wall, turning } = this.#times;
      this.#last += passed;
      this.#times = { wall: wall + passed, turning: turning + Math.min(passed, LONGEST_TURN_MS) };
    }
    return this.#times;
  }
}
