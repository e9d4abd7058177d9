import type { ColumnRange } from '../../core/av1/columns.ts';
import { Av1Picture } from '../../core/av1/picture.ts';
import { ROW_SLACK } from '../../core/constants.ts';
import { type Core, createCore } from '../../core/instance.ts';
import { decodingFault, limitFault } from '../../faults.ts';
import { bytesOf, type ImageFile } from '../../memory/image_file.ts';
import { CoreBytes } from '../../memory/owned_bytes.ts';
import type { AvifPicture, CodedPicture } from '../../metadata/avif/coded_picture.ts';
import type { Av1Coding, CodePoints, FileFacts } from '../../metadata/facts.ts';
import { uninterrupted } from '../../scheduling/time_slice.ts';
import { rowsWork } from '../../scheduling/work.ts';
import { mapStrips } from '../../strips.ts';
import type { DecodedRaster, Decoder, Size, StoredRaster, Strip, Strip16, Want, Work } from '../types.ts';
import { planeColumns } from './bands.ts';
import { placeIn, readPicture } from './bitstream.ts';
import { avifDecodeCost, avifPixelWork, isOfOtherSize } from './cost.ts';
import { GridPicture, gridWork } from './grid.ts';
import { colourMatrix } from './matrix.ts';
import type { PlanePicture } from './planes.ts';
import { stripBytes } from './predicted_cost.ts';
import { type RgbaPlan, type RgbaRows, rgbaRows } from './rgba_rows.ts';
import { isScalable, ScaledPlane } from './scaled_plane.ts';

/**
 * The work of decoding a coded byte, in pixels: bytes of lossless pictures take longer than their pixels
 * count for.
 */
const CODED_BYTE_WORK: Work = 3.5;

/**
 * AVIF stills and the first image of a sequence, by rows in the image core: grids, alpha, 8 to 12 bits.
 * `irot` and `imir` are left to `facts.orientation`. A file that lies in a core is read in place. libavif
 * reads layers that are predicted from lower ones.
 */
export const avifDecoder: Decoder = {
  format: 'avif',
  reading: {
    pixelTime: 40,
    pixelWork: avifPixelWork,
    byteWork: 8,
    rowByRow: true,
    halvesChroma({ avif }) {
      const { monochrome, subX, subY } = avif?.colour ?? { monochrome: true };
      return !monochrome && subX === 1 && subY === 1;
    },
  },
  cost: avifDecodeCost,

  work: gridWork,

  async open(file, facts, want, slice = uninterrupted) {
    const picture = await readPicture(bytesOf(file), slice);
    const isPredicted = facts.avif?.predicted !== undefined;
    // Loaded only for such a file, as it brings a module of a megabyte.
    const predicted = isPredicted ? await import('./predicted_layers.ts') : undefined;
    await predicted?.loadLibavif();
    const openFile = (core: Core, release: () => void) =>
      predicted?.openPredictedLayers(core, file, facts, picture, release) ??
      openIn(core, file, facts, picture, want, release);
    const own = isPredicted ? stripBytes(facts) : avifDecodeCost(facts, want).inCores;
    const expected = own + (want.reserveBytes ?? 0);
    if (file instanceof CoreBytes) {
      if (want.reserveBytes !== undefined) file.moveToRoomier(file.length + expected);
      const { core } = file;
      const region = core.region();
      return openFile(core, () => {
        if (!core.disposed) region[Symbol.dispose]();
      });
    }
    const core = createCore(file instanceof Uint8Array ? file.length + expected : expected);
    return openFile(core, () => core[Symbol.dispose]());
  },
};

/** @param release gives back what was reserved in the core */
function openIn(
  core: Core,
  file: ImageFile,
  facts: FileFacts,
  { colour, alpha, premultiplied }: AvifPicture,
  { columnBands }: Want,
  release: () => void,
): DecodedRaster {
  const opened: Disposable[] = [];
  const close = () => {
    for (const picture of opened.splice(0)) picture[Symbol.dispose]();
    release();
  };
  try {
    const pictures = facts.avif;
    const ranges = columnBands?.map((band) => planeColumns(band, facts.width));
    const planes = openPicture(core, file, colour, pictures?.colour, ranges, opened);
    const size = { width: facts.width, height: facts.height };
    const isScaled = pictures?.alpha !== undefined && isOfOtherSize(pictures.alpha, size);
    const alphaRanges = isScaled ? undefined : ranges;
    const alphaPlanes = alpha && openPicture(core, file, alpha, pictures?.alpha, alphaRanges, opened);
    // Kernels read a little past a row: this provides memory after the last one, too.
    core.alloc(ROW_SLACK);
    requireSize(planes.picture, colour, facts, '');
    const alphaPlane = alphaPlanes && fitted(core, alphaPlanes.picture, alpha!, size);
    if (alphaPlane) requireSize(alphaPlane, alpha!, facts, ' of alpha');
    const { depth, monochrome } = planes.picture;
    const { primaries, matrix, fullRange } = facts.colorimetry?.codePoints ?? planes.codePoints;
    const plan: RgbaPlan = {
      size,
      colour: planes.picture,
      alpha: alphaPlane,
      coding: { primaries, matrix, fullRange, depth, monochrome },
      alphaFullRange: alphaPlanes?.codePoints.fullRange ?? true,
      premultiplied,
    };
    // Refuses what can't be converted before anything is decoded.
    colourMatrix(plan.coding, 1, 255);
    return rasterOf(core, plan, close);
  } catch (error) {
    close();
    throw error;
  }
}

/** A picture, and what its bitstream states about its colours. */
interface OpenPicture {
  readonly picture: PlanePicture;
  readonly codePoints: CodePoints;
}

/**
 * @param ranges the columns that will be read
 * @param opened everything to be disposed of is added here
 */
function openPicture(
  core: Core,
  file: ImageFile,
  coded: CodedPicture,
  coding: Av1Coding | undefined,
  ranges: readonly ColumnRange[] | undefined,
  opened: Disposable[],
): OpenPicture {
  let codePoints: CodePoints | undefined;
  const openTile = (tileCore: Core, index: number): PlanePicture => {
    const tile = coded.tiles[index]!;
    const { at, length } = placeIn(tileCore, file, tile);
    const picture = new Av1Picture(tileCore, at, length, tile.operatingPoint, tile.layer);
    const { bytes, columns, primaries, transfer, matrix, fullRange } = picture.facts;
    const isInBands = !coded.isGrid && ranges !== undefined;
    const bandBytes = isInBands && columns ? columns.bytes : 0;
    // The job has reserved less than that.
    if (coding && (bytes > coding.decoderBytes || bandBytes > (coding.bands?.bytes ?? 0))) {
      throw limitFault(`Tile ${index + 1} of the AVIF needs more memory than the tiles that were measured`);
    }
    codePoints ??= { primaries, transfer, matrix, fullRange };
    picture.reserve();
    if (isInBands) picture.reserveColumns(ranges);
    return planesOf(picture);
  };
  if (coded.tiles.length === 1) {
    const picture = openTile(core, 0);
    return { picture, codePoints: codePoints! };
  }
  const expected = coding ? coding.columns * coding.decoderBytes + coding.copiedBytes : 0;
  const picture = new GridPicture(core, coded, openTile, expected);
  opened.push(picture);
  return { picture, codePoints: codePoints! };
}

function planesOf(picture: Av1Picture): PlanePicture {
  const { width, height, depth, monochrome, subsamplingX: subX, subsamplingY: subY } = picture.facts;
  return {
    ...{ width, height, depth, monochrome, subX, subY },
    *rows(range) {
      const from = range?.from ?? 0;
      const columns = Math.ceil(range ? picture.columnsRead(range) : width);
      // Rows come later than their superblocks, by as much as filters look ahead; and superblocks may reach
      // beyond the rows.
      const whole = rowsWork(height, columns);
      let told: Work = 0;
      let due: Work = 0;
      const upTo = function* (work: Work) {
        const pixels = Math.max(0, work - told);
        const most = Math.max(pixels, picture.takeCodedBytes() * CODED_BYTE_WORK);
        if (most > 0) yield most;
        told += pixels;
      };
      for (const batch of picture.rows(range)) {
        if (typeof batch === 'number') {
          yield* upTo(Math.min(whole, told + batch));
          continue;
        }
        const { y, rows, planes } = batch;
        due += rowsWork(rows, columns);
        yield* upTo(due);
        const isHalf = (plane: number) => plane > 0 && subX === 1;
        yield {
          y,
          rows,
          planes: planes.map(({ at, stride }, plane) => ({
            at: at + (isHalf(plane) ? from : from * 2),
            stride,
          })),
        };
      }
    },
  };
}

/** Alpha of the picture's size: scaled if it has another, as in libavif. Grids of it are left as they are. */
function fitted(core: Core, alpha: PlanePicture, { isGrid }: CodedPicture, size: Size): PlanePicture {
  const isOther = alpha.width !== size.width || alpha.height !== size.height;
  return isOther && !isGrid && isScalable(alpha, size) ? new ScaledPlane(core, alpha, size) : alpha;
}

/** Requires a picture that is no grid to have the size that the header promises. */
function requireSize(
  { width, height }: Size,
  { isGrid }: CodedPicture,
  facts: FileFacts,
  what: string,
): void {
  const isFitting = width === facts.width && height === facts.height;
  const isCovering = isGrid === true && width >= facts.width && height >= facts.height;
  if (isFitting || isCovering) return;
  throw decodingFault(
    `The AVIF header promises ${facts.width} × ${facts.height} pixels but its image data${what} has ${width} × ${height}`,
  );
}

function rasterOf(core: Core, plan: RgbaPlan, close: () => void): DecodedRaster {
  let reading: Disposable | undefined;
  const begin = () => {
    // The memory of an abandoned read is freed when the next one begins.
    reading?.[Symbol.dispose]();
    reading = core.region();
    return reading;
  };
  return { ...columnsOf(core, plan, begin, 0, plan.size.width), [Symbol.dispose]: close };
}

/** The columns [x, x + width) of a picture. @param begin begins a read: gives its memory */
function columnsOf(
  core: Core,
  plan: RgbaPlan,
  begin: () => Disposable,
  x: number,
  width: number,
): StoredRaster {
  return {
    width,
    height: plan.size.height,
    opaque: plan.alpha === undefined,
    grey: plan.coding.monochrome,
    core,
    columns: (from, count) => columnsOf(core, plan, begin, x + from, count),
    *strips(): Generator<Strip | Work> {
      using _region = begin();
      yield* mapStrips(rgbaRows(core, plan, false, x, width), function* ({ y, rows, place }: RgbaRows) {
        yield { y, rows, pixels: core.view(place, rows * width * 4) };
      });
    },
    ...(plan.coding.depth > 8 && {
      *strips16(): Generator<Strip16 | Work> {
        using _region = begin();
        yield* mapStrips(rgbaRows(core, plan, true, x, width), function* ({ y, rows, place }: RgbaRows) {
          yield { y, rows, samples: new Uint16Array(core.exports.memory.buffer, place, rows * width * 4) };
        });
      },
    }),
  };
}
