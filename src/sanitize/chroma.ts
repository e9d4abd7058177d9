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
  const isWorthIt = isHalved(facts) && scale > WHOLE_SCALE && !isReadInBands(facts);
  return isWorthIt ? 'halved-again' : 'whole';
}

/** Whether each band of rows is a read of its own: then a second read, for sharp colours, costs too much. */
const isReadInBands = ({ format, orientation }: FileFacts): boolean =>
  orientation > 2 && !decoders[format].reading.cheapBands;

/** Whether a source has at most half as many chroma as luma samples in both directions. */
function isHalved({ format, colour, jpeg, avif }: FileFacts): boolean {
  if (format === 'webp') return colour === 'ycbcr';
  if (avif) return !avif.colour.monochrome && avif.colour.subX === 1 && avif.colour.subY === 1;
  const [luma, ...others] = jpeg?.sampling ?? [];
  return (
    luma !== undefined &&
    others.length === 2 &&
    others.every(([across, down]) => across * 2 <= luma[0] && down * 2 <= luma[1])
  );
}
