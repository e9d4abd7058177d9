import { inputFormatNames } from '../../../vocabulary/format_names.ts';
import type { service as english } from '../en/service.ts';
import type { TextsOf } from '../en.ts';

export const service: TextsOf<typeof english> = {
  'sheet.label': 'Wo Fotos gereinigt werden',
  'sheet.use': 'Den Dienst benutzen',
  'key.label': 'API-Schlüssel',
  'key.use': 'Schlüssel benutzen',
  'key.forget': 'Schlüssel vergessen',
  'key.keep': 'Behalten, bis dieser Tab geschlossen wird',
  'key.note':
    'Mit einem Schlüssel sind mehr Aufrufe pro Minute möglich. Er bleibt im Speicher dieser Seite und geht nur an diesen Dienst.',
  'key.asking': 'Der Dienst wird nach diesem Schlüssel gefragt …',
  'key.inUse': {
    one: 'Aktiv: Tarif {plan}, {limit} Aufrufe pro Minute. Diesen Monat: {count} Aufruf, {cost}.',
    other: 'Aktiv: Tarif {plan}, {limit} Aufrufe pro Minute. Diesen Monat: {count} Aufrufe, {cost}.',
  },
  'key.kept': 'Aktiv: der in diesem Tab behaltene Schlüssel.',
  'rate.wait': 'Nächster Aufruf in {seconds} s',
  'rate.none': 'Ohne Schlüssel: 1 Aufruf pro Minute',
  'rate.keyed': 'Mit Ihrem Schlüssel',
  'rate.left': '{plan}: noch {left} von {limit} Aufrufen',
  'rate.now': 'Der nächste Aufruf ist jetzt möglich.',
  'device.status': 'Fotos bleiben auf diesem Gerät',
  'device.promise':
    'Ihr Foto bleibt auf diesem Gerät. Diese Seite untersucht und reinigt es hier, in Ihrem Browser.',
  'device.offer':
    'Fotos bleiben jetzt auf diesem Gerät. Mit dem Dienst wird jedes zum Reinigen dorthin gesendet.',
  'device.formats': `${inputFormatNames('oder')}, je bis 64\u00a0MB und 50\u00a0Megapixel`,
  'device.clean': 'Auf diesem Gerät gereinigt. Nichts wird gesendet.',
  'device.worked': 'In {duration} auf diesem Gerät erledigt. Nichts wurde gesendet.',
  'service.status': '',
  'service.promise':
    'Ihr Foto wird zum Reinigen an diesen Dienst gesendet, liegt für eine Anfrage im Arbeitsspeicher und wird weder gespeichert noch protokolliert.',
  'service.offer':
    'Fotos werden jetzt an diesen Dienst gesendet. Ausgeschaltet bleiben sie auf diesem Gerät.',
  'service.formats': `${inputFormatNames('oder')}, je bis 25\u00a0MB und 50\u00a0Megapixel`,
  'service.clean': 'Das Foto wird an den Dienst gesendet und dort nicht gespeichert.',
  'service.worked': 'In {duration} vom Dienst erledigt.',
};
