import { expect, test } from 'vitest';
import { wantsProblem } from '../../../src/api/answers/problem_details.ts';

test.each([
  [undefined, false],
  ['', false],
  ['*/*', false],
  ['application/*', false],
  ['application/json', false],
  ['application/problem+xml', false],
  ['application/problem+json', true],
  ['Application/Problem+JSON; q=0.3', true],
  ['application/problem+json;q=0', false],
  ['application/problem+json, */*', true],
  ['application/json, application/problem+json', true],
  ['application/json;q=0.9, application/problem+json;q=0.8', false],
  ['application/json;q=0.8, application/problem+json;q=0.9', true],
  ['*/*, application/problem+json;q=0.5', false],
  ['*/*, application/json;q=0.4, application/problem+json;q=0.5', true],
  ['image/webp, application/*;q=0.2, application/problem+json;q=0.5', true],
])('%s asks for problem details: %s', (accept, expected) => {
  expect(wantsProblem(accept)).toBe(expected);
});
