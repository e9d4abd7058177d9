import type { SamplePlane } from '../../core/jpeg/encode.ts';
import type { Raster, Work } from '../types.ts';

/** How many chroma samples there are: none; as many as luma; half as many in both directions. */
export type ChromaSampling = 'grey' | '4:4:4' | '4:2:0';

/**
 * The next rows of an image, valid until the next band: 16 of luma for 4:2:0, else 8; fewer only at the
 * image's end. What a row holds past the image's width is no part of the picture.
 */
export interface SampleBand {
  readonly rows: number;
  /**
   * Luma, or luma, Cb and Cr (ITU-T T.871: full range), chroma in rows and columns as sampled, rounded up.
   */
  readonly planes: readonly SamplePlane[];
}

/** The stored samples that a raster's pixels are made from: read instead of its strips, in the same way. */
export interface StoredSamples {
  readonly sampling: ChromaSampling;
  bands(): Iterable<SampleBand | Work>;
}

const offers = new WeakMap<Raster, StoredSamples>();

/**
 * Offers an encoder the stored samples of this raster. They are tied to the object rather than being a member
 * of it, so that a step that makes another raster, even by copying all members, cannot pass them on by
 * mistake and undo a crop or a mosaic.
 */
export function offerSamples(raster: Raster, samples: StoredSamples): void {
  offers.set(raster, samples);
}

/** The samples that are this raster's own pixels; undefined when it has none, or is any step's result. */
export function samplesOf(raster: Raster): StoredSamples | undefined {
  return offers.get(raster);
}
