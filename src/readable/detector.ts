import type { Raster, Size } from '../codecs/types.ts';
import { clipBox, type ScoredBox } from '../faces/boxes.ts';
import { arraysCost } from '../faces/bump_allocator.ts';
import { DetectorMemory } from '../faces/detector_memory.ts';
import { type Network, PAUSE_TIME } from '../faces/network/network.ts';
import { passInputsCost, readPassInputs, shrinkingCost, shrinkPicture } from '../faces/pass_inputs.ts';
import { fillPart, inputSize, type Picture } from '../faces/tensor.ts';
import type { MemoryCost } from '../memory/memory_cost.ts';
import { inTurns, type TimeSlice, uninterrupted } from '../time_slice.ts';
import type { Work } from '../work.ts';
import { isFlat } from './flat.ts';
import { atMost, joinBoxes, MOST_BOXES, withoutBlocks } from './join_boxes.ts';
import { type MapKind, readingModel } from './model.ts';
import { type OutlinedBox, outlined } from './outline.ts';
import { movedBox, type ReadingMaps, readMaps, type SeenBox, scaledBox } from './read_maps.ts';
import { planReading, type ReadingPlan } from './reading_plan.ts';

/** What can be read, in pixels of the raster; its outline may reach outside. */
export interface ReadableBox extends ScoredBox, OutlinedBox {
  readonly kind: MapKind;
}

interface ReadOptions {
  /** Least confidence of each kind that is looked for. */
  readonly least: ReadonlyMap<MapKind, number>;
  /** `coarse`: the whole alone, as the second detection uses it. */
  readonly effort: 'thorough' | 'coarse';
  readonly slice?: TimeSlice;
}

export interface ReadableDetector {
  /** Peak bytes that a search holds for a picture of this size. */
  cost(size: Size): MemoryCost;
  /** The raster width that a search can use: a decoder may shrink a picture of this size down to it. */
  wantedWidth(size: Size): number;
  /** Work of the network in all views of a picture of this size, beside that of reading it. */
  work(size: Size): Work;
  /**
   * Reads the raster once, and looks for text and plates.
   * @returns surest first; one box for each line, word or plate
   * @throws whatever the raster and loading the network throw, and Fault 'limit' when there is no memory
   */
  read(source: Raster, options: ReadOptions): Promise<ReadableBox[]>;
}

/** Work of the network for a pixel of a view. */
const PIXEL_WORK: Work = 4;

/** What a box takes while it is looked for, in objects. */
const BOX_BYTES = 512;

/** What looks at views. */
export type ReadingNetwork = Pick<Network<ReadingMaps>, 'workspaceBytes' | 'run'>;

export function createReadableDetector(network: ReadingNetwork): ReadableDetector {
  return {
    cost(size) {
      const { total, elsewhere } = memoryFor(network, size, planReading(size));
      return { inCores: DetectorMemory.heldBytes(total), elsewhere };
    },
    wantedWidth: (size) => planReading(size).fine?.size.width ?? planReading(size).whole.width,
    work(size) {
      const { whole, small, fine } = planReading(size);
      const tiles = fine ? Array<Size>(fine.lefts.length * fine.tops.length).fill(fine.tile) : [];
      const pixels = [whole, ...(small ? [small] : []), ...tiles].map(({ width, height }) => width * height);
      return PIXEL_WORK * pixels.reduce((sum, count) => sum + count, 0);
    },
    async read(source, { least, effort, slice = uninterrupted }) {
      const planned = planReading(source);
      const plan: ReadingPlan = effort === 'thorough' ? planned : { whole: planned.whole };
      const { total, input, workspace } = memoryFor(network, source, plan);
      using memory = DetectorMemory.open(total);
      const values = memory.floats(input);
      const place = { core: memory.core, at: memory.take(workspace), bytes: workspace };
      const time = { spend: (nanoseconds: number) => slice.spendTime(nanoseconds) };
      let found: readonly SeenBox[] = [];
      const look = async (
        picture: Picture,
        left: number,
        top: number,
        part: Size,
        across: number,
        { leastSide = 0, isCoarser = false } = {},
      ) => {
        if (isFlat(picture, left, top, part)) return;
        const size = inputSize(part);
        fillPart(values, picture, left, top, part, size);
        const shown = values.subarray(0, 3 * size.width * size.height);
        const maps = await network.run(place, shown, size.width, size.height, () =>
          slice.spendTime(PAUSE_TIME),
        );
        const seen = (await inTurns(readMaps(maps, least), time))
          .filter(({ box }) => 2 * box.short >= leastSide)
          .map((one) => ({ ...one, box: scaledBox(movedBox(one.box, left, top), across) }));
        const more = isCoarser ? await inTurns(withoutBlocks(seen, found), time) : seen;
        found = await inTurns(atMost([...found, ...more], source), time);
        const pause = slice.end();
        if (pause) await pause;
      };
      const picture = await readPassInputs(
        source,
        plan,
        async (band, top) => {
          const { size, tile, lefts } = plan.fine!;
          for (const left of lefts) {
            const part = {
              width: Math.min(tile.width, size.width - left),
              height: Math.min(tile.height, size.height - top),
            };
            await look(band, left, top, part, source.width / size.width);
          }
        },
        memory,
        slice,
      );
      const isCoarser = plan.fine !== undefined;
      await look(picture, 0, 0, picture, source.width / picture.width, { isCoarser });
      if (plan.small) {
        const small = shrinkPicture(picture, plan.small, memory);
        const leastSide = readingModel.leastSideOfLarge;
        await look(small, 0, 0, small, source.width / small.width, { leastSide, isCoarser: true });
      }
      return (await inTurns(joinBoxes(found), time))
        .flatMap(({ kind, confidence, box }) => {
          const placed = { ...outlined(box), kind, confidence };
          // What lies outside of the picture, as a box grown at its edge may, hides nothing.
          return clipBox(placed, source) ? [placed] : [];
        })
        .sort((a, b) => b.confidence - a.confidence);
    },
  };
}

/** What a search holds. */
function memoryFor(network: ReadingNetwork, source: Size, plan: ReadingPlan) {
  const { whole, small, fine } = plan;
  const inputs = [whole, ...(small ? [small] : []), ...(fine ? [fine.tile] : [])].map(inputSize);
  const input = Math.max(...inputs.map(({ width, height }) => 3 * width * height));
  const workspace = Math.max(...inputs.map(({ width, height }) => network.workspaceBytes(width, height)));
  const { kept, reading } = passInputsCost(source, plan);
  const shrinking = small ? shrinkingCost(whole, small) : 0;
  const maps = (2 * input * Float32Array.BYTES_PER_ELEMENT) / 3 / readingModel.stride ** 2;
  return {
    input,
    workspace,
    total:
      arraysCost(input * Float32Array.BYTES_PER_ELEMENT, workspace) + kept + Math.max(reading, shrinking),
    elsewhere: maps + 2 * MOST_BOXES * BOX_BYTES,
  };
}
