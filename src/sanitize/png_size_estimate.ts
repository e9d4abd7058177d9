import { PHOTOGRAPH_BYTES_PER_PIXEL } from '../codecs/png/encoder.ts';
import type { FileFacts, InputFormat } from '../metadata/facts.ts';

/** Formats whose file is a lossless one itself. */
const LOSSLESS_SOURCES: ReadonlySet<InputFormat> = new Set(['png', 'gif']);
/** The source may be compressed better than our output: of 26 real PNGs ours were up to 1.07 × as long. */
const RECOMPRESSION_MARGIN = 1.15;
/**
 * Mosaics may add colours beyond a palette's 256: three real PNGs of that kind grew 1.31 to 1.63 × as RGB.
 */
const PALETTE_TO_RGB = 1.5;

/**
 * A PNG made of a JPEG, in bytes a pixel, is predicted from the JPEG's own bytes a pixel and how coarsely it
 * was quantised: K × (scan bytes / pixels)^0.83 × (mean step)^0.33. Fitted by least squares to 397 JPEGs in
 * colour and 138 grey ones, made of photographs of 0.1 to 12 megapixels at qualities 40 to 97, 4:2:0 and
 * 4:4:4: half of them lie within 8 % of it.
 */
const DENSITY_EXPONENT = 0.83;
const STEP_EXPONENT = 0.33;
const GREY_FACTOR = 0.84;
/** For colour; the more chroma samples share the bytes, the less: 2.1 for 4:2:0, 1.76 for 4:4:4. */
const COLOUR_FACTOR = 2.24;
const CHROMA_WEIGHT = -0.12;
/** Nine in ten of the files stay below this many times the fit. */
const NINE_IN_TEN = 1.15;

/** Length of a lossless file after grayscale, relative to colour: the same photographs give 0.34 to 0.4. */
const GREY_SHARE = 0.4;
/**
 * Content is spread unevenly: a crop may be this much denser than the whole, or hold a photograph that lies
 * on a plain background.
 */
const DENSER_CROP = 1.3;
/** No lossless file is longer than its samples, next to nothing aside. */
const SAMPLE_BYTES = 4;

/** How many of the source's pixels go into the output, unscaled. */
interface OutputContent {
  /** Pixels of the output, and of the source. */
  readonly pixels: number;
  readonly of: number;
  /** The grayscale step is applied. */
  readonly grey: boolean;
}

/**
 * Predicts the most bytes that a PNG of the source's pixels takes, from the length of the source's file: for
 * photographs in JPEG and for lossless sources; undefined for others.
 * @param inputBytes length of the source's file
 */
export function estimatePngBytes(
  facts: FileFacts,
  inputBytes: number,
  content: OutputContent,
): number | undefined {
  const whole = wholeLength(facts, inputBytes);
  if (whole === undefined) return undefined;
  const share = content.pixels / content.of;
  const photograph = content.pixels * PHOTOGRAPH_BYTES_PER_PIXEL;
  const cut = share < 1 ? Math.min(whole, Math.max(whole * share * DENSER_CROP, photograph)) : whole;
  const hasColour = facts.colour !== 'grey' && facts.colour !== 'palette' && !facts.hasAlpha;
  const length = cut * (content.grey && hasColour ? GREY_SHARE : 1);
  return Math.min(length, content.pixels * SAMPLE_BYTES);
}

function wholeLength(facts: FileFacts, inputBytes: number): number | undefined {
  if (facts.density) return asLossless(facts, facts.density);
  // Of 16-bit samples half is dropped, most of it noise that would not pack: their length tells little.
  if (!LOSSLESS_SOURCES.has(facts.format) || facts.bitDepth > 8) return undefined;
  return inputBytes * RECOMPRESSION_MARGIN * (facts.colour === 'palette' ? PALETTE_TO_RGB : 1);
}

function asLossless(facts: FileFacts, { scanBytes, meanStep }: NonNullable<FileFacts['density']>): number {
  const pixels = facts.width * facts.height;
  const factor =
    facts.channels === 1 ? GREY_FACTOR : COLOUR_FACTOR * Math.exp(CHROMA_WEIGHT * chromaSamples(facts));
  const bytesPerPixel = factor * (scanBytes / pixels) ** DENSITY_EXPONENT * meanStep ** STEP_EXPONENT;
  return pixels * bytesPerPixel * NINE_IN_TEN;
}

/** Samples of all components but the first, for each of the first: 0.5 for 4:2:0, 2 for 4:4:4. */
function chromaSamples({ jpeg }: FileFacts): number {
  const [first, ...others] = (jpeg?.sampling ?? []).map(([horizontal, vertical]) => horizontal * vertical);
  return first ? others.reduce((sum, samples) => sum + samples / first, 0) : 0;
}
