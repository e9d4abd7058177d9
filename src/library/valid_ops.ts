import type * as z from 'zod/mini';
import { validateOps } from '../ops/validate.ts';
import { ImageError } from './image_error.ts';

/** Ops with their defaults. @throws ImageError 'invalid_ops' with every problem */
export function validOps<S extends z.core.$ZodType>(schema: S, ops: unknown): z.output<S> {
  const valid = validateOps(schema, ops);
  if (valid.ok) return valid.ops;
  const [first] = valid.issues;
  throw new ImageError('invalid_ops', `${first?.path || 'ops'}: ${first?.message}`, valid.issues);
}
