import { spokenDate, type Wording } from '../metadata/values/wording.ts';
import { en, type Plural, type TextKey, type Texts } from './texts/en.ts';

/** Names of the placeholders in a text. */
type Names<S> = S extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;
type NamesOf<K extends TextKey> = K extends TextKey
  ? Names<(typeof en)[K] extends string ? (typeof en)[K] : (typeof en)[K][keyof (typeof en)[K]]>
  : never;
type Values<K extends TextKey> = [NamesOf<K>] extends [never]
  ? []
  : [values: Readonly<Record<NamesOf<K>, string | number>>];

/** The languages of the page: each with its own name, its locale for numbers and lists, and its texts. */
export const languages = {
  en: { name: 'English', locale: 'en-GB', load: (): Promise<Texts> => Promise.resolve(en) },
  de: { name: 'Deutsch', locale: 'de', load: async () => (await import('./texts/de.ts')).de },
} as const;

export type Language = keyof typeof languages;

/** The first of a person's languages that the page has; else English. @param wanted BCP 47 tags */
export function languageFrom(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const language = tag.toLowerCase().split('-')[0]!;
    if (Object.hasOwn(languages, language)) return language as Language;
  }
  return 'en';
}

let current: Language = 'en';
let texts: Texts = en;

export const currentLanguage = () => current;

/** @throws TypeError if its texts can't be loaded; the language then stays as it was */
export async function setLanguage(language: Language): Promise<void> {
  texts = await languages[language].load();
  current = language;
}

/**
 * A text of the page in the current language.
 * @param values for its placeholders; `count` chooses the plural
 */
export function t<K extends TextKey>(key: K, ...[values]: Values<K>): string {
  const { locale } = languages[current];
  const given: Readonly<Record<string, string | number>> = values ?? {};
  const text: string | Plural = texts[key];
  const form = typeof text === 'string' ? text : pluralForm(text, Number(given.count), locale);
  return form.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = given[name] ?? '';
    return typeof value === 'number' ? formatNumber(value) : value;
  });
}

function pluralForm(text: Plural, count: number, locale: string): string {
  return text[new Intl.PluralRules(locale).select(count)] ?? text.other;
}

/** By language and digits: creating one takes a hundred times as long as formatting a number with it. */
const numberFormats = new Map<string, Intl.NumberFormat>();

/**
 * A number in the form of the language, ungrouped. @param digits after the decimal sign; by default as many
 * as it has
 */
export function formatNumber(value: number, digits?: number): string {
  const name = `${current} ${digits}`;
  const known = numberFormats.get(name);
  if (known) return known.format(value);
  const made = new Intl.NumberFormat(languages[current].locale, {
    useGrouping: false,
    ...(digits === undefined
      ? { maximumFractionDigits: 3 }
      : { minimumFractionDigits: digits, maximumFractionDigits: digits }),
  });
  numberFormats.set(name, made);
  return made.format(value);
}

/** A country's name. @param code ISO 3166-1 alpha-2 */
export const countryName = (code: string) =>
  new Intl.DisplayNames(languages[current].locale, { type: 'region' }).of(code) ?? code;

/** The wording in which the language states what a file reveals. */
export const wording: Wording = {
  // The names of those texts exist here too; the type can't know which placeholders belong to which.
  say: (key, values = {}) =>
    // A degree sign and its direction stay on one line.
    t(key as 'said.nothing', ...([values] as unknown as [])).replaceAll('° ', '°\u00a0'),
  list: (items) => formatList(items),
  number: formatNumber,
  date: (date) => spokenDate(date, languages[current].locale),
};

/** "a", "a and b", "a, b and c" */
export const formatList = (items: readonly string[]) =>
  new Intl.ListFormat(languages[current].locale, { type: 'conjunction' }).format(items);
