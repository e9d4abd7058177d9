/** Most steps that can be undone; older ones are dropped. */
const MAX_STEPS = 200;
/** Changes of the same kind by keyboard within this time, in milliseconds, are one step. */
const MERGE_MS = 1000;

/** Determines whether a change continues the previous step. */
export interface ChangeContext {
  /** What was changed: changes of one kind can be merged. Null is never merged by time. */
  readonly kind: string | null;
  /** The number of the current drag: all changes during one drag are one step. Null if no button is down. */
  readonly drag: number | null;
  /** Milliseconds of any clock. */
  readonly now: number;
}

/** Snapshots for undo and redo. They are compared as JSON, so they must hold plain data only. */
export class History<T> {
  #current: T;
  #past: T[] = [];
  #future: T[] = [];
  #last: ChangeContext | null = null;

  constructor(start: T) {
    this.#current = start;
  }

  get current(): T {
    return this.#current;
  }
  get canUndo(): boolean {
    return this.#past.some((step) => !isSame(step, this.#current));
  }
  get canRedo(): boolean {
    return this.#future.length > 0;
  }

  /** Records the current state. Does nothing if it has not changed. */
  record(snapshot: T, context: ChangeContext): void {
    if (isSame(snapshot, this.#current)) return;
    const last = this.#last;
    const isSameDrag = context.drag !== null && last?.drag === context.drag;
    const isSameKind =
      context.drag === null &&
      last !== null &&
      last.drag === null &&
      context.kind !== null &&
      last.kind === context.kind &&
      context.now - last.now <= MERGE_MS;
    if (!isSameDrag && !isSameKind) this.#past.push(this.#current);
    if (this.#past.length > MAX_STEPS) this.#past.shift();
    this.#future = [];
    this.#current = snapshot;
    this.#last = context;
  }

  /**
   * Replaces the current snapshot without a step, for changes that nobody made by hand.
   * @param update makes the same change to every other snapshot
   */
  amend(snapshot: T, update = (step: T) => step): void {
    this.#current = snapshot;
    this.#past = this.#past.map(update);
    this.#future = this.#future.map(update);
    this.#last = null;
  }

  /** The snapshot before the last step, which is now the current one; null if there is none. */
  undo(): T | null {
    return this.#move(this.#past, this.#future);
  }

  /** The snapshot after the step that was undone last; null if there is none. */
  redo(): T | null {
    return this.#move(this.#future, this.#past);
  }

  #move(from: T[], to: T[]): T | null {
    this.#last = null;
    // A drag that ended where it began left a step that changes nothing.
    let target = from.pop();
    while (target !== undefined && isSame(target, this.#current)) target = from.pop();
    if (target === undefined) return null;
    to.push(this.#current);
    this.#current = target;
    return target;
  }
}

const isSame = (a: unknown, b: unknown) => a === b || JSON.stringify(a) === JSON.stringify(b);
