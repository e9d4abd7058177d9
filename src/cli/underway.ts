import type { Progress } from '../library/worker.ts';

/** Of a file's cleaning, the search for faces where there is one: it takes most of the time. */
export const SEARCH_SHARE = 0.7;

interface WorkedOn {
  readonly isSearched: boolean;
  /** 0 to 1 */
  readonly share: number;
}

/** How far the files are that are worked on now. */
export class Underway {
  readonly #files = new Map<object, WorkedOn>();
  readonly #searchShare: number;

  /** @param searchShare of a file's work, the search for faces where there is one */
  constructor(searchShare: number) {
    this.#searchShare = searchShare;
  }

  /** What is done of them, in files: of three, each at its half, 1.5. */
  get files(): number {
    let sum = 0;
    for (const { share } of this.#files.values()) sum += share;
    return sum;
  }

  /** @param file whatever stands for it */
  tell(file: object, { phase, share }: Progress): void {
    const isSearched = phase === 'detecting' || this.#files.get(file)?.isSearched === true;
    const before = isSearched && phase === 'encoding' ? this.#searchShare : 0;
    const part = !isSearched ? 1 : phase === 'detecting' ? this.#searchShare : 1 - this.#searchShare;
    this.#files.set(file, { isSearched, share: before + part * share });
  }

  /** It is done, refused or given up. */
  end(file: object): void {
    this.#files.delete(file);
  }
}
