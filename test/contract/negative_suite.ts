import { describe, expect, test } from 'vitest';
import { callService } from '../fixtures/service.ts';
import { invalidValues } from './invalid.ts';
import { follow, image, post, refusals, schemaOf, valid, validator } from './negative_requests.ts';

/**
 * Every operation refuses JSON that its schema does not allow: `runs` samples of each kind of invalid value.
 */
export function refusesWrongJson(runs: number): void {
  describe.each(Object.keys(valid))('POST %s', (path) => {
    const schema = schemaOf(path);

    test('refuses JSON its schema does not allow', { timeout: 120_000 }, async () => {
      const ways = invalidValues(schema, valid[path], follow);
      const send = (value: unknown) => post(path, JSON.stringify(value), 'application/json');
      const sent = await refusals(ways, validator(schema), send, runs);
      expect(sent).toBeGreaterThan((runs * ways.length) / 2);
    });
  });
}

/** The other forms of a body share the validation of JSON. */
export function refusesWrongOps(runs: number): void {
  describe.each(['/v1/sanitize', '/v1/detect'])('POST %s', (path) => {
    const opsSchema = follow(schemaOf(path).properties!.ops!);
    const { ops: validOps } = valid[path] as { ops: object };
    const ways = invalidValues(opsSchema, validOps, follow);

    test('refuses invalid ops in the query', { timeout: 120_000 }, async () => {
      const inQuery = (value: unknown) =>
        post(path, image, 'image/png', `?ops=${encodeURIComponent(JSON.stringify(value))}`);
      await refusals(ways, validator(opsSchema), inQuery, runs);
    });

    test('refuses invalid ops in a form', { timeout: 120_000 }, async () => {
      const inForm = (value: unknown) => {
        const body = new FormData();
        body.set('image', new File([image], 'photo'));
        body.set('ops', JSON.stringify(value));
        return callService(path, { method: 'POST', body });
      };
      await refusals(ways, validator(opsSchema), inForm, runs);
    });
  });
}
