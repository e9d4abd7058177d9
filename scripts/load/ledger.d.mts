export interface Check {
  answered: number;
  counted: number;
  lost: number;
  doubled: number;
}
export class Ledger {
  statuses: Map<number, number>;
  unanswered: number;
  get keys(): string[];
  add(key: string): void;
  answered(key: string | null, status: number): void;
  unknown(key: string, calls: number): void;
  check(countedCalls: (key: string) => Promise<number>): Promise<Check>;
}
