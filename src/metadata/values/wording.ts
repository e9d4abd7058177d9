import { type SentenceTextKey, sentenceTexts } from './sentence_texts.ts';

/** A day, or the known part of one. */
export interface SpokenDate {
  readonly year: number;
  /** 1 to 12, and 1 to 31. */
  readonly month?: number | undefined;
  readonly day?: number | undefined;
}

/** How a language expresses the sentences of sentences.ts. */
export interface Wording {
  /**
   * The text of this name (sentence_texts.ts).
   * @param values for its placeholders; `count` chooses the plural
   */
  say(key: SentenceTextKey, values?: Readonly<Record<string, string | number>>): string;
  /** "a, b and c" */
  list(items: readonly string[]): string;
  /** @param digits after the decimal sign */
  number(value: number, digits: number): string;
  date(date: SpokenDate): string;
}

/** A date as a locale writes it in words: "31 May 2024", "May 2024", "2024". @param locale BCP 47 */
export function spokenDate({ year, month, day }: SpokenDate, locale: string): string {
  const moment = new Date(0);
  // Elsewhere, years below 100 mean the twentieth century.
  moment.setUTCFullYear(year, (month ?? 1) - 1, day ?? 1);
  return new Intl.DateTimeFormat(locale, {
    timeZone: 'UTC',
    year: 'numeric',
    ...(month !== undefined && { month: 'long' }),
    ...(day !== undefined && { day: 'numeric' }),
  }).format(moment);
}

const plurals = new Intl.PluralRules('en');
const lists = new Intl.ListFormat('en-GB', { type: 'conjunction' });

export const english: Wording = {
  say(key, values = {}) {
    const text = sentenceTexts[key];
    const isOne = plurals.select(Number(values.count)) === 'one';
    const form = typeof text === 'string' ? text : text[isOne ? 'one' : 'other'];
    return form.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''));
  },
  list: (items) => lists.format(items),
  number: (value, digits) => value.toFixed(digits),
  date: (date) => spokenDate(date, 'en-GB'),
};
