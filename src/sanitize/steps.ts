import { componentsOf, offerSamples } from '../codecs/jpeg/planes.ts';
import type { Raster, Size, StoredRaster } from '../codecs/types.ts';
import type { FileFacts } from '../metadata/facts.ts';
import type { SanitizeOps } from '../ops/schema.ts';
import { clearTransparent } from '../pixels/clear_transparent.ts';
import type { Conversion } from '../pixels/colour/conversion.ts';
import { crop } from '../pixels/crop.ts';
import { fillBeneath } from '../pixels/fill.ts';
import { grayscale } from '../pixels/grayscale.ts';
import { type Hidden, hide } from '../pixels/hide.ts';
import { orient, uprightSize } from '../pixels/orient.ts';
import { pixelateCost } from '../pixels/pixelate.ts';
import type { Rect } from '../pixels/rect.ts';
import { resize, resizeCost, sizeUnder } from '../pixels/resize.ts';
import { resizeSamples } from '../pixels/resize_samples.ts';
import { colourCost, type EndSlice, toSrgb } from '../pixels/to_srgb.ts';
import { usualBandBytes } from './cost_limit.ts';
import { areaInShrunk, cropArea } from './crop_area.ts';
import { blockEdges, hidesAnything, MOSAIC_BYTES } from './mosaic_plan.ts';
import { viewIn } from './placement.ts';

/** The ops that the steps depend on. With all absent, the result is the upright image. */
type StepOps = Partial<Pick<SanitizeOps, 'crop' | 'grayscale' | 'pixelate'>> & {
  readonly output?: Pick<SanitizeOps['output'], 'maxWidth'>;
};

/** What the sizes of one job depend on, known from the header and the ops. */
export interface Job {
  readonly facts: FileFacts;
  readonly ops: StepOps;
  /** Absent if the pixels are sRGB already, or need not be: faces are found in any colours. */
  readonly conversion?: Conversion | undefined;
  /** Bytes of upright rows that are held while the image is rotated. Absent: the usual ones. */
  readonly bandBytes?: number;
}

/** What is known when a step is applied. */
export interface StepInput extends Job {
  /** The factor by which the decoder has shrunk the image: its width and height are ceil(stored / factor). */
  readonly factor: number;
  /** What the crop step keeps, in pixels of the upright source. */
  readonly crop: Rect;
  readonly output: Size;
  /** What is filled and pixelated. */
  readonly hidden: Hidden;
  /** Absent: no step pauses. */
  readonly endSlice?: EndSlice;
}

/** One step of the pipeline: from rows to rows. */
export interface PipelineStep {
  readonly name: string;
  /** Applied before face detection, too. */
  readonly beforeDetection?: boolean;
  /** The size of the image after the step, from that before it. Absent: the same. */
  readonly size?: (before: Size, job: Job) => Size;
  /** The most bytes that the step reserves in the image's core. Absent: none. */
  readonly cost?: (before: Size, after: Size, job: Job) => number;
  /** The image after the step; the source itself if there is nothing to do. */
  readonly apply: (source: StoredRaster, input: StepInput) => Raster | Promise<Raster>;
}

/** The size of the upright image, or of the part of it that the file shows. */
export function shownSize({ width, height, orientation, cleanAperture }: FileFacts): Size {
  const { width: across, height: down } = cleanAperture ?? uprightSize(width, height, orientation);
  return { width: across, height: down };
}

/** The size of the crop in an image that the decoder has shrunk; its last column and row may reach beyond. */
const shownPart = ({ width, height }: Size, factor: number): Size => ({
  width: width / factor,
  height: height / factor,
});

/** The first pixel of the crop in an image that the decoder has shrunk. */
const firstOf = ({ x, y }: Rect, factor: number) => ({
  x: Math.floor(x / factor),
  y: Math.floor(y / factor),
});

const isSameSize = (a: Size, b: Size) => a.width === b.width && a.height === b.height;

const bandBytes = (job: Job): number => job.bandBytes ?? usualBandBytes(job.facts);

/** The pipeline in the specification's order, from decoded to encoded. Colours become sRGB first. */
export const steps = [
  {
    name: 'toSrgb',
    cost: (before, _after, { conversion, facts }) =>
      conversion ? colourCost(conversion, before, facts.bitDepth > 8) : 0,
    apply: async (source, { conversion, endSlice }) =>
      (conversion && (await toSrgb(source, conversion, endSlice))) ?? source,
  },
  {
    name: 'autoOrient',
    beforeDetection: true,
    size: ({ width, height }, { facts }) => uprightSize(width, height, facts.orientation),
    // A mirrored image needs no band: its rows are mirrored in place.
    cost: (before, _after, job) =>
      job.facts.orientation > 2 ? Math.min(bandBytes(job), before.width * before.height * 4) : 0,
    apply: (source, job) => orient(source, job.facts.orientation, bandBytes(job)),
  },
  {
    // The part that a file shows of its picture. The standard applies it before the turn, with the same
    // pixels as result. Here it comes after: a quarter turn reads columns of the whole, which decoders can do
    // by themselves.
    name: 'cleanAperture',
    beforeDetection: true,
    size: (_before, { facts }) => shownSize(facts),
    apply: (source, { facts: { cleanAperture } }) => (cleanAperture ? crop(source, cleanAperture) : source),
  },
  {
    name: 'crop',
    beforeDetection: true,
    size: (before, { ops }) => cropArea(ops.crop, before),
    apply: (source, { crop: part, factor }) => crop(source, areaInShrunk(part, factor, source)),
  },
  {
    name: 'grayscale',
    apply: (source, { ops }) => (ops.grayscale ? grayscale(source) : source),
  },
  {
    name: 'fillBeneath',
    // Before a resize, which brings some of every pixel to those around it; without one, `pixelate` paints.
    apply: (source, { hidden: { filled, colour, sure }, crop: part, output, factor }) =>
      isSameSize(source, output)
        ? source
        : fillBeneath(
            source,
            filled,
            colour,
            sure,
            viewIn({ crop: part, output }, factor, firstOf(part, factor)),
          ),
  },
  {
    name: 'resize',
    size: (before, { ops }) => sizeUnder(ops.output?.maxWidth, before),
    cost: (before, after) => resizeCost(before, after),
    apply: (source, { crop: part, output, factor }) => {
      const resized = resize(source, output, shownPart(part, factor));
      // Only if these are the source's own pixels: a step that changes any makes another raster.
      const components = resized === source ? undefined : componentsOf(source);
      const samples = components && resizeSamples(source, components, output, resizeCost(part, output));
      if (samples) offerSamples(resized, samples);
      return resized;
    },
  },
  {
    name: 'pixelate',
    cost: (before, _after, { ops: { pixelate: wanted } }) =>
      wanted && hidesAnything(wanted) ? pixelateCost(before, blockEdges(wanted, before), MOSAIC_BYTES) : 0,
    apply: (source, { hidden }) => hide(source, hidden, MOSAIC_BYTES),
  },
  {
    name: 'clearTransparent',
    apply: (source) => clearTransparent(source),
  },
] as const satisfies readonly PipelineStep[];

export type StepName = (typeof steps)[number]['name'];

/** The sizes of a job's image on its way through the steps. */
export interface JobSizes {
  readonly upright: Size;
  /** In upright source pixels; the whole image if no crop was asked for. */
  readonly crop: Rect;
  readonly output: Size;
}

/**
 * Follows the image through all steps.
 * @throws ParameterFault when the crop lies outside the image
 */
export function jobSizes(job: Job): JobSizes {
  let output: Size = { width: job.facts.width, height: job.facts.height };
  for (const { size } of steps as readonly PipelineStep[]) output = size?.(output, job) ?? output;
  const upright = shownSize(job.facts);
  return { upright, crop: cropArea(job.ops.crop, upright), output };
}

/** The most bytes that the chosen steps together reserve in the image's core. */
export function memoryOf(job: Job, chosen: (step: PipelineStep) => boolean = () => true): number {
  let size: Size = { width: job.facts.width, height: job.facts.height };
  let bytes = 0;
  for (const step of steps as readonly PipelineStep[]) {
    const before = size;
    size = step.size?.(before, job) ?? before;
    if (chosen(step)) bytes += step.cost?.(before, size, job) ?? 0;
  }
  return bytes;
}

/** The image after some of the steps, and which of them have changed it. */
interface SteppedImage {
  readonly raster: Raster;
  readonly applied: ReadonlySet<StepName>;
}

/** Applies the chosen steps, in order; nothing is read yet. */
export async function applySteps(
  source: Raster,
  input: StepInput,
  chosen: (step: PipelineStep, index: number) => boolean,
): Promise<SteppedImage> {
  const applied = new Set<StepName>();
  let raster = source;
  for (const [index, step] of steps.entries()) {
    if (!chosen(step, index)) continue;
    const next = await step.apply(raster, input);
    if (next !== raster) applied.add(step.name);
    raster = next;
  }
  return { raster, applied };
}

const fillAt = steps.findIndex(({ name }) => name === 'fillBeneath');

/** Steps before face detection. */
export const beforeDetection = (step: PipelineStep): boolean => step.beforeDetection === true;
/** Steps before the first one that depends on what is hidden. */
export const beforeHiding = (_step: PipelineStep, index: number): boolean => index < fillAt;
/** From there to the end. */
export const fromHiding = (_step: PipelineStep, index: number): boolean => index >= fillAt;
