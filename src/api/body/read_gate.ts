/** What the memory for a body allows while the body is read. */
export interface ReadGate {
  /**
   * Called before every read.
   * @param bytes of the body that there will be at most when it is done
   * @returns what to wait for until there is memory for them; it rejects where there will be none
   */
  admit(bytes: number): Promise<void> | undefined;
  /** Told what a read brought. */
  moved(bytes: number): void;
  /**
   * Counts work on what has come, in the nanoseconds that it usually takes.
   * @returns where others are to have a turn, what to wait for before going on
   */
  spend(nanoseconds: number): Promise<void> | undefined;
  /** Called several times a second while a read takes long. @throws what the reading has to end with */
  requirePace(): void;
}

/** For bodies that need no memory of anybody's. */
export const openGate: ReadGate = {
  admit: () => undefined,
  moved() {},
  spend: () => undefined,
  requirePace() {},
};
