import { decoders, encoders } from '../codecs/registry.ts';
import type { Chroma, Decoder, Encoder, Size, Want } from '../codecs/types.ts';
import type { QuarterTurns } from '../faces/boxes.ts';
import { Fault } from '../faults.ts';
import { totalBytes } from '../memory/memory_cost.ts';
import type { FileFacts } from '../metadata/facts.ts';
import type { SanitizeOps } from '../ops/schema.ts';
import { blockEdge, readsTwice } from '../pixels/block_edges.ts';
import type { ColourSource } from '../pixels/colour/stated.ts';
import { blockRuns } from '../pixels/mosaic.ts';
import type { Rect } from '../pixels/rect.ts';
import { type Coverage, runsOf } from '../pixels/row_spans.ts';
import type { Work } from '../scheduling/work.ts';
import { chosenChroma } from './chroma.ts';
import { type AffordableBands, affordableBands, type SourceReads } from './cost_limit.ts';
import { aroundCrop } from './crop_area.ts';
import type { Finder, Finders, Found } from './finder.ts';
import { fillColour, foundAreas, givenAreas, type HiddenArea, hiddenOf, regionsOf } from './hidden_areas.ts';
import { inColumns, type Look, type PlannedLook, planLook, shrunkTo } from './looks.ts';
import { fillsAnything, hidesAnything, MOSAIC_BYTES, regionAreas } from './mosaic_plan.ts';
import { type JobSizes, jobSizes, memoryOf, shownSize } from './steps.ts';
import { turnedFacts } from './turned_facts.ts';

/**
 * Before a resize, the decoder shrinks to no less than this many times the target, so that Lanczos has detail
 * to work on.
 */
const SHRINK_MARGIN = 2;
/**
 * The same if the output is lossy and the source is read for resizing: docs/benchmarks.md has the quality.
 */
const LOSSY_SHRINK_MARGIN = 1.5;
/** From this quality on, a lossy output has hardly any losses of its own. */
const FINE_QUALITY = 95;
/** What a job holds in addition to the parts that state their cost: request and response objects, strips. */
const OVERHEAD_BYTES = 2 * 1024 * 1024;

/** Everything that follows from the header and the ops alone. */
export interface SanitizePlan extends JobSizes {
  /** As if the file itself asked for the caller's turn. */
  readonly facts: FileFacts;
  readonly finders: Finders;
  /** How finders see the picture: as it is turned, and as its file has it. */
  readonly looks: readonly PlannedLook[];
  /** The caller's regions, the areas given as found, and what of both is painted. */
  readonly regions: readonly HiddenArea[];
  readonly given: readonly Found[];
  readonly filled: Coverage;
  /** Bytes of upright rows that are held while a turned picture is read for the result. */
  readonly bandBytes: number;
  /** All work that the header and the ops announce: reading, hiding, looking for text. */
  readonly work: Work;
  readonly decoder: Decoder;
  readonly encoder: Encoder;
  /** The chroma that is written. Undefined: quality and content decide. */
  readonly chroma: Chroma | undefined;
  readonly wantForResult: Want;
  /** Bytes that this job holds at its peak, including its compressed input. */
  readonly predictedBytes: number;
  /** The longest output that fits into `predictedBytes`. */
  readonly maxOutputBytes: number;
  /** Bytes that the job would hold if its output were almost empty. */
  readonly leastBytes: number;
  /**
   * The output's length is only a guess, as nothing in the source tells it. If nothing but the guess does not
   * fit, the job is tried all the same, since an encoder stops at its limit. Other jobs are refused before
   * decoding.
   */
  readonly isOutputGuessed: boolean;
  /** Of the predicted bytes without the file, the most that lie outside of image cores at one time. */
  readonly outsideCores: number;
  /** The share of the encoder's memory that lies outside of image cores, 0 to 1. */
  readonly encodedOutside: number;
}

/**
 * Sizes, reads and predicted memory of a job; a pure function.
 * @param stored the file's own facts, without the caller's turn
 * @param inputBytes length of the compressed image
 * @throws ParameterFault when the crop lies outside the image; Fault 'limit' for a job that reads too much,
 * or an output larger than its format allows
 */
export function planSanitize(
  stored: FileFacts,
  ops: SanitizeOps,
  inputBytes: number,
  asked: Finders,
  { conversion }: Pick<ColourSource, 'conversion'> = {},
): SanitizePlan {
  const facts = turnedFacts(stored, ops.rotate);
  const decoder = decoders[facts.format];
  const encoder = encoders[ops.output.format];
  const sizes = jobSizes({ facts, ops });
  const { upright, crop, output } = sizes;
  const turns = ((ops.rotate ?? 0) / 90) as QuarterTurns;
  const placement = { upright: shownSize(stored), turns, crop, output };
  const regions = regionsOf(ops.pixelate, output);
  const given = givenAreas(ops.pixelate, placement);
  const chosen = [...regions, ...foundAreas(given, ops.pixelate, output)];
  const { filled } = hiddenOf(chosen, ops.pixelate, fillColour(ops), output);
  const shown = { filled };

  const { first } = asked;
  const unturned = { ...shown, facts: stored, area: wholeOf(placement.upright), placement };
  const beside = turns > 0 && first.length > 0 ? planSearch(unturned, inputBytes, first) : undefined;
  const placed = { ...shown, facts, placement: { upright, turns: 0 as const, crop, output } };
  const cut = { ...placed, area: aroundCrop(crop, upright), isAround: true };
  const isCut = cut.area.width > crop.width || cut.area.height > crop.height;
  const reads = resultReads(ops, sizes, asked, chosen);
  const workIn = (area: Rect, around: readonly Finder[]) =>
    affordableBands(facts, inputBytes, {
      detection: readsOf([...first, ...around]),
      ...reads,
      beside: (beside?.work ?? 0) + workOf(first, area),
    });
  const { work, area, around, ...bands } = searchedWith(
    crop,
    isCut ? cut.area : undefined,
    asked.around,
    workIn,
  );
  const finders = { ...asked, around };

  const wantForResult: Want = {
    ...shrunkForResult(facts, ops, sizes, conversion === undefined),
    ...(conversion && { preferHighBitDepth: true }),
    ...inColumns(facts, bands.result),
  };
  const decoding = decoder.cost(facts, wantForResult);
  const knownOutputBytes = outputBytesOf(facts, ops, inputBytes, sizes);
  const chroma = chosenChroma(facts, ops.output, output.width / crop.width);
  const opaque = fillsAnything(ops.pixelate)
    ? isSurelyOpaque(facts.format)
    : (decoder.reading.surelyOpaque?.(facts) ?? false);
  const encoded = { ...output, opaque, chroma };
  const encoding = encoder.cost(encoded, ops.output.quality, knownOutputBytes);
  // What encoding holds in addition to the output.
  const withoutOutput = encoder.cost(encoded, ops.output.quality, 0);
  const [encodingBytes, leastEncodingBytes] = [totalBytes(encoding), totalBytes(withoutOutput)];
  const stepBytes = memoryOf({ facts, ops, conversion, bandBytes: bands.result });
  const reserveBytes = stepBytes + withoutOutput.inCores;

  const looks = [
    planLook({ ...placed, area }, first, bands.detection, reserveBytes),
    ...(beside ? [beside.look] : []),
    ...(around.length > 0 ? [planLook(cut, around, bands.detection)] : []),
  ];
  // Looks follow one another, so the largest counts. The second look runs on a read for the result.
  const looking = Math.max(...looks.map(({ bytes }) => bytes));
  const again = finders.again.map((one) => one.cost(output));
  const againBytes = Math.max(0, ...again.map(totalBytes));
  const readingBytes = totalBytes(decoding) + stepBytes;
  const most = Math.max(looking, readingBytes + Math.max(encodingBytes, againBytes));
  const least = Math.max(looking, readingBytes + Math.max(leastEncodingBytes, againBytes));
  return {
    ...sizes,
    facts,
    finders,
    looks,
    regions,
    given,
    filled,
    bandBytes: bands.result,
    work,
    decoder,
    encoder,
    chroma,
    wantForResult: { ...wantForResult, reserveBytes },
    predictedBytes: inputBytes + most + OVERHEAD_BYTES,
    maxOutputBytes: most - readingBytes - leastEncodingBytes,
    leastBytes: inputBytes + least + OVERHEAD_BYTES,
    isOutputGuessed: knownOutputBytes === undefined,
    outsideCores:
      Math.max(
        ...looks.map((look) => look.outsideCores),
        decoding.elsewhere + Math.max(encoding.elsewhere, ...again.map(({ elsewhere }) => elsewhere)),
      ) + OVERHEAD_BYTES,
    encodedOutside: encoding.elsewhere / encodingBytes,
  };
}

/**
 * How a crop is searched: by itself, and then around it for what its edge cuts. Where another read is more
 * than a call may take, both are searched at once, which sees less of small faces.
 * @param cut what is searched around the crop; undefined if it cuts nothing
 */
function searchedWith(
  crop: Rect,
  cut: Rect | undefined,
  around: readonly Finder[],
  workIn: (area: Rect, around: readonly Finder[]) => AffordableBands,
) {
  if (!cut || around.length === 0) return { ...workIn(crop, []), area: crop, around: [] };
  try {
    return { ...workIn(crop, around), area: crop, around };
  } catch (error) {
    if (!(error instanceof Fault && error.kind === 'limit')) throw error;
    return { ...workIn(cut, []), area: cut, around: [] };
  }
}

/** A search of a picture that is not changed. */
export interface SearchPlan {
  readonly look: PlannedLook;
  /** As `SanitizePlan` has it, as are the others. */
  readonly work: Work;
  readonly predictedBytes: number;
  readonly outsideCores: number;
}

/** @throws Fault 'limit' for a job that reads too much */
function planSearch(look: Look, inputBytes: number, finders: readonly Finder[]): SearchPlan {
  const reads = { detection: readsOf(finders), result: 0, beside: workOf(finders, look.area) };
  const { work, detection } = affordableBands(look.facts, inputBytes, reads);
  const planned = planLook(look, finders, detection);
  return {
    look: planned,
    work,
    predictedBytes: inputBytes + planned.bytes + OVERHEAD_BYTES,
    outsideCores: planned.outsideCores + OVERHEAD_BYTES,
  };
}

/** How all of the upright picture is searched. @throws Fault 'limit' for a job that reads too much */
export function planDetect(facts: FileFacts, inputBytes: number, finders: readonly Finder[]): SearchPlan {
  const upright = shownSize(facts);
  const area = wholeOf(upright);
  const placement = { upright, turns: 0 as const, crop: area, output: upright };
  return planSearch({ facts, area, placement, filled: [] }, inputBytes, finders);
}

/**
 * Whether no file of a format has alpha. Of others a header tells it, but perhaps only of what lies beneath a
 * fill.
 */
export const isSurelyOpaque = (format: FileFacts['format']): boolean => format === 'jpeg';

const wholeOf = (size: Size): Rect => ({ x: 0, y: 0, ...size });

/** The predicted length of the output; undefined if the source does not tell it. */
function outputBytesOf(
  facts: FileFacts,
  ops: SanitizeOps,
  inputBytes: number,
  { crop, output }: JobSizes,
): number | undefined {
  if (output.width !== crop.width || output.height !== crop.height) return undefined;
  return encoders[ops.output.format].lengthOf?.({
    facts,
    bytes: inputBytes,
    lossless: decoders[facts.format].reading.lossless ?? false,
    pixels: output.width * output.height,
    sourcePixels: facts.width * facts.height,
    grey: ops.grayscale,
  });
}

/** How often the source is read for the result, at most, and the runs that each read hides. */
function resultReads(
  { pixelate, output: { format } }: SanitizeOps,
  { crop, output }: JobSizes,
  { again }: Finders,
  chosen: readonly HiddenArea[],
): Pick<SourceReads, 'result' | 'spans'> {
  const block = blockEdge(pixelate.strength, output);
  // Blocks over a face may be coarser than the strength says; the second read that they need is not counted
  // here.
  const twice = hidesAnything(pixelate) && readsTwice(output, block, MOSAIC_BYTES);
  const result = (readsOf(again) + encoders[format].reads) * (twice ? 2 : 1);
  const areas = chosen.flatMap((one) => one.areas);
  const solid = chosen.filter(({ fill }) => fill === 'solid').flatMap((one) => one.areas);
  // Runs of blocks over faces are counted while they are painted.
  const spans =
    blockRuns({ block, areas }, output.height) + runsOf(regionAreas(pixelate.except, output), output.height);
  // Before a resize fills are painted, too, in each row by the two rows of the output that it has a part in.
  const beneath =
    crop.width > output.width ? runsOf(solid, output.height) * 2 * Math.ceil(crop.height / output.height) : 0;
  return { result, spans: spans + beneath };
}

const workOf = (finders: readonly Finder[], size: Size): Work =>
  finders.reduce((sum, one) => sum + (one.work?.(size) ?? 0), 0);

const readsOf = (finders: readonly Finder[]): number => finders.reduce((sum, { reads }) => sum + reads, 0);

/**
 * Shrunk by the decoder while it reads for the result. That mixes pixels of both sides of an edge, so a
 * picture is read whole where it is cropped, or where something of it must not reach the output.
 */
function shrunkForResult(facts: FileFacts, ops: SanitizeOps, sizes: JobSizes, keepsColours: boolean): Want {
  const isWhole = sizes.crop.width * sizes.crop.height === facts.width * facts.height;
  return isWhole && !fillsAnything(ops.pixelate) ? shrunkForResizing(facts, ops, sizes, keepsColours) : {};
}

/** As `shrunkTo`, for the read whose picture is then resized. */
function shrunkForResizing(
  facts: FileFacts,
  ops: SanitizeOps,
  { output, crop }: JobSizes,
  keepsColours: boolean,
): Want {
  const { format, quality } = ops.output;
  const isLossy = !encoders[format].lossless && quality < FINE_QUALITY;
  const forResizing = isLossy && output.width < crop.width;
  const margin = forResizing ? LOSSY_SHRINK_MARGIN : SHRINK_MARGIN;
  const shrunk = shrunkTo(facts, (output.width * margin) / crop.width);
  if (!forResizing) return shrunk;
  return {
    ...shrunk,
    forResizing,
    ...(keepsColours && readsNoPixels(facts, ops) && { componentsOnly: true }),
  };
}

/** Whether a JPEG whose colours are kept is certain to be resized by its components alone. */
const readsNoPixels = ({ colour, orientation }: FileFacts, { pixelate, grayscale, output }: SanitizeOps) =>
  colour === 'ycbcr' &&
  orientation === 1 &&
  output.format === 'jpeg' &&
  !grayscale &&
  !hidesAnything(pixelate);
