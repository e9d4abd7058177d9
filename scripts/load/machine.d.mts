/** See machine.mjs. */
export function smallDisk(folder: string): { fill(): void; free(): void; unmount(): void } | undefined;
