import type { Raster, Size } from '../codecs/types.ts';
import { clipBox, type ScoredBox } from '../faces/boxes.ts';
import { DetectorMemory } from '../faces/detector_memory.ts';
import { pictureCost, readScales, shrinkPicture } from '../faces/pass_inputs.ts';
import { Shrinker } from '../faces/shrink.ts';
import { inputSize, type Picture } from '../faces/tensor.ts';
import type { MemoryCost } from '../memory/memory_cost.ts';
import { inTurns, type TimeSlice, uninterrupted } from '../scheduling/time_slice.ts';
import type { Work } from '../scheduling/work.ts';
import { isFlat } from './flat.ts';
import { atMost, joinBoxes, MOST_BOXES, withoutBlocks } from './join_boxes.ts';
import { type MapKind, readingModel } from './model.ts';
import { type OutlinedBox, outlined } from './outline.ts';
import { movedBox, type ReadingMaps, readMaps, type SeenBox, scaledBox } from './read_maps.ts';
import type { ReadingNetwork } from './reading_network.ts';
import { planReading, type ReadingPlan } from './reading_plan.ts';
import { ReadingView, viewCost } from './reading_view.ts';

/** Text or a plate, in pixels of the raster; its outline may extend outside. */
export interface ReadableBox extends ScoredBox, OutlinedBox {
  readonly kind: MapKind;
}

interface ReadOptions {
  /** Least confidence for each kind to look for. */
  readonly least: ReadonlyMap<MapKind, number>;
  /** `coarse`: only the view of the whole, as used by the second detection. */
  readonly effort: 'thorough' | 'coarse';
  readonly slice?: TimeSlice;
}

export interface ReadableDetector {
  /** Peak bytes that a search holds for a picture of this size. */
  cost(size: Size): MemoryCost;
  /** The raster width that a search can use: a decoder may shrink a picture of this size down to it. */
  wantedWidth(size: Size): number;
  /** Work of the network in all views of a picture of this size, without that of reading the picture. */
  work(size: Size): Work;
  /**
   * Reads the raster once, and looks for text and plates.
   * @returns most confident first; one box for each line, word or plate
   * @throws whatever the raster and loading the network throw, and Fault 'limit' when there is no memory
   */
  read(source: Raster, options: ReadOptions): Promise<ReadableBox[]>;
}

/** Work of the network per pixel of a view. */
const PIXEL_WORK: Work = 4;

/** Bytes of objects per box during a search. */
const BOX_BYTES = 512;

export function createReadableDetector(network: ReadingNetwork): ReadableDetector {
  return {
    cost(size) {
      const { total, elsewhere } = memoryFor(network, size, planReading(size));
      return { inCores: DetectorMemory.heldBytes(total), elsewhere };
    },
    wantedWidth: (size) => {
      const { fine, whole } = planReading(size);
      return (fine ?? whole).width;
    },
    work(size) {
      const { whole, small, fine } = planReading(size);
      const inputs = [whole, small, fine].flatMap((view) => (view ? [inputSize(view)] : []));
      return PIXEL_WORK * inputs.reduce((sum, { width, height }) => sum + width * height, 0);
    },
    async read(source, { least, effort, slice = uninterrupted }) {
      const planned = planReading(source);
      const plan: ReadingPlan = effort === 'thorough' ? planned : { whole: planned.whole };
      using memory = DetectorMemory.open(memoryFor(network, source, plan).total);
      const time = { spend: (nanoseconds: number) => slice.spendTime(nanoseconds) };
      let found: readonly SeenBox[] = [];
      const open = (size: Size, isSparse: boolean, { leastSide = 0, isCoarser = false } = {}) => {
        const across = source.width / size.width;
        const onMaps = async (maps: ReadingMaps, top: number) => {
          const seen = (await inTurns(readMaps(maps, least), time))
            .filter(({ box }) => 2 * box.short >= leastSide)
            .map((one) => ({ ...one, box: scaledBox(movedBox(one.box, 0, top), across) }));
          const more = isCoarser ? await inTurns(withoutBlocks(seen, found), time) : seen;
          found = await inTurns(atMost([...found, ...more], source), time);
          await slice.end();
        };
        return ReadingView.open(network, memory, size, isSparse, onMaps, slice);
      };
      const readWhole = async (picture: Picture, options: { leastSide?: number; isCoarser: boolean }) => {
        if (isFlat(picture)) return;
        using _region = memory.region();
        const view = await open(picture, false, options);
        const length = 3 * picture.width;
        for (let y = 0; y < picture.height; y++) {
          view.push(picture.pixels.subarray(y * length, (y + 1) * length));
          if (view.isDue) await view.advance();
        }
      };
      const openFine = async (size: Size) => {
        const view = await open(size, true);
        const advance = () => (view.isDue ? view.advance() : undefined);
        return { size, push: (row: Uint8Array) => view.push(row), advance };
      };
      const { whole, fine } = plan;
      const picture = await readScales(source, whole, fine && (() => openFine(fine)), memory, slice);
      await readWhole(picture, { isCoarser: plan.fine !== undefined });
      if (plan.small) {
        const small = shrinkPicture(picture, plan.small, memory);
        await readWhole(small, { leastSide: readingModel.leastSideOfLarge, isCoarser: true });
      }
      return (await inTurns(joinBoxes(found), time))
        .flatMap(({ kind, confidence, box }) => {
          const placed = { ...outlined(box), kind, confidence };
          // A box entirely outside of the picture, as one grown at its edge may be, hides nothing.
          return clipBox(placed, source) ? [placed] : [];
        })
        .sort((a, b) => b.confidence - a.confidence);
    },
  };
}

/** The memory that a search holds. */
function memoryFor(network: ReadingNetwork, source: Size, { whole, small, fine }: ReadingPlan) {
  const views = {
    whole: viewCost(network, whole),
    small: small && viewCost(network, small),
    fine: fine && viewCost(network, fine),
  };
  const reading = fine
    ? views.fine!.inCore + Shrinker.cost(source, fine) + Shrinker.cost(fine, whole)
    : Shrinker.cost(source, whole);
  const looking = small ? pictureCost(small) + Math.max(Shrinker.cost(whole, small), views.small!.inCore) : 0;
  const maps = Math.max(...Object.values(views).map((view) => view?.elsewhere ?? 0));
  return {
    total: pictureCost(whole) + Math.max(reading, views.whole.inCore, looking),
    elsewhere: maps + 2 * MOST_BOXES * BOX_BYTES,
  };
}
