import type { faces as english } from '../en/faces.ts';
import type { TextsOf } from '../en.ts';

export const faces: TextsOf<typeof english> = {
  'faces.list': 'Gefundene Gesichter',
  'face.name': 'Gesicht {number}',
  'face.label': 'Gesicht {number} verbergen, Sicherheit {percent} %',
  'face.hidden': 'verborgen',
  'face.shown': 'sichtbar',
  'face.nowHidden': 'Gesicht verborgen.',
  'face.nowShown': 'Gesicht bleibt sichtbar.',
  'face.asFound': 'Der Rahmen ist wieder wie gefunden.',
  'spots.title': 'Vielleicht ein Gesicht · antippen verbirgt',
  'spot.name': 'Antippen',
  'spot.label': 'Antippen, um zu verbergen: Stelle {number}, Sicherheit {percent} %',
  'spot.nowHidden': 'Auch diese Stelle wird verborgen.',
  'spot.nowShown': 'Die Stelle bleibt, wie sie ist.',
  'second.title': 'Eine zweite Suche hat auch dies verborgen. Tippen Sie an, was bleiben soll, wie es ist.',
  'second.name': 'Stelle +{number}',
  'thing.text': 'Text {number}',
  'thing.plate': 'Kennzeichen {number}',
  'thing.other': '{name} {number}',
  'thing.label': 'Verbergen: {thing}, Sicherheit {percent} %',
  'thing.nowHidden': 'Verborgen.',
  'thing.nowShown': 'Bleibt sichtbar.',
  'thing.allHidden': 'Alles verborgen.',
  'thing.allShown': 'Alles bleibt sichtbar.',
  'things.text': 'Aller Text: {hidden} von {count} verborgen',
  'things.plate': 'Alle Kennzeichen: {hidden} von {count} verborgen',
  'things.other': '{name}, alle: {hidden} von {count} verborgen',
  'things.more': '+ {count} auf dem Foto: dort antippen',
  'things.found': {
    one: '{count} Stelle mit Text oder Kennzeichen gefunden.',
    other: '{count} Stellen mit Text oder Kennzeichen gefunden.',
  },
  'things.later': 'Text und Kennzeichen werden beim Reinigen gefunden und abgedeckt.',
  'things.noText': 'Kein Text gefunden: Zeichnen Sie über das, was übersehen wurde.',
  'things.noPlate': 'Keine Kennzeichen gefunden: Zeichnen Sie über das, was übersehen wurde.',
  'faces.off': 'Gesichter bleiben, wie sie sind.',
  'faces.later':
    'Sie werden beim Reinigen gefunden und verborgen. Um unter ihnen zu wählen, suchen Sie sie vorher.',
  'faces.none':
    'Keine Gesichter gefunden. Die Suche kann welche übersehen: Zeichnen Sie über das, was sie übersehen hat.',
  'faces.allHidden': {
    one: '{count} Gesicht gefunden und verborgen.',
    other: '{count} Gesichter gefunden, alle verborgen.',
  },
  'faces.someLeft': {
    one: '{count} Gesicht gefunden, {hidden} verborgen, {left} bleibt.',
    other: '{count} Gesichter gefunden, {hidden} verborgen, {left} bleiben, wie sie sind.',
  },
  'faces.oneLeft': {
    one: '{count} Gesicht gefunden, {hidden} verborgen, 1 bleibt, wie es ist.',
    other: '{count} Gesichter gefunden, {hidden} verborgen, 1 bleibt, wie es ist.',
  },
  'faces.found': { one: '{count} Gesicht gefunden.', other: '{count} Gesichter gefunden.' },
};
