import type { Answer, CleanImage, Engine, EngineCallOptions } from './engine/engine.ts';
import type { Size } from './geometry.ts';
import { planRequest, type Settings } from './ops.ts';
import { type OutputFormat, outputFormat, withFormat } from './output_format.ts';
import type { Face } from './pixelation_plan.ts';
import type { Result } from './state.ts';

/** What is known of a photo when it is cleaned. */
export interface PhotoToClean {
  readonly file: File;
  /** Upright, in pixels. */
  readonly size: Size;
  readonly settings: Settings;
  /** The file's format; null where it is not known. */
  readonly sourceFormat: Result['sourceFormat'];
  /** Tight boxes in the frame (see geometry.ts); empty where nobody has looked for faces. */
  readonly detectedFaces: readonly Face[];
}

/** Cleans a photo by its settings. @throws what the engine throws */
export async function cleanPhoto(
  engine: Engine,
  { file, size, settings, sourceFormat, detectedFaces }: PhotoToClean,
  options: EngineCallOptions,
): Promise<Result> {
  const request = planRequest(withFormat(settings, sourceFormat), detectedFaces, size);
  const { value, facts }: Answer<CleanImage> = await engine.sanitize(file, request.ops, options);
  const { image, report } = value;
  return {
    image,
    url: URL.createObjectURL(image),
    name: cleanName(file.name, outputFormat(settings.format, sourceFormat)),
    report,
    engine: engine.name,
    facts,
    request,
    sourceFormat,
    sourceBytes: file.size,
  };
}

/** The name of the clean file: "holiday.heic.jpg" → "holiday.heic-clean.png". */
function cleanName(name: string, format: OutputFormat): string {
  const stem = name.replace(/\.[^.]*$/, '') || 'photo';
  return `${stem}-clean.${format === 'jpeg' ? 'jpg' : format}`;
}
