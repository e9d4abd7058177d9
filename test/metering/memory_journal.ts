import type {
  AdmittedCall,
  Journal,
  MeterState,
  MonthCount,
  Refund,
  TriedContent,
  Try,
} from '../../src/metering/journal.ts';

/** A journal in memory; `state()` is what a meter would load after an eviction. */
export class MemoryJournal implements Journal {
  readonly #calls = new Map<number, AdmittedCall>();
  readonly #refunds = new Map<number, Refund>();
  readonly #months = new Map<number, MonthCount>();
  readonly #days = new Map<number, MonthCount>();
  #revokedAt: number | null = null;

  putCall(call: AdmittedCall): void {
    this.#calls.set(call.id, call);
  }
  deleteCall(id: number): void {
    this.#calls.delete(id);
  }
  putRefund(id: number, refund: Refund): void {
    this.#refunds.set(id, refund);
  }
  deleteRefund(id: number): void {
    this.#refunds.delete(id);
  }
  putMonth(month: number, count: MonthCount): void {
    this.#months.set(month, count);
  }
  deleteMonth(month: number): void {
    this.#months.delete(month);
  }
  putDay(day: number, mark: MonthCount): void {
    this.#days.set(day, mark);
  }
  deleteDay(day: number): void {
    this.#days.delete(day);
  }
  putRevocation(at: number): void {
    this.#revokedAt = at;
  }

  readonly #tries = new Map<number, Try>();
  putTry(each: Try): void {
    this.#tries.set(each.id, each);
  }
  deleteTry(id: number): void {
    this.#tries.delete(id);
  }
  deleteTriesUntil(at: number): void {
    for (const each of this.#tries.values()) if (each.at <= at) this.#tries.delete(each.id);
    for (const each of this.#contents.values()) if (each.at <= at) this.#contents.delete(each.hash);
  }

  moveTriesBackTo(at: number): void {
    const inTime = <Each extends { readonly at: number }>(each: Each) => ({
      ...each,
      at: Math.min(at, each.at),
    });
    for (const each of this.#tries.values()) this.#tries.set(each.id, inTime(each));
    for (const each of this.#contents.values()) this.#contents.set(each.hash, inTime(each));
  }

  readonly #contents = new Map<number, TriedContent>();
  putContent(content: TriedContent): void {
    this.#contents.set(content.hash, content);
  }
  deleteContent(hash: number): void {
    this.#contents.delete(hash);
  }
  findContent(hash: number): TriedContent | undefined {
    return this.#contents.get(hash);
  }
  findTry(id: number): Try | undefined {
    return this.#tries.get(id);
  }
  findTries(hash: number): Try[] {
    const found = [...this.#tries.values()].filter((each) => each.hash === hash);
    return found.sort((a, b) => a.at - b.at || a.id - b.id);
  }
  oldestTry(): number | null {
    const times = [...this.#tries.values()].map(({ at }) => at);
    return times.length > 0 ? Math.min(...times) : null;
  }
  newestTry(): number | null {
    const times = [...this.#tries.values()].map(({ at }) => at);
    return times.length > 0 ? Math.max(...times) : null;
  }

  /** A copy with the calls in reverse order, since a database guarantees no order. */
  state(): MeterState {
    return structuredClone({
      calls: [...this.#calls.values()].reverse(),
      refunds: this.#refunds,
      months: this.#months,
      days: this.#days,
      revokedAt: this.#revokedAt,
    });
  }
}
