export const SECRETS: Readonly<Record<string, string>>;
export const SETTINGS: readonly string[];
export function startFaults(environment: Readonly<Record<string, string | undefined>>): string[];
