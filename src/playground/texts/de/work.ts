import type { work as english } from '../en/work.ts';
import type { TextsOf } from '../en.ts';

export const work: TextsOf<typeof english> = {
  'job.inspect': 'Datei wird untersucht',
  'job.preview': 'Eine Kopie zum Zeigen entsteht',
  'job.detect': 'Gesichter werden gesucht',
  'job.things': 'Text und Kennzeichen werden gesucht',
  'job.sanitize': 'Das Foto wird gereinigt',
  'job.convert': 'Das Foto wird umgewandelt',
  'wait.inspect': 'Der Blick hinein beginnt von selbst in {seconds}\u00a0s.',
  'wait.preview': 'Das Zeigen beginnt von selbst in {seconds}\u00a0s.',
  'wait.detect': 'Die Suche nach Gesichtern beginnt von selbst in {seconds}\u00a0s.',
  'wait.things': 'Die Suche nach Text und Kennzeichen beginnt von selbst in {seconds}\u00a0s.',
  'wait.sanitize': 'Das Reinigen beginnt von selbst in {seconds}\u00a0s.',
  'wait.convert': 'Das Umwandeln beginnt von selbst in {seconds}\u00a0s.',
  'job.stage': '{job}: {stage}',
  'job.begun': '{job} …',
  'job.seconds': '{job}, {seconds} s',
  'job.service': '{job}: Der Dienst arbeitet, {seconds} s',
  'job.announce': '{job}.',
  'stage.sending': '{done} von {total} gesendet',
  'stage.loading': 'was sie findet, wird geladen, {done} von {total}, nur dieses eine Mal',
  'stage.encoding': '{percent} %',
  'clean.first': 'Foto reinigen',
  'clean.again': 'Noch einmal reinigen',
  'button.wait': '{label} in {seconds}\u00a0s',
  cancel: 'Abbrechen',
};
