export function isCoreStale(root: string): boolean;
export function ensureCore(root?: string, build?: (root: string) => Promise<void>): Promise<boolean>;
export function buildCore(root?: string): Promise<void>;
