import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { blockNameSchema, errorCodes } from '../../src/ops/responses.ts';
import { en, type Plural } from '../../src/playground/texts/en.ts';
import {
  formatList,
  formatNumber,
  languageFrom,
  languages,
  setLanguage,
  t,
} from '../../src/playground/texts.ts';

/** The forms of a text, by plural category. */
const formsOf = (text: string | Plural): Readonly<Record<string, string>> =>
  typeof text === 'string' ? { only: text } : text;

const placeholders = (form: string) => [...new Set(form.match(/\{\w+\}/g))].toSorted();

describe.each(Object.entries(languages))('the texts in %s', (_, { locale, load }) => {
  it('are those in English, with the same placeholders', async () => {
    const texts = await load();
    expect(Object.keys(texts)).toEqual(Object.keys(en));
    for (const [key, text] of Object.entries(texts)) {
      const original = placeholders(Object.values(formsOf(en[key as keyof typeof en])).join());
      for (const form of Object.values(formsOf(text))) {
        // A form may spell out its count.
        const given = new Set([...placeholders(form), '{count}']);
        expect(
          placeholders(form).filter((name) => !original.includes(name)),
          key,
        ).toEqual([]);
        expect(
          original.filter((name) => !given.has(name)),
          key,
        ).toEqual([]);
      }
    }
  });

  it('have a form for each plural of the language, and no empty one', async () => {
    const texts = await load();
    const categories = new Intl.PluralRules(locale).resolvedOptions().pluralCategories.toSorted();
    for (const [key, text] of Object.entries(texts)) {
      if (typeof text !== 'string') expect(Object.keys(text).toSorted(), key).toEqual(categories);
      // The only one that may be empty: the service's status is its rate limit.
      if (key !== 'service.status')
        for (const form of Object.values(formsOf(text))) expect(form.trim(), key).not.toBe('');
    }
  });
});

describe('texts', () => {
  afterEach(() => setLanguage('en'));

  it('exist for every block and every error', () => {
    for (const name of blockNameSchema.options) {
      for (const kind of ['block', 'inline', 'reveals']) expect(en).toHaveProperty([`${kind}.${name}`]);
    }
    for (const code of errorCodes) expect(en).toHaveProperty([`error.${code}`]);
  });

  it('are all used by the page', () => {
    const folder = 'src/playground';
    const code = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(ts|html|json)$/.test(name) && !name.startsWith('texts/'))
      .map((name) => `${folder}/${name}`)
      .concat('src/metadata/values/sentences.ts')
      .map((name) => readFileSync(name, 'utf8'))
      .join('\n');
    // Names that the code puts together: `job.${kind}`, and `${engine}.${place}`.
    const prefixes = [...code.matchAll(/`((?:[\w]+\.)+)\$\{/g)].map(([, prefix]) => prefix!);
    const unused = Object.keys(en).filter(
      (key) =>
        !code.includes(`'${key}'`) &&
        !code.includes(`{{${key}}}`) &&
        !/^(device|service)\./.test(key) &&
        !prefixes.some((prefix) => key.startsWith(prefix)),
    );
    expect(unused).toEqual([]);
  });

  it('are in the first language of a person that the page has', () => {
    expect(languageFrom(['fr-CA', 'de-AT', 'en-US'])).toBe('de');
    expect(languageFrom(['EN-us', 'de'])).toBe('en');
    expect(languageFrom(['fr', 'constructor'])).toBe('en');
    expect(languageFrom([])).toBe('en');
  });

  it('write numbers by a format that is made once: hundreds of boxes have one in their names', () => {
    const made = vi.spyOn(Intl, 'NumberFormat');
    for (let percent = 0; percent < 330; percent++) t('strength.value', { value: percent });
    expect(made.mock.calls.length).toBeLessThan(2);
    made.mockRestore();
  });

  it('write counts, numbers and lists as the language does', async () => {
    const said = () => [
      t('photos.count', { count: 1 }),
      t('photos.count', { count: 12_000 }),
      t('padding.value', { factor: 1.5 }),
      t('looked.at', { name: '{percent}' }),
      formatNumber(2, 1),
      ...[[], ['a'], ['a', 'b'], ['a', 'b', 'c']].map(formatList),
    ];
    expect(said()).toEqual([
      ...['1 photo', '12000 photos', '1.5 ×', '{percent} is being looked at.', '2.0'],
      ...['', 'a', 'a and b', 'a, b and c'],
    ]);
    await setLanguage('de');
    expect(said()).toEqual([
      ...['1 Foto', '12000 Fotos', '1,5 ×', '{percent} wird untersucht.', '2,0'],
      ...['', 'a', 'a und b', 'a, b und c'],
    ]);
  });
});
