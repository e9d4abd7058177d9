import type { Answer, CleanImage, Engine, EngineCallOptions } from './engine/engine.ts';
import type { Size } from './geometry.ts';
import { planRequest, type Settings } from './ops.ts';
import type { Face } from './pixelation_plan.ts';
import type { Result } from './state.ts';

/** What is known of a photo when it is cleaned. */
export interface PhotoToClean {
  readonly file: File;
  /** Upright, in pixels. */
  readonly size: Size;
  readonly settings: Settings;
  /** Tight boxes in the frame (see geometry.ts); empty where nobody has looked for faces. */
  readonly detectedFaces: readonly Face[];
}

/** Cleans a photo by its settings. @throws what the engine throws */
export async function cleanPhoto(
  engine: Engine,
  { file, size, settings, detectedFaces }: PhotoToClean,
  options: EngineCallOptions,
): Promise<Result> {
  const request = planRequest(settings, detectedFaces, size);
  const { value, facts }: Answer<CleanImage> = await engine.sanitize(file, request.ops, options);
  const { image, report } = value;
  return {
    image,
    url: URL.createObjectURL(image),
    name: cleanName(file.name, settings.format),
    report,
    engine: engine.name,
    facts,
    request,
    sourceBytes: file.size,
  };
}

/** The name of the clean file: "holiday.heic.jpg" → "holiday.heic-clean.png". */
function cleanName(name: string, format: Settings['format']): string {
  const stem = name.replace(/\.[^.]*$/, '') || 'photo';
  return `${stem}-clean.${format === 'jpeg' ? 'jpg' : format}`;
}
