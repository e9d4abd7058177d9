import type { InspectResult } from '../../client/index.ts';
import type { Settings } from './ops.ts';

/** The formats that come out; `auto` is the original's where it is one of them. */
export type OutputFormat = Exclude<Settings['format'], 'auto'>;
type SourceFormat = InspectResult['format'];

/** The format that a photo comes out in: JPEG where its own is none of the three, or not known. */
export function outputFormat(chosen: Settings['format'], source: SourceFormat | null): OutputFormat {
  if (chosen !== 'auto') return chosen;
  return source === 'png' || source === 'webp' ? source : 'jpeg';
}

/** The settings with the format that they mean for a photo. */
export const withFormat = <S extends Settings>(settings: S, source: SourceFormat | null): S => ({
  ...settings,
  format: outputFormat(settings.format, source),
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
