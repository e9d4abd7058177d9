import { inputFormatNames } from '../../../vocabulary/format_names.ts';
import type { errors as english } from '../en/errors.ts';
import type { TextsOf } from '../en.ts';

export const errors: TextsOf<typeof english> = {
  'error.retry': 'Noch einmal versuchen',
  'error.dismiss': 'Schließen',
  'error.request': 'Anfrage {id}',
  'remedy.chooseAnother': 'Ein anderes Foto wählen',
  'remedy.useDevice': 'Auf diesem Gerät erledigen',
  'remedy.forgetKey': 'Schlüssel vergessen',
  'remedy.resetSettings': 'Einstellungen zurücksetzen',
  'remedy.asPng': 'Als PNG reinigen',
  'convert.format': 'Diese Datei lässt sich so nicht reinigen',
  'convert.formatAdvice':
    'Ihr Browser kann sie lesen, also kann sie hier auf diesem Gerät umgewandelt werden. Was die Datei außer dem Bild enthält, bleibt zurück.',
  'convert.here': 'Hier umwandeln und weiter',
  'convert.pixels': 'Dieses Foto hat zu viele Pixel',
  'convert.pixelsAdvice': 'Es kann hier auf diesem Gerät auf 48 Megapixel verkleinert werden.',
  'convert.smaller': 'Hier verkleinern und weiter',
  'convert.working': 'Wird verkleinert …',
  'convert.workingAdvice': 'Das dauert einen Moment.',
  'reason.cut': 'Die Datei ist abgeschnitten.',
  'reason.pixels': 'Es hat {megapixels} Megapixel.',
  'convert.failed': 'Auch dieser Browser kann die Datei nicht lesen',
  'convert.failedAdvice':
    'Speichern Sie sie mit einem anderen Programm als JPEG, und wählen Sie diese Datei.',
  'heic.title': 'Dieser Browser kann keine HEIC-Fotos lesen',
  'heic.advice':
    'Öffnen Sie diese Seite in Safari, das sie lesen kann. Oder machen Sie ein JPEG daraus: auf einem Mac in „Fotos“ oder „Vorschau“ durch Exportieren, auf einem iPhone, indem Sie das Foto dort auf dieser Seite wählen. Neue Fotos sind JPEG mit Einstellungen, Kamera, Formate, Maximale Kompatibilität.',
  'heic.choose': 'Das JPEG wählen',
  'error.bad_request': 'Die Anfrage war fehlerhaft',
  'advice.bad_request': 'Laden Sie die Seite neu und versuchen Sie es noch einmal.',
  'error.invalid_ops': 'Eine Einstellung passt nicht',
  'advice.invalid_ops': 'Korrigieren Sie sie unten und versuchen Sie es noch einmal.',
  'error.invalid_api_key': 'Der API-Schlüssel ist nicht gültig',
  'advice.invalid_api_key': 'Prüfen Sie, ob Zeichen fehlen, oder vergessen Sie ihn, um ohne weiterzumachen.',
  'error.quota_exceeded': 'Das Monatslimit dieses Schlüssels ist erreicht',
  'advice.quota_exceeded':
    'Nächsten Monat beginnt es von vorn. Sie können den Schlüssel vergessen und ohne weitermachen.',
  'error.not_found': 'Dieser Teil des Dienstes fehlt',
  'advice.not_found': 'Laden Sie die Seite neu.',
  'error.method_not_allowed': 'Der Dienst hat die Anfrage abgelehnt',
  'advice.method_not_allowed': 'Laden Sie die Seite neu.',
  'error.payload_too_large': 'Die Datei ist zu groß',
  'advice.payload_too_large': 'Höchstens 25 MB. Speichern Sie sie kleiner und wählen Sie sie noch einmal.',
  'error.unsupported_media_type': 'Das ist kein Bild',
  'advice.unsupported_media_type': `Wählen Sie ${inputFormatNames('oder')}.`,
  'error.unprocessable_image': 'Dieses Bild lässt sich nicht lesen',
  'advice.unprocessable_image': `Wählen Sie ein vollständiges ${inputFormatNames('oder')} mit höchstens 50 Megapixeln.`,
  'error.idempotency_key_reused': 'Unter diesem Namen wurde schon ein anderes Foto gesendet',
  'advice.idempotency_key_reused': 'Versuchen Sie es noch einmal.',
  'error.rate_limit_exceeded': 'Das war ein Aufruf zu viel',
  'advice.rate_limit_exceeded': 'Es geht von selbst weiter, wenn die Minute um ist.',
  'error.internal_error': 'Im Dienst ist etwas fehlgeschlagen',
  'advice.internal_error': 'Nichts wurde behalten. Versuchen Sie es noch einmal.',
  'error.misconfigured': 'Der Dienst ist nicht eingerichtet',
  'advice.misconfigured':
    'Der Betreiber muss eine Einstellung berichtigen. Bis dahin lassen sich Fotos auf diesem Gerät bereinigen.',
  'error.overloaded': 'Der Dienst ist ausgelastet',
  'advice.overloaded': 'Versuchen Sie es in einigen Sekunden noch einmal.',
  'error.admin_disabled': 'Auf dieser Installation sind keine Schlüssel eingerichtet',
  'advice.admin_disabled': 'Vergessen Sie den Schlüssel, um ohne weiterzumachen.',
  'error.network_error': 'Der Dienst ist nicht erreichbar',
  'advice.network_error':
    'Prüfen Sie die Verbindung und versuchen Sie es noch einmal. Foto und Einstellungen sind noch da.',
  'error.timeout': 'Der Dienst hat zu lange gebraucht',
  'advice.timeout':
    'Prüfen Sie die Verbindung und versuchen Sie es noch einmal. Foto und Einstellungen sind noch da.',
  'error.broken_download': 'Die Antwort ist abgebrochen',
  'advice.broken_download':
    'Prüfen Sie die Verbindung und versuchen Sie es noch einmal. Foto und Einstellungen sind noch da.',
  'error.unexpected_answer': 'Die Antwort ergibt keinen Sinn',
  'advice.unexpected_answer':
    'Etwas zwischen Ihnen und dem Dienst hat sie vielleicht verändert. Versuchen Sie es noch einmal.',
  'error.device.internal_error': 'Die neue Datei war nicht sauber',
  'advice.device.internal_error': 'Sie wurde verworfen. Versuchen Sie ein anderes Format.',
  'error.device.overloaded': 'Der Speicher reicht nicht',
  'advice.device.overloaded': 'Schließen Sie andere Tabs und versuchen Sie es noch einmal.',
  'error.device.not_loaded': 'Ein Teil dieser Seite konnte nicht geladen werden',
  'advice.device.not_loaded':
    'Prüfen Sie die Verbindung und versuchen Sie es noch einmal. Foto und Einstellungen sind noch da.',
};
