/** Bytes that calls share where they name no figure of their own: enough for AVIF of 12 megapixels. */
export const DEFAULT_MEMORY_BUDGET = 512 * 1024 * 1024;
