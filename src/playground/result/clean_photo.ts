import type { Answer, CleanImage, Engine, EngineCallOptions } from '../engine/engine.ts';
import type { Size } from '../geometry.ts';
import { planRequest, type Settings } from '../settings/ops.ts';
import { outputFormat, type Source, settingsFor } from '../settings/output_format.ts';
import type { Known } from '../settings/pixelation_plan.ts';
import type { Result } from '../state.ts';

/** The facts needed to clean a photo. */
export interface PhotoToClean {
  readonly file: File;
  /** Upright, in pixels. */
  readonly size: Size;
  readonly settings: Settings;
  /** Facts about the file; null if it was not inspected. */
  readonly source: Source | null;
  readonly known: Known;
}

/** Cleans a photo by its settings. @throws what the engine throws */
export async function cleanPhoto(
  engine: Engine,
  { file, size, settings, source, known }: PhotoToClean,
  options: EngineCallOptions,
): Promise<Result> {
  const request = planRequest(settingsFor(settings, source), known, size);
  const { value, facts }: Answer<CleanImage> = await engine.sanitize(file, request.ops, options);
  const { image, report } = value;
  return {
    image,
    url: URL.createObjectURL(image),
    format: outputFormat(settings.format, source?.format ?? null),
    report,
    engine: engine.name,
    facts,
    request,
    source,
    sourceBytes: file.size,
  };
}
