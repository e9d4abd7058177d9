import { errors } from './de/errors.ts';
import { faces } from './de/faces.ts';
import { findings } from './de/findings.ts';
import { head } from './de/head.ts';
import { intake } from './de/intake.ts';
import { photos } from './de/photos.ts';
import { result } from './de/result.ts';
import { sentences } from './de/sentences.ts';
import { service } from './de/service.ts';
import { settings } from './de/settings.ts';
import { stage } from './de/stage.ts';
import { work } from './de/work.ts';
import type { Texts } from './en.ts';

/** Deutsch. Die Namen und Platzhalter sind die von en.ts. */
export const de: Texts = {
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
};
