import { expect, it } from 'vitest';
import { openApiDocument } from '../../../src/api/openapi/document.ts';

type Schema = Record<string, unknown> & { properties: Record<string, Schema> };

/** Of sanitize and detect what ops may say of further detectors; and what detect's `kinds` may name. */
function described(detectors: Parameters<typeof openApiDocument>[1]) {
  const { schemas } = openApiDocument('', detectors).components;
  const { SanitizeOps, DetectOps } = schemas as Record<string, Schema>;
  const members = [SanitizeOps!.properties.pixelate!.properties.detectors!, DetectOps!.properties.detectors!];
  return { members, kinds: (DetectOps!.properties.kinds!.items as { enum: string[] }).enum };
}

it('ops of a deployment take its own detectors and no others', () => {
  const { members, kinds } = described([{ name: 'plates', kinds: ['plate', 'sign'] }]);
  expect(kinds).toEqual(['face', 'plate', 'text', 'plates']);
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

it('ops of a deployment without detectors take none: strangers were told of any name', () => {
  const { members, kinds } = described([]);
  expect(kinds).toEqual(['face', 'plate', 'text']);
  for (const { type, properties, propertyNames, additionalProperties, description } of members) {
    expect([type, properties, propertyNames, additionalProperties]).toEqual(['object', {}, undefined, false]);
    expect(description).toContain('there are none here');
  }
});
