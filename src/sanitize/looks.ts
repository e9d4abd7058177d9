import { decoders } from '../codecs/registry.ts';
import type { Want } from '../codecs/types.ts';
import { moveBox, type ScoredBox, scaleBox, sharedArea } from '../faces/boxes.ts';
import { bytesOf, type ImageFile } from '../memory/image_file.ts';
import { totalBytes } from '../memory/memory_cost.ts';
import type { FileFacts } from '../metadata/facts.ts';
import type { Area } from '../pixels/ellipse.ts';
import { fillBeneath } from '../pixels/fill.ts';
import { NOTHING_HIDDEN } from '../pixels/hide.ts';
import { bandRows, columnBands, swapsSides } from '../pixels/orient.ts';
import type { Rect } from '../pixels/rect.ts';
import type { Coverage } from '../pixels/row_spans.ts';
import type { JobTime } from '../scheduling/time_slice.ts';
import { rowsWork } from '../scheduling/work.ts';
import { areaInShrunk } from './crop_area.ts';
import { type Finder, type Findings, type Found, joined } from './finder.ts';
import { openImage } from './open_image.ts';
import { detectionTime } from './pixel_time.ts';
import { inOutput, type Placement, turnedBack, viewIn } from './placement.ts';
import { measuredDetection, type OnProgress } from './progress.ts';
import { applySteps, beforeDetection, memoryOf, shownSize } from './steps.ts';

/**
 * One way of showing the picture to finders: all of it or a part, the way up that it is read. What is filled
 * in the output is not shown, so that nothing beneath a fill has a part in what is found.
 */
export interface Look {
  readonly facts: FileFacts;
  /** The part that is searched, in whole pixels of the upright picture. */
  readonly area: Rect;
  /** From this upright picture to the output. */
  readonly placement: Placement;
  /** What is filled, in output pixels. */
  readonly filled: Coverage;
  /** Whether only what the output's edge cuts counts: the rest is for another look to judge. */
  readonly isAround?: boolean;
}

/** How a look reads the picture for each of the finders, and the memory that this takes. */
export interface PlannedLook extends Look {
  /** Bytes of upright rows that are held while a turned picture is read. */
  readonly bandBytes: number;
  readonly finders: readonly { readonly finder: Finder; readonly want: Want }[];
  /** Bytes held at the peak, without the file. */
  readonly bytes: number;
  /** Of these, the most that lie outside of image cores at one time. */
  readonly outsideCores: number;
}

/** @param reserveBytes room for what the job reserves later in the core of the first read */
export function planLook(
  look: Look,
  finders: readonly Finder[],
  bandBytes: number,
  reserveBytes?: number,
): PlannedLook {
  const { facts, area } = look;
  const decoder = decoders[facts.format];
  const stepBytes = memoryOf({ facts, ops: {}, bandBytes }, beforeDetection);
  const planned = finders.map((finder) => {
    const want: Want = {
      ...shrunkTo(facts, finder.wantedWidth(area) / area.width),
      ...inColumns(facts, bandBytes),
    };
    return { finder, want, reading: decoder.cost(facts, want), cost: finder.cost(area) };
  });
  const most = (bytesOfOne: (one: (typeof planned)[number]) => number) =>
    Math.max(0, ...planned.map(bytesOfOne));
  return {
    ...look,
    bandBytes,
    finders: planned.map(({ finder, want }) => ({
      finder,
      want: { ...want, ...(reserveBytes !== undefined && { reserveBytes }) },
    })),
    bytes: most(({ reading, cost }) => totalBytes(reading) + stepBytes + totalBytes(cost)),
    outsideCores: most(({ reading, cost }) => reading.elsewhere + cost.elsewhere),
  };
}

/** What looks need of their job. */
interface SearchedJob {
  readonly file: ImageFile;
  readonly time: JobTime;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: OnProgress | undefined;
}

/**
 * Shows the picture to all finders, look by look.
 * @param looks what an earlier one has found is kept where a later one finds the same
 * @returns tight boxes in output pixels, all of which share a part of the output
 * @throws whatever decoding and the finders throw
 */
export async function search(looks: readonly PlannedLook[], job: SearchedJob): Promise<Findings> {
  let found: Findings['found'] = [];
  const doubtful: ScoredBox[] = [];
  for (const [at, look] of looks.entries()) {
    const seen: Found[] = [];
    for (const index of look.finders.keys()) {
      const findings = await lookOnce(look, index, job, at + index === 0 ? job.onProgress : undefined);
      job.signal?.throwIfAborted();
      seen.push(...findings.found);
      if (at === 0) doubtful.push(...findings.doubtful);
    }
    found = joined(found, seen, look.placement.output);
  }
  return { found, doubtful };
}

async function lookOnce(
  { facts, area, placement, filled, isAround, bandBytes, finders }: PlannedLook,
  index: number,
  { file, time, signal }: SearchedJob,
  onProgress: OnProgress | undefined,
): Promise<Findings> {
  const { finder, want } = finders[index]!;
  using image = await openImage(file, facts, want, time);
  const { factor } = image;
  const { raster } = await applySteps(
    image.raster,
    { facts, ops: {}, bandBytes, factor, crop: area, output: placement.output, hidden: NOTHING_HIDDEN },
    beforeDetection,
  );
  const upright = shownSize(facts);
  const shrunk = { width: Math.ceil(upright.width / factor), height: Math.ceil(upright.height / factor) };
  const cut = areaInShrunk(area, factor, shrunk);
  const back = turnedBack(placement);
  const hidden = mapped(filled, (area, isCut) => {
    const one = back.area(area);
    return factor === 1 ? one : grown(one, back, isCut ? -1 : 1);
  });
  const shown = fillBeneath(raster, hidden, SHOWN_FILL, SHOWN_TRAITS, viewIn(back, factor, cut));
  const slice = time.perPixel(detectionTime({ facts, bytes: bytesOf(file).length }, factor));
  const paced = onProgress
    ? measuredDetection(slice, rowsWork(shown.height, shown.width), onProgress)
    : slice;
  const findings = await finder.find(shown, paced, signal);
  const placed = <B extends ScoredBox>(box: B): B =>
    inOutput(scaleBox(moveBox(box, cut.x, cut.y), factor, factor), placement);
  const { width, height } = placement.output;
  const isInOutput = (box: ScoredBox) => sharedArea(box, { x: 0, y: 0, w: width, h: height }) > 0;
  const isCut = ({ x, y, w, h }: ScoredBox) => Math.min(x, y) < 0 || x + w > width || y + h > height;
  const counts = (box: ScoredBox) => isInOutput(box) && (!isAround || isCut(box));
  return {
    found: findings.found.map(placed).filter(counts),
    doubtful: findings.doubtful.map(placed).filter(counts),
  };
}

/** Finders see fills in this grey, whatever their colour: a black one would be taken for night. */
const SHOWN_FILL = { red: 128, green: 128, blue: 128 };

/** Finders see grey as they see colours, and alpha laid on white. */
const SHOWN_TRAITS = { grey: false, opaque: false };

/**
 * The side of the largest MCU, in pixels of the source (ITU-T T.81, A.2: 8 × 8 samples, sampled by up to 4).
 * A JPEG's decoder that shrinks makes each of its pixels from a whole block, so blocks that lie partly
 * beneath a fill are not shown either.
 */
const MCU_SIDE = 32;

/** An area of the output grown by an MCU of the source, or shrunk by one. */
function grown(
  { x, y, width, height }: Area,
  { crop, output }: Pick<Placement, 'crop' | 'output'>,
  sign: 1 | -1,
): Area {
  const across = sign * Math.ceil((MCU_SIDE * output.width) / crop.width);
  const down = sign * Math.ceil((MCU_SIDE * output.height) / crop.height);
  const [wide, high] = [Math.max(0, width + 2 * across), Math.max(0, height + 2 * down)];
  return { x: x - across, y: y - down, width: wide, height: high };
}

/** The same coverage of other areas. @param change is told whether the area is cut off another */
function mapped(coverage: Coverage, change: (area: Area, isCut: boolean) => Area, isCut = false): Coverage {
  if ('all' in coverage) return { all: coverage.all.map((one) => mapped(one, change, isCut)) };
  if ('of' in coverage)
    return { of: mapped(coverage.of, change, isCut), without: mapped(coverage.without, change, !isCut) };
  return coverage.map((area) => change(area, isCut));
}

/** Full size, or shrunk by the decoder to no less than `scale` times the stored width. */
export function shrunkTo({ width }: FileFacts, scale: number): Want {
  return scale >= 1 ? {} : { minWidth: Math.max(1, Math.ceil(width * scale)) };
}

/** The columns that bands of this many bytes read, if there are several bands. */
export function inColumns({ width, height, orientation }: FileFacts, bandBytes: number): Want {
  if (!swapsSides(orientation) || bandBytes >= width * height * 4) return {};
  return { columnBands: columnBands(width, orientation, bandRows(height, width, bandBytes)) };
}
