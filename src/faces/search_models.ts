import type { FaceModel } from './network/network.ts';

/** The models of a search: each sees the views it is best at (docs/faces.md). */
export interface SearchModels {
  /** Sees the whole picture, also turned and tilted, crops of it, and the finer tiles of crowds. */
  readonly whole: FaceModel;
  /** Sees tiles, and the whole at its smallest. */
  readonly tiles: FaceModel;
}
