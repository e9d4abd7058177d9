/** Bytes that calls share where they name no figure of their own: room for several large photos at a time. */
export const DEFAULT_MEMORY_BUDGET = 512 * 1024 * 1024;
