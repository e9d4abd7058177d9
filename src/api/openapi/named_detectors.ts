import type { JsonSchema } from '../json_schema.ts';
import type { NamedDetector } from '../tools.ts';

type Schemas = Record<string, JsonSchema>;
type Members = Record<string, JsonSchema & { properties: Schemas }>;

/**
 * Schemas of ops that take the detectors of this deployment alone: each is a member of its own.
 * @param schemas by their names; those of ops are changed
 */
export function withNamedDetectors(schemas: Schemas, detectors: readonly NamedDetector[]): Schemas {
  if (detectors.length === 0) return schemas;
  const { SanitizeOps, DetectOps } = schemas as Members;
  for (const properties of [SanitizeOps!.properties.pixelate!.properties as Schemas, DetectOps!.properties]) {
    const { additionalProperties: rule, propertyNames: _names, ...record } = properties.detectors!;
    properties.detectors = {
      ...record,
      properties: Object.fromEntries(
        detectors.map(({ name, kinds }) => [
          name,
          { ...(rule as JsonSchema), description: `Finds: ${kinds.join(', ')}.` },
        ]),
      ),
      additionalProperties: false,
    };
  }
  return schemas;
}
