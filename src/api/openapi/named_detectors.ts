import { OWN_KINDS } from '../../vocabulary/own_kinds.ts';
import type { JsonSchema } from '../json_schema.ts';
import type { NamedDetector } from '../tools.ts';

type Schemas = Record<string, JsonSchema>;
type Members = Record<string, JsonSchema & { properties: Schemas }>;

/**
 * Schemas of ops that accept only the detectors of this deployment, possibly none, each as a member.
 * @param schemas by their names; those of ops are changed in place
 */
export function withNamedDetectors(schemas: Schemas, detectors: readonly NamedDetector[]): Schemas {
  const names = detectors.map(({ name }) => name);
  const { SanitizeOps, DetectOps } = schemas as Members;
  const { kinds } = DetectOps!.properties;
  DetectOps!.properties.kinds = { ...kinds, items: { type: 'string', enum: [...OWN_KINDS, ...names] } };
  for (const properties of [SanitizeOps!.properties.pixelate!.properties as Schemas, DetectOps!.properties]) {
    const { additionalProperties: rule, propertyNames: _names, ...record } = properties.detectors!;
    properties.detectors = {
      ...record,
      ...(names.length === 0 && { description: 'Further detectors by their names: there are none here.' }),
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
