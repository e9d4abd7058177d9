import { expect, it } from 'vitest';
import { htmlOf, overviewOf } from '../../scripts/reference/overview.mjs';

it('descriptions become markup, and what they quote stays text', () => {
  expect(htmlOf('One `<a>` & **two**\nlines.\n\n## A title\n\n### not_found\n\n- first\n- second')).toBe(
    [
      '<p>One <code>&lt;a&gt;</code> &amp; <strong>two</strong>\nlines.</p>',
      '<h2>A title</h2>',
      '<h3 id="not_found">not_found</h3>',
      '<ul><li>first</li><li>second</li></ul>',
    ].join('\n'),
  );
});

it('the operations stand before the first chapter, without pages', () => {
  const operation = (operationId: string, tag: string) => ({ operationId, tags: [tag], summary: 'Do <it>' });
  const html = overviewOf({
    info: { title: 'A & B', description: 'What it is.\n\n## How' },
    paths: {
      '/v1/{a}': { parameters: [], post: operation('one', 'Images') },
      '/': { get: operation('two', 'Pages') },
    },
  });
  expect(html).toMatch(/^<h1>A &amp; B<\/h1>\n<p>What it is.<\/p>\n<table>.*\n<h2>How<\/h2>$/s);
  expect(html).toContain('<code>POST /v1/{a}</code></th><td>Do &lt;it&gt;</td>');
  expect(html.match(/<tr>/g)).toHaveLength(1);
});
