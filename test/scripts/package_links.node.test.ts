import { describe, expect, it } from 'vitest';
import { linkFromPackage } from '../../scripts/package/links.mjs';

const packed = ['README.md', 'docs/library.md', 'docs/page.webp', 'built'];
const addressOf = (path: string) => `https://git.example/${path}`;
const linked = (
  text: string,
  path = 'docs/library.md',
  of: typeof addressOf | (() => undefined) = addressOf,
) => linkFromPackage(text, path, packed, of);

describe('links of a document in the package', () => {
  it.each([
    '[a](../README.md#ops), [b](library.md), [c](#here), [d](../built/index.js)',
    '![p](page.webp)',
    '[a](https://other.example/none.md) and <https://other.example>',
    '`[code](none.md)`\n\n```md\n[code](none.md)\n```\n\n[label]: ../README.md',
  ])('stay where they lead somewhere: %j', (text) => {
    expect(linked(text)).toBe(text);
  });

  it('become addresses where the repository has one', () => {
    expect(linked('See [*the* faces](faces.md#is-it), [more](../MORE.md).')).toBe(
      'See [*the* faces](https://git.example/docs/faces.md#is-it), [more](https://git.example/MORE.md).',
    );
  });

  it('become text that names the file where it has none', () => {
    const text = '- [Faces](docs/faces.md#is-it), [docs/api.md](docs/api.md)\n- [two\n  lines](test/)';
    expect(linked(text, 'README.md', () => undefined)).toBe(
      '- Faces (docs/faces.md), docs/api.md\n- two\n  lines (test/)',
    );
  });

  it.each(['![p](none.webp)', '[a][b]\n\n[b]: none.md'])('are refused in other forms: %j', (text) => {
    expect(() => linked(text)).toThrow(/^docs\/library\.md shows or defines none\.\w+, which is not in/);
  });
});
