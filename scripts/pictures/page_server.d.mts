export function servePage(): Promise<{ readonly origin: string; stop(): void }>;
