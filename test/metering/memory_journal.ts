import type { Journal, MeterState, MonthCount, Place } from '../../src/metering/journal.ts';

/** A journal that keeps what it is told and nothing else; `state()` is what an eviction would leave. */
export class MemoryJournal implements Journal {
  readonly #places = new Map<number, Place>();
  readonly #returns = new Map<number, number>();
  readonly #months = new Map<number, MonthCount>();
  #revokedAt: number | null = null;

  putPlace(place: Place): void {
    this.#places.set(place.id, place);
  }
  dropPlace(id: number): void {
    this.#places.delete(id);
  }
  putReturn(id: number, at: number): void {
    this.#returns.set(id, at);
  }
  dropReturn(id: number): void {
    this.#returns.delete(id);
  }
  putMonth(month: number, count: MonthCount): void {
    this.#months.set(month, count);
  }
  dropMonth(month: number): void {
    this.#months.delete(month);
  }
  putRevoked(at: number): void {
    this.#revokedAt = at;
  }

  /** A copy, in no particular order (reversed), as a database would be free to give it. */
  state(): MeterState {
    return structuredClone({
      places: [...this.#places.values()].reverse(),
      returns: this.#returns,
      months: this.#months,
      revokedAt: this.#revokedAt,
    });
  }
}
