import { FULL_CHROMA_QUALITY } from '../codecs/jpeg/encoder_cost.ts';
import { decoders } from '../codecs/registry.ts';
import type { Chroma, FileFacts } from '../codecs/types.ts';
import type { SanitizeOps } from '../ops/schema.ts';

/** At this share of the source's width, or less, even halved chroma has a sample for every output pixel. */
const WHOLE_SCALE = 0.5;

/**
 * The chroma that a JPEG is written with: what the caller says. With `auto`, it is halved only if the
 * source's was.
 * @param scale width of the output divided by that of the same part of the source
 * @returns undefined below FULL_CHROMA_QUALITY: the content decides
 */
export function chosenChroma(
  facts: FileFacts,
  { chroma, quality }: SanitizeOps['output'],
  scale: number,
): Chroma | undefined {
  if (chroma !== 'auto') return chroma;
  if (quality < FULL_CHROMA_QUALITY) return undefined;
  const { reading } = decoders[facts.format];
  const isWorthIt = reading.halvesChroma?.(facts) && scale > WHOLE_SCALE && !isReadInBands(facts);
  return isWorthIt ? 'halved-again' : 'whole';
}

/** Whether each band of rows is a read of its own: then a second read, for sharp colours, costs too much. */
const isReadInBands = ({ format, orientation }: FileFacts): boolean =>
  orientation > 2 && !decoders[format].reading.cheapBands;
