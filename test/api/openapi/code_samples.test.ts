import { describe, expect, it } from 'vitest';
import { codeSamples } from '../../../src/api/openapi/code_samples.ts';
import { openApiDocument } from '../../../src/api/openapi/document.ts';
import type { Operation } from '../../../src/api/openapi/operation.ts';

const ORIGIN = 'https://service.test';

const operations = Object.entries(openApiDocument(ORIGIN).paths).flatMap(([path, item]) =>
  ['get', 'post', 'patch', 'delete'].flatMap((method) => {
    const operation = item[method] as Operation | undefined;
    return operation ? [{ path, method, operation, samples: samplesOf(operation) }] : [];
  }),
);

function samplesOf(operation: Operation): { label: string; source: string }[] {
  return (operation['x-codeSamples'] ?? []) as { label: string; source: string }[];
}

describe('code samples', () => {
  it('are there for every operation but pages, descriptions and figures', () => {
    const without = operations.filter(({ samples }) => samples.length === 0);
    const others = without.filter(({ operation }) => !operation.tags.includes('Pages'));
    expect(
      others.map(({ path }) => path),
      'a new operation has its curl line in src/api/openapi/code_samples.ts',
    ).toEqual(['/metrics', '/openapi.json', '/v1/tools.json']);
  });

  it.each(operations.filter(({ samples }) => samples.length > 0))(
    'of $method $path make that call, and tell of refusals',
    ({ path, method, operation, samples }) => {
      const [{ label, source }] = samples as [{ label: string; source: string }];
      expect(label).toBe('curl');
      const [, address] = /^curl -sS --fail-with-body (\S+)/.exec(source)!;
      expect(address).toBe(ORIGIN + path.replace('{key_id}', 'key_0123456789abcdef01234567'));
      const sent = /-X (\w+)/.exec(source)?.[1] ?? (/ -(?:F|d) /.test(source) ? 'POST' : 'GET');
      expect(sent.toLowerCase()).toBe(method);
      const security = JSON.stringify(operation.security);
      const variable = /Bearer \$(\w+)/.exec(source)?.[1];
      const expected = security.includes('adminToken')
        ? 'ADMIN_TOKEN'
        : security.includes('apiKey')
          ? 'IMAGE_SANITIZER_KEY'
          : undefined;
      expect(variable).toBe(expected);
    },
  );

  it('name an example where the deployment does not know its origin', () => {
    expect(codeSamples('getHealth', '')[0]!.source).toContain('https://sanitizer.example/v1/health');
  });
});
