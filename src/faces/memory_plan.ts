import type { Size } from '../codecs/types.ts';
import { arraysCost } from './bump_allocator.ts';
import { liftingCost } from './dark.ts';
import { type DetectionPlan, passSide } from './detection_plan.ts';
import { passInputsCost, pictureCost, shrinkingCost } from './pass_inputs.ts';
import type { SearchModels } from './search_models.ts';
import { verifierCost } from './verifier.ts';
import { zoomPassCost } from './zoom_pass.ts';

/** Floats of the model's largest input. */
export const inputFloats = passSide * passSide * 3;

/** Bytes that a search takes. */
interface MemoryPlan {
  /** Enough for any model and pass: the whole picture has a square at most; tiles may be turned. */
  readonly workspace: number;
  /** The most that a search holds at one time, `workspace` included. */
  readonly total: number;
}

export function planMemory(models: SearchModels, source: Size, plan: DetectionPlan): MemoryPlan {
  const { whole, small, half, fine, crowd, enlarged } = plan;
  const tiles = [fine, crowd, enlarged].flatMap((tiling) => (tiling ? [tiling.tile] : []));
  const workspace = Math.max(
    ...[{ width: passSide, height: passSide }, ...tiles].flatMap(({ width, height }) =>
      [models.whole, models.tiles].flatMap((model) => [
        model.workspaceBytes(width, height),
        model.workspaceBytes(height, width),
      ]),
    ),
  );
  const { kept, reading } = passInputsCost(source, plan);
  const crowded = crowd ? passInputsCost(source, { whole, fine: crowd }) : { kept: 0, reading: 0 };
  const halved = half ? pictureCost(half) : 0;
  // Small views are made while what was read is still held.
  const looking = reading + (small ? shrinkingCost(whole, small) : 0);
  const most = Math.max(
    looking,
    half ? shrinkingCost(whole, half) : 0,
    // One at a time beside the half-size picture: it brightened; the whole with lifted shadows; tiles read
    // again, or those of a crowd, with another whole; atlases; the verifier's crops.
    2 * halved,
    half ? halved + pictureCost(whole) + liftingCost(whole.width) : 0,
    fine ? halved + kept + looking : 0,
    halved + crowded.kept + crowded.reading,
    halved + zoomPassCost(source),
    halved + verifierCost(whole),
  );
  const input = inputFloats * Float32Array.BYTES_PER_ELEMENT;
  return { workspace, total: arraysCost(input, workspace) + kept + most };
}
