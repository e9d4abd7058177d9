import { expect, it } from 'vitest';
import { llmsText } from '../../../src/api/openapi/llms_text.ts';
import { TextsByOrigin } from '../../../src/api/openapi/texts_by_origin.ts';

it('are made once: every GET of /llms.txt, and each Host that a client made up, took milliseconds', () => {
  const made: string[] = [];
  const texts = new TextsByOrigin((origin: string, of: object) => {
    made.push(origin);
    return `${origin}/docs of ${Object.keys(of).join()} at ${origin}/`;
  });
  const [one, other] = [{ one: 1 }, { other: 1 }];
  for (let port = 1; port < 50; port++)
    expect(texts.text(`http://localhost:${port}`, one)).toBe(
      `http://localhost:${port}/docs of one at http://localhost:${port}/`,
    );
  for (let time = 0; time < 5; time++) expect(texts.text('', one)).toBe('/docs of one at /');
  expect(made).toHaveLength(2);
  expect(texts.text('', other)).toBe('/docs of other at /');
  expect(texts.text('https://service.test', other)).toBe(
    'https://service.test/docs of other at https://service.test/',
  );
});

it('are those that are made for the origin', () => {
  const texts = new TextsByOrigin(llmsText);
  for (const origin of ['', 'https://service.test', 'http://127.0.0.1:8787'])
    expect(texts.text(origin, undefined)).toBe(llmsText(origin));
});
