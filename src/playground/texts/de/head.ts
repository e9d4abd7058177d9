import type { head as english } from '../en/head.ts';
import type { TextsOf } from '../en.ts';

export const head: TextsOf<typeof english> = {
  skip: 'Zum Foto springen',
  title: 'Bildreiniger',
  'app.short': 'Bildreiniger',
  'app.description':
    'Sehen, was ein Foto verrät, wählen, was verborgen wird, und eine saubere Datei mit Nachweis erhalten. Auf Ihrem Gerät.',
  'nav.label': 'Dienst',
  'nav.api': 'API',
  'nav.service': 'Wo Fotos gereinigt werden',
  'nav.keyInUse': 'API-Schlüssel aktiv',
  language: 'Sprache',
  noScript: 'Diese Seite braucht JavaScript. Der Dienst nicht: siehe',
};
