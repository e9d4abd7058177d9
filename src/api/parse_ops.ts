import type * as z from 'zod/mini';
import type { DeployedDetectors } from '../detectors/deployed.ts';
import type { Issue } from '../ops/responses.ts';
import { validateOps } from '../ops/validate.ts';
import { ApiError } from './answers/errors.ts';
import type { Bindings } from './env.ts';

/** The parts of ops that may name additional detectors. */
interface DetectorOps {
  readonly detectors?: Readonly<Record<string, unknown>> | undefined;
  readonly pixelate?: Pick<DetectorOps, 'detectors'>;
}

/**
 * Validates the ops of a request and fills in defaults.
 * @param env with the additional detectors that may be named
 * @throws ApiError invalid_ops with one issue per problem
 */
export function parseOps<S extends z.core.$ZodType>(
  schema: S,
  value: unknown,
  env: Pick<Bindings, 'DETECTORS'>,
): z.output<S> {
  const result = validateOps(schema, value);
  const issues = result.ok ? strangeDetectors(result.ops as DetectorOps, env.DETECTORS) : result.issues;
  if (result.ok && issues.length === 0) return result.ops;
  const first = issues[0]!;
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more, see issues)` : '';
  throw new ApiError('invalid_ops', `${first.path || 'ops'}: ${first.message}${more}`, { issues });
}

/** Detectors named in ops that this deployment does not have. */
function strangeDetectors(
  { detectors, pixelate }: DetectorOps,
  { detectors: deployed }: Pick<DeployedDetectors, 'detectors'> = { detectors: [] },
): Issue[] {
  const path = pixelate ? 'pixelate.detectors' : 'detectors';
  const known = deployed.map(({ name }) => name);
  const expected = known.length > 0 ? `only the members ${known.join(', ')}` : 'no members';
  return Object.keys(pixelate?.detectors ?? detectors ?? {})
    .filter((name) => !known.includes(name))
    .map((name) => ({
      path: `${path}.${name}`,
      message: `Expected ${expected} but received ${JSON.stringify(name)}`,
      code: 'unrecognized_key',
    }));
}
