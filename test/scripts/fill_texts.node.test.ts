import { describe, expect, it } from 'vitest';
import { fillTexts } from '../../scripts/playground/fill_texts.mjs';

describe('the document of the page', () => {
  const texts = { a: 'Fish & <chips>', 'b.c': 'Say "it"', many: { one: '1', other: '2' } };

  it('gets the texts that its elements name', () => {
    expect(fillTexts('<p id="x" hidden>{{a}}</p>', texts)).toBe(
      '<p id="x" hidden data-text="a">Fish &amp; &lt;chips></p>',
    );
    expect(fillTexts('<img alt="{{b.c}}" title="{{a}}"><nav aria-label="{{a}}">', texts)).toBe(
      '<img alt="Say &quot;it&quot;" data-alt="b.c" title="Fish &amp; &lt;chips>" data-title="a"><nav aria-label="Fish &amp; &lt;chips>" data-label="a">',
    );
  });

  it('is not built with a text that there is not, one with plurals, or half a content', () => {
    expect(() => fillTexts('<p>{{missing}}</p>', texts)).toThrow('missing');
    expect(() => fillTexts('<p aria-label="{{many}}"></p>', texts)).toThrow('many');
    expect(() => fillTexts('<p>{{a}} and more</p>', texts)).toThrow('no whole content');
  });
});
