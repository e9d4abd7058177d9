export function importMemory(module: Uint8Array, namespace: string): Uint8Array;
