import type * as z from 'zod';
import { validateOps } from '../ops/validate.ts';
import { ApiError } from './answers/errors.ts';

/**
 * Validates the ops of a request and fills in defaults.
 * @throws ApiError invalid_ops with one issue per problem
 */
export function parseOps<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = validateOps(schema, value);
  if (result.ok) return result.ops;
  const { issues } = result;
  const first = issues[0]!;
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more, see issues)` : '';
  throw new ApiError('invalid_ops', `${first.path || 'ops'}: ${first.message}${more}`, { issues });
}
