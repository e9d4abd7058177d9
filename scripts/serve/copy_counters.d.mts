export function copyCounters(data: string, to: string): { databases: number; bytes: number };
