export const MOST_SILENT_SECONDS: number;
export function watch(
  runtime: {
    readonly answers: () => Promise<boolean>;
    readonly cpuSeconds: () => number;
    readonly end: () => void;
  },
  again?: (check: () => Promise<void>) => void,
): void;
export function answers(address: string): Promise<boolean>;
export function cpuSecondsOf(pid: number): number;
