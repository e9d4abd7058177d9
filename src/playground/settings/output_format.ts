import type { InspectResult } from '../../../client/index.ts';
import { defaultSettings, type Settings } from './ops.ts';

/** The formats that can be written; `auto` means the original's, if it is one of them. */
export type OutputFormat = Exclude<Settings['format'], 'auto'>;
type SourceFormat = InspectResult['format'];
/** Determines the output's format and quality. */
export type Source = Pick<InspectResult, 'format' | 'jpeg'>;

/** For lossless originals. A photo that already lost detail does not gain from a higher quality. */
const BEST_QUALITY = defaultSettings.quality;
/** For lossy originals of unknown quality: WebP and AVIF are mostly written at 75 to 80. */
const USUAL_QUALITY = 80;
/** The highest quality at which a JPEG has subsampled chroma (src/codecs/jpeg/encoder_cost.ts). */
const HALVED_CHROMA_QUALITY = 89;
/** The lowest quality that can be requested. */
export const LEAST_QUALITY = 30;

/** The output format of a photo: JPEG if its own is unknown or none of the three. */
export function outputFormat(chosen: Settings['format'], source: SourceFormat | null): OutputFormat {
  if (chosen !== 'auto') return chosen;
  return source === 'png' || source === 'webp' ? source : 'jpeg';
}

/** The output quality of a photo: with `auto` no higher than its own, so that files do not grow. */
export function outputQuality(chosen: Settings['quality'], source: Source | null): number {
  if (chosen !== 'auto') return chosen;
  if (source?.format === 'webp' || source?.format === 'avif') return USUAL_QUALITY;
  if (!source?.jpeg) return BEST_QUALITY;
  const { quality, chroma_halved: isHalved } = source.jpeg;
  return Math.max(LEAST_QUALITY, Math.min(isHalved ? HALVED_CHROMA_QUALITY : BEST_QUALITY, quality));
}

/**
 * The settings with the format and quality resolved for a photo; `source` is null if it was not inspected.
 */
export const settingsFor = <S extends Settings>(settings: S, source: Source | null): S => ({
  ...settings,
  format: outputFormat(settings.format, source?.format ?? null),
  quality: outputQuality(settings.quality, source),
});

/** What a photo loses besides its metadata, as names of texts. */
export type Consequence = 'animation_lost' | 'transparency_lost';

/** @param isTransparent whether the photo has transparent parts; null if unknown */
export function consequencesOf(
  format: OutputFormat,
  { frames }: Pick<InspectResult, 'frames'>,
  isTransparent: boolean | null,
): Consequence[] {
  return [
    ...(frames > 1 ? (['animation_lost'] as const) : []),
    ...(isTransparent && format === 'jpeg' ? (['transparency_lost'] as const) : []),
  ];
}
