import type { InspectResult } from '../../../client/index.ts';
import { defaultSettings, type Settings } from './ops.ts';

/** The formats that come out; `auto` is the original's where it is one of them. */
export type OutputFormat = Exclude<Settings['format'], 'auto'>;
type SourceFormat = InspectResult['format'];
/** What the output's format and quality follow from. */
export type Source = Pick<InspectResult, 'format' | 'jpeg'>;

/** Of lossless originals. Nothing that was lossy before is written better. */
const BEST_QUALITY = defaultSettings.quality;
/** Of lossy originals whose own quality is not known: WebP and AVIF are mostly written at 75 to 80. */
const USUAL_QUALITY = 80;
/** The highest quality at which a JPEG has half of its colour samples (src/codecs/jpeg/encoder_cost.ts). */
const HALVED_CHROMA_QUALITY = 89;
/** The lowest that can be asked for. */
export const LEAST_QUALITY = 30;

/** The format that a photo comes out in: JPEG where its own is none of the three, or not known. */
export function outputFormat(chosen: Settings['format'], source: SourceFormat | null): OutputFormat {
  if (chosen !== 'auto') return chosen;
  return source === 'png' || source === 'webp' ? source : 'jpeg';
}

/** The quality that a photo comes out in: by itself no higher than its own, so that files do not grow. */
export function outputQuality(chosen: Settings['quality'], source: Source | null): number {
  if (chosen !== 'auto') return chosen;
  if (source?.format === 'webp' || source?.format === 'avif') return USUAL_QUALITY;
  if (!source?.jpeg) return BEST_QUALITY;
  const { quality, chroma_halved: isHalved } = source.jpeg;
  return Math.max(LEAST_QUALITY, Math.min(isHalved ? HALVED_CHROMA_QUALITY : BEST_QUALITY, quality));
}

/** The settings with the format and quality that they mean for a photo; null where nobody has looked. */
export const settingsFor = <S extends Settings>(settings: S, source: Source | null): S => ({
  ...settings,
  format: outputFormat(settings.format, source?.format ?? null),
  quality: outputQuality(settings.quality, source),
});

/** What cleaning takes from a photo beside its metadata, as names of texts. */
export type Consequence = 'animation_lost' | 'transparency_lost';

/** @param isTransparent whether the photo has transparent parts; null where nobody knows */
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
