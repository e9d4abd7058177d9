import type { result as english } from '../en/result.ts';
import type { TextsOf } from '../en.ts';

export const result: TextsOf<typeof english> = {
  'result.clean': 'Sauber',
  'result.notClean': 'Nicht sauber',
  'result.stale': 'Die Einstellungen wurden seither geändert. Noch einmal reinigen, um sie anzuwenden.',
  'result.sizes': '{change}, {width} × {height} Pixel',
  'result.save': 'Herunterladen',
  'result.download': '{format} herunterladen, {size}',
  'result.more': 'Mehr über diese Datei',
  'result.call': 'Für Entwickler: als Code',
  'result.announce': 'Das Foto ist sauber: {width} mal {height} Pixel, {size}. {said}',
  'result.another': 'Weiteres Foto reinigen',
  'share.share': 'Teilen',
  'share.copy': 'Bild kopieren',
  'share.shared': 'Geteilt.',
  'share.copied': 'Das saubere Bild wurde kopiert.',
  'share.refused': 'Der Browser hat es verweigert. Laden Sie die Datei stattdessen herunter.',
  'snippet.library': 'Bibliothek',
  'snippet.client': 'Client',
  copy: 'Kopieren',
  'copy.done': 'Kopiert',
  'copy.announce': 'Kopiert.',
  'copy.refused': 'Der Browser hat das Kopieren verweigert. Markieren und kopieren Sie den Code selbst.',
  'growth.longer': 'Die neue Datei ist größer als das Original.',
  'growth.quality': 'Noch einmal reinigen, mit Qualität {value}',
  'growth.webp': 'Noch einmal reinigen, als WebP',
  'size.same': 'so groß wie vorher',
  'size.smaller': '{percent} % kleiner',
  'size.larger': '{percent} % größer',
  'cost.charged': {
    one: 'Dieser Aufruf wurde berechnet; in dieser Minute noch {count} Aufruf von {limit}',
    other: 'Dieser Aufruf wurde berechnet; in dieser Minute noch {count} Aufrufe von {limit}',
  },
  'cost.free': {
    one: 'Dieser Aufruf war kostenlos; in dieser Minute noch {count} Aufruf von {limit}',
    other: 'Dieser Aufruf war kostenlos; in dieser Minute noch {count} Aufrufe von {limit}',
  },
  'cost.plain': '{call}.',
  'cost.month': '{call}; diesen Monat bisher: {cost}.',
  'report.removed': 'Entfernt: {blocks}.',
  'report.nothing': 'Es gab keine Metadaten zu entfernen.',
  'report.checked':
    'Geprüft: Alle {size} der neuen Datei wurden durchsucht, es sind keine Metadaten mehr darin.',
  'report.notClean': 'Nicht sauber: In der neuen Datei sind noch {blocks}.',
  'report.faces': {
    one: '{count} Gesicht wurde gefunden und verborgen.',
    other: '{count} Gesichter wurden gefunden und verborgen.',
  },
  'report.noFaces':
    'Es wurden keine Gesichter gefunden. Die Suche kann welche übersehen: Sehen Sie selbst nach, und zeichnen Sie über das, was sie übersehen hat.',
  'report.plates': {
    one: '{count} Kennzeichen wurde gefunden und abgedeckt.',
    other: '{count} Kennzeichen wurden gefunden und abgedeckt.',
  },
  'report.noPlates': 'Es wurde kein Kennzeichen gefunden: Sehen Sie selbst nach.',
  'report.texts': {
    one: '{count} Zeile Text wurde gefunden und abgedeckt.',
    other: '{count} Zeilen Text wurden gefunden und abgedeckt.',
  },
  'report.noTexts': 'Es wurde kein Text gefunden: Sehen Sie selbst nach.',
  'report.detected': '{name}: {count} gefunden und abgedeckt.',
  'report.noneDetected': '{name}: nichts gefunden, sehen Sie selbst nach.',
  'report.nothingHidden': 'Nichts wurde verborgen.',
  'report.secondLook': {
    one: 'Eine zweite Suche fand {count} Stelle, die ein Gesicht sein kann, und verbarg sie.',
    other: 'Eine zweite Suche fand {count} Stellen, die Gesichter sein können, und verbarg sie.',
  },
  'report.regions': { one: '{count} Bereich wurde verpixelt.', other: '{count} Bereiche wurden verpixelt.' },
  'report.filled': {
    one: '{count} Bereich wurde schwarz abgedeckt.',
    other: '{count} Bereiche wurden schwarz abgedeckt.',
  },
  'report.chosen': {
    one: '{count} Gesicht wurde wie gewünscht verborgen.',
    other: '{count} Gesichter wurden wie gewünscht verborgen.',
  },
  'report.left': {
    one: '{count} Gesicht bleibt wie gewünscht sichtbar.',
    other: '{count} Gesichter bleiben wie gewünscht sichtbar.',
  },
  'report.thingsLeft': {
    one: '{count} Stelle mit Text oder Kennzeichen bleibt wie gewünscht sichtbar.',
    other: '{count} Stellen mit Text oder Kennzeichen bleiben wie gewünscht sichtbar.',
  },
  'report.spots': {
    one: '{count} mögliches Gesicht blieb sichtbar (im Foto markiert).',
    other: '{count} mögliche Gesichter blieben sichtbar (im Foto markiert).',
  },
  'warning.colour_profile_ignored':
    'Das Farbprofil war nicht zu gebrauchen, Farben können also etwas anders aussehen.',
  'warning.colours_taken_as_srgb': 'Die Farben wurden als sRGB genommen, wie Browser sie zeigen.',
  'warning.frames_dropped': 'Aus der Animation wurde ein stehendes Bild: Nur das erste Einzelbild blieb.',
  'warning.pages_dropped': 'Die Datei hatte mehrere Seiten: Nur die erste blieb.',
  'warning.clean_aperture_ignored': 'Die Datei schneidet ihr Bild so zu, dass nichts bliebe: Es blieb ganz.',
  'warning.sample_range_assumed':
    'Die Datei sagt nicht, was schwarz und weiß ist: Die Helligkeit kann falsch sein.',
  'warning.flattened': 'Durchsichtiges wurde weiß: Ein JPEG kennt keine Transparenz.',
  'warning.fine_blocks':
    'Kurzer Text und Zahlen unter Blöcken lassen sich noch erraten: Decken Sie sie schwarz ab.',
  'report.grayscale': 'Die Farbe wurde entfernt.',
  'report.colour': 'Die Farben waren {from}; jetzt sind sie sRGB und sehen gleich aus.',
};
