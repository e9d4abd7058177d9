import { expect, it } from 'vitest';
import { openApiDocument } from '../../../src/api/openapi/document.ts';

type Schema = Record<string, unknown> & { properties: Record<string, Schema> };

it('ops of a deployment take its own detectors and no others', () => {
  const { schemas } = openApiDocument('', [{ name: 'plates', kinds: ['plate', 'sign'] }]).components;
  const { SanitizeOps, DetectOps } = schemas as Record<string, Schema>;
  const members = [SanitizeOps!.properties.pixelate!.properties.detectors!, DetectOps!.properties.detectors!];
  for (const { properties, propertyNames, additionalProperties } of members) {
    expect(properties).toMatchObject({ plates: { type: ['boolean', 'object'] } });
    expect(properties.plates).toMatchObject({ description: 'Finds: plate, sign.' });
    expect([Object.keys(properties), propertyNames, additionalProperties]).toEqual([
      ['plates'],
      undefined,
      false,
    ]);
  }
});
