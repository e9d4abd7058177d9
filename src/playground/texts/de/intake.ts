import type { intake as english } from '../en/intake.ts';
import type { TextsOf } from '../en.ts';

export const intake: TextsOf<typeof english> = {
  'intake.title': 'Was verrät Ihr\u00a0Foto?',
  'intake.lead':
    'Sehen Sie, was es über Orte, Zeiten und Personen sagt. Wählen Sie, was verborgen wird, und erhalten Sie eine saubere Kopie mit Nachweis.',
  'intake.resume': 'Zurück zu Ihren Fotos',
  'intake.choose': 'Fotos wählen',
  'intake.folder': 'Ordner',
  'intake.photos': 'Fotos',
  'intake.or': 'oder',
  'intake.aFolder': 'einen Ordner',
  'intake.drop': ', oder hierher ziehen, oder eines einfügen',
  'intake.example': 'Ein Beispiel ausprobieren',
  'intake.install': 'Diese Seite installieren, um sie ohne Netz zu haben',
  'intake.veil': 'Fotos hier ablegen',
  'promise.reverse': 'Weg ist weg',
  'promise.reverseText':
    'Unter Schwarz bleibt nichts vom Foto. Kurzer Text und Zahlen unter Blöcken lassen sich noch erraten: Decken Sie sie schwarz ab.',
  'promise.trust': 'Nachgeprüft',
  'promise.trustText':
    'Die neue Datei wird durchsucht, bevor Sie sie erhalten, und Sie sehen, was dabei gefunden wurde.',
  'footer.check': 'So prüfen Sie es',
  'footer.privacy': 'Datenschutz',
  'footer.licence': 'Lizenzen',
};
