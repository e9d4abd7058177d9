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
