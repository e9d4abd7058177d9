import { byId, el } from './dom.ts';
import type { Store } from './state.ts';
import type { TextKey } from './texts/en.ts';
import { currentLanguage, type Language, languageFrom, languages, setLanguage, t } from './texts.ts';

/** Storage key of the language on this device, once a person has chosen it. */
const STORAGE_KEY = 'image-sanitizer-language';

/** Attributes whose text elements of the document name in a data attribute. */
const attributes = { label: 'aria-label', title: 'title', alt: 'alt', placeholder: 'placeholder' } as const;

/** Local storage; null if the browser blocks it. */
function storage(): Storage | null {
  try {
    return localStorage;
  } catch {
    return null;
  }
}

/** Uses the language chosen on this device, or else the first of the person's languages that the page has. */
export function startLanguage(store: Store): void {
  const chosen = storage()?.getItem(STORAGE_KEY);
  const language = languageFrom([...(chosen ? [chosen] : []), ...navigator.languages]);
  // Until its texts are loaded, and if that fails, the page stays in English, as it was built.
  if (language !== 'en') void speak(language, store).catch(() => undefined);
}

async function speak(language: Language, store: Store): Promise<void> {
  await setLanguage(language);
  byId<HTMLSelectElement>('language').value = language;
  translateDocument();
  store.scheduleRender();
}

/** Writes the texts of the document's elements in the current language; see texts/en.ts. */
function translateDocument(): void {
  const language = currentLanguage();
  document.documentElement.lang = language;
  const manifest =
    language === 'en' ? '/manifest.webmanifest' : `/playground/manifest.${language}.webmanifest`;
  document.querySelector('link[rel="manifest"]')?.setAttribute('href', manifest);
  for (const link of document.querySelectorAll<HTMLAnchorElement>('[href^="/privacy"]'))
    link.setAttribute('href', `/privacy${link.hash.replace(/\w+$/, language)}`);
  // The document never names texts with placeholders.
  const text = (key: string | undefined) => t(key as 'title' & TextKey);
  for (const element of document.querySelectorAll<HTMLElement>('[data-text]')) {
    element.textContent = text(element.dataset.text);
  }
  for (const [name, attribute] of Object.entries(attributes)) {
    for (const element of document.querySelectorAll<HTMLElement>(`[data-${name}]`)) {
      element.setAttribute(attribute, text(element.dataset[name]));
    }
  }
}

/** The choice of language in the head of the page. */
export function showLanguageChoice(store: Store): void {
  const select = byId<HTMLSelectElement>('language');
  for (const [value, { name }] of Object.entries(languages)) {
    select.append(el('option', { value, lang: value, textContent: name }));
  }
  select.value = currentLanguage();
  select.hidden = false;
  select.addEventListener('change', () => {
    speak(select.value as Language, store).then(
      () => storage()?.setItem(STORAGE_KEY, currentLanguage()),
      () => {
        select.value = currentLanguage();
      },
    );
  });
}
