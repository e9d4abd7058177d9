/** Controls the reading of a body by the memory and the time that are available. */
export interface ReadGate {
  /**
   * Called before every read.
   * @param bytes most bytes of the body that will have arrived after the read
   * @returns a promise to wait for until there is memory for them, if needed; rejects if there will be none
   */
  admit(bytes: number): Promise<void> | undefined;
  /** Called with the number of bytes that a read brought. */
  moved(bytes: number): void;
  /**
   * Counts work on received bytes, in its usual nanoseconds.
   * @returns if other jobs are due for a turn, a promise to wait for before going on
   */
  spend(nanoseconds: number): Promise<void> | undefined;
  /** Called several times a second during a long read. @throws to end the reading */
  requirePace(): void;
}

/** For bodies that need no shared memory. */
export const openGate: ReadGate = {
  admit: () => undefined,
  moved() {},
  spend: () => undefined,
  requirePace() {},
};
