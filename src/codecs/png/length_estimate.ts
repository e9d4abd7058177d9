import type { FileFacts } from '../../metadata/facts.ts';
import type { WrittenSource } from '../types.ts';

/**
 * Bytes per pixel of a photograph about which nothing else is known: measured 1.1 to 1.4 on camera pictures
 * of 2 to 12 megapixels.
 */
export const PHOTOGRAPH_BYTES_PER_PIXEL = 1.5;
/** The source may be compressed better than our output: for 26 real PNGs, ours was up to 1.07 × as long. */
const RECOMPRESSION_MARGIN = 1.15;
/**
 * Mosaics may add colours beyond a palette's 256: three real PNGs of that kind grew 1.31 to 1.63 × as RGB.
 */
const PALETTE_TO_RGB = 1.5;

/**
 * The bytes per pixel of a PNG made of a JPEG are predicted from the JPEG's own bytes per pixel and how
 * coarsely it was quantised: K × (scan bytes / pixels)^0.83 × (mean step)^0.33. Fitted by least squares to
 * 397 JPEGs in colour and 138 grey ones, made of photographs of 0.1 to 12 megapixels at qualities 40 to 97,
 * 4:2:0 and 4:4:4; half of them lie within 8 % of it. Colour was lowered by a sixteenth when photographs came
 * to be searched for matches.
 */
const DENSITY_EXPONENT = 0.83;
const STEP_EXPONENT = 0.33;
const GREY_FACTOR = 0.84;
/** For colour. The more chroma samples share the bytes, the lower: 1.98 for 4:2:0, 1.65 for 4:4:4. */
const COLOUR_FACTOR = 2.1;
const CHROMA_WEIGHT = -0.12;
/** Nine in ten of the files stay below this many times the fit. */
const NINE_IN_TEN = 1.15;

/** Length of a lossless file in grey, relative to colour: the same photographs give 0.34 to 0.4. */
const GREY_SHARE = 0.4;
/**
 * Content is spread unevenly: a crop may be this much denser than the whole, or be all of a photograph on a
 * plain background.
 */
const DENSER_CROP = 1.3;
/** No lossless file is noticeably longer than its samples. */
const SAMPLE_BYTES = 4;

/**
 * Predicts the most bytes that a PNG of the source's pixels takes, from the length of the source's file: for
 * photographs in JPEG and for lossless sources; undefined for others.
 */
export function estimatedLength(source: WrittenSource): number | undefined {
  const { facts, pixels } = source;
  const whole = wholeLength(source);
  if (whole === undefined) return undefined;
  const share = pixels / source.sourcePixels;
  const cut =
    share < 1
      ? Math.min(whole, Math.max(whole * share * DENSER_CROP, pixels * PHOTOGRAPH_BYTES_PER_PIXEL))
      : whole;
  const hasColour = facts.colour !== 'grey' && facts.colour !== 'palette' && !facts.hasAlpha;
  return Math.min(cut * (source.grey && hasColour ? GREY_SHARE : 1), pixels * SAMPLE_BYTES);
}

function wholeLength({ facts, bytes, lossless }: WrittenSource): number | undefined {
  if (facts.density) return asLossless(facts, facts.density);
  // Half of 16-bit samples is dropped, mostly incompressible noise, so the file's length says little.
  if (!lossless || facts.bitDepth > 8) return undefined;
  return bytes * RECOMPRESSION_MARGIN * (facts.colour === 'palette' ? PALETTE_TO_RGB : 1);
}

function asLossless(facts: FileFacts, { scanBytes, meanStep }: NonNullable<FileFacts['density']>): number {
  const pixels = facts.width * facts.height;
  const factor =
    facts.channels === 1 ? GREY_FACTOR : COLOUR_FACTOR * Math.exp(CHROMA_WEIGHT * chromaSamples(facts));
  const bytesPerPixel = factor * (scanBytes / pixels) ** DENSITY_EXPONENT * meanStep ** STEP_EXPONENT;
  return pixels * bytesPerPixel * NINE_IN_TEN;
}

/** Samples of all further components per sample of the first: 0.5 for 4:2:0, 2 for 4:4:4. */
function chromaSamples({ jpeg }: FileFacts): number {
  const [first, ...others] = (jpeg?.sampling ?? []).map(([horizontal, vertical]) => horizontal * vertical);
  return first ? others.reduce((sum, samples) => sum + samples / first, 0) : 0;
}
