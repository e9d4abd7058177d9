/** What of a runtime's storage its files have touched: they share the runtime, not the storage. */
export const storageUse = { begun: false };
