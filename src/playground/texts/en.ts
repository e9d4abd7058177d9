import { sentenceTexts as sentences } from '../../metadata/values/sentence_texts.ts';
import { errors } from './en/errors.ts';
import { faces } from './en/faces.ts';
import { findings } from './en/findings.ts';
import { head } from './en/head.ts';
import { intake } from './en/intake.ts';
import { photos } from './en/photos.ts';
import { result } from './en/result.ts';
import { service } from './en/service.ts';
import { settings } from './en/settings.ts';
import { stage } from './en/stage.ts';
import { work } from './en/work.ts';

/**
 * Every text of the page, in English: the language that the document is built with. Each part of the page is
 * a file; other languages have the same files. `{name}` is replaced; a text with a `{count}` has a form for
 * each plural of its language (CLDR plural rules, Unicode TR 35). index.html names its texts as `{{name}}`,
 * each the whole content of an element or attribute.
 */
export const en = {
  ...sentences,
  ...head,
  ...service,
  ...intake,
  ...photos,
  ...stage,
  ...faces,
  ...settings,
  ...work,
  ...findings,
  ...result,
  ...errors,
} as const;

export type TextKey = keyof typeof en;

/** A form for each plural category that the language has (CLDR plural rules). */
export type Plural = { readonly other: string } & {
  readonly [category in Exclude<Intl.LDMLPluralRule, 'other'>]?: string;
};

/** The texts of a part of the page, or all of them, in any language. */
export type TextsOf<English> = {
  readonly [key in keyof English]: English[key] extends string ? string : Plural;
};
export type Texts = TextsOf<typeof en>;
