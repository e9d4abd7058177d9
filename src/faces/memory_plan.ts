import type { Size } from '../codecs/types.ts';
import { arraysCost } from './bump_allocator.ts';
import { type DetectionPlan, passSide } from './detection_plan.ts';
import type { FaceModel } from './network/network.ts';
import { passInputsCost, pictureCost, shrinkingCost } from './pass_inputs.ts';
import { verifierCost } from './verifier.ts';
import { zoomPassCost } from './zoom_pass.ts';

/** Floats of the model's largest input. */
export const inputFloats = passSide * passSide * 3;

/** Bytes that a search takes. */
interface MemoryPlan {
  /** What the model takes for any pass: inputs are squares at most, or tiles. */
  readonly workspace: number;
  /** All that a search may have in its memory at one time, with that. */
  readonly total: number;
}

export function planMemory(model: FaceModel, source: Size, plan: DetectionPlan): MemoryPlan {
  const { whole, small, half, fine, crowd, enlarged } = plan;
  const tiles = [fine, crowd, enlarged].flatMap((tiling) => (tiling ? [tiling.tile] : []));
  const inputs = [{ width: passSide, height: passSide }, ...tiles];
  const workspace = Math.max(...inputs.map(({ width, height }) => model.workspaceBytes(width, height)));
  const { kept, reading } = passInputsCost(source, plan);
  const crowded = crowd ? passInputsCost(source, { whole, fine: crowd }) : { kept: 0, reading: 0 };
  const halved = half ? pictureCost(half) : 0;
  const most = Math.max(
    reading,
    small ? shrinkingCost(whole, small) : 0,
    half ? shrinkingCost(whole, half) : 0,
    // Beside the half-size picture: that brightened, the tiles of a crowd with the whole once more, atlases.
    2 * halved,
    halved + crowded.kept + crowded.reading,
    halved + zoomPassCost(source),
    halved + verifierCost(whole),
  );
  const input = inputFloats * Float32Array.BYTES_PER_ELEMENT;
  return { workspace, total: arraysCost(input, workspace) + kept + most };
}
