import { defaultMemoryBudget } from './default_budget.ts';
import { ImageError } from './image_error.ts';

/**
 * The bytes of a call's memory budget.
 * @throws ImageError 'invalid_ops' for anything but a whole number above 0
 */
export function budgetBytes(bytes = defaultMemoryBudget()): number {
  if (Number.isSafeInteger(bytes) && bytes > 0) return bytes;
  const message = `Expected a whole number of bytes above 0 but received ${bytes}`;
  throw new ImageError('invalid_ops', `memoryBudget: ${message}`, [
    { path: 'memoryBudget', message, code: 'invalid_type' },
  ]);
}
