import type { Progress } from '../library/worker.ts';

/** The share that face detection has in cleaning a file: it takes most of the time. */
export const SEARCH_SHARE = 0.7;

interface WorkedOn {
  readonly isSearched: boolean;
  /** 0 to 1 */
  readonly share: number;
}

/** The progress of the files in progress. */
export class Underway {
  readonly #files = new Map<object, WorkedOn>();
  readonly #searchShare: number;

  /** @param searchShare share of face detection in a file's work, if it takes place */
  constructor(searchShare: number) {
    this.#searchShare = searchShare;
  }

  /** The completed part as a number of files: for three half-done files it is 1.5. */
  get files(): number {
    let sum = 0;
    for (const { share } of this.#files.values()) sum += share;
    return sum;
  }

  /** @param file any object that identifies the file */
  tell(file: object, { phase, share }: Progress): void {
    const isSearched = phase === 'detecting' || this.#files.get(file)?.isSearched === true;
    const before = isSearched && phase === 'encoding' ? this.#searchShare : 0;
    const part = !isSearched ? 1 : phase === 'detecting' ? this.#searchShare : 1 - this.#searchShare;
    this.#files.set(file, { isSearched, share: before + part * share });
  }

  /** Removes a file that is done, refused or given up. */
  end(file: object): void {
    this.#files.delete(file);
  }
}
