import type { SamplePlane } from '../../core/jpeg/encode.ts';
import type { Raster, Size, Work } from '../types.ts';

/** How many chroma samples there are: none; as many as luma; half as many in both directions. */
export type ChromaSampling = 'grey' | '4:4:4' | '4:2:0';

/**
 * The next rows of an image, valid until the next band: 16 of luma for 4:2:0, else 8; fewer only at the
 * image's end. Samples beyond the image's width are not part of the picture.
 */
export interface SampleBand {
  readonly rows: number;
  /**
   * Luma, or luma, Cb and Cr (ITU-T T.871: full range), chroma in rows and columns as sampled, rounded up.
   */
  readonly planes: readonly SamplePlane[];
}

/**
 * The stored samples that a raster's pixels are made from. They are read instead of its strips, in the same
 * way.
 */
export interface StoredSamples {
  readonly sampling: ChromaSampling;
  /** They come from no file, so an encoder may halve their chroma where it would halve that of pixels. */
  readonly mayBeHalved?: boolean;
  bands(): Iterable<SampleBand | Work>;
}

/** One component of a picture, in its own samples. */
export interface Component extends Size {
  /** How many of these the picture shows, as fractions: less than one fewer in both directions. */
  readonly shown: Size;
}

/**
 * A raster's luma, or luma, Cb and Cr, as its decoder has them before any is enlarged to the size of the
 * others: for resizing each separately.
 */
export interface Components {
  readonly sizes: readonly Component[];
  /** The next rows of each component that belong together, until the end. */
  bands(): Iterable<readonly ComponentRows[] | Work>;
}

/** Rows in the core of their raster, valid until the next band; 15 bytes behind each can be read. */
export interface ComponentRows {
  /** Address of the first one, and bytes from row to row. */
  readonly at: number;
  readonly stride: number;
  readonly rows: number;
}

const offers = new WeakMap<Raster, StoredSamples>();
const parts = new WeakMap<Raster, Components>();

/**
 * Offers an encoder the stored samples of this raster. They are tied to the object instead of being a member,
 * so that a step that makes another raster, even by copying all members, cannot pass them on by mistake and
 * undo a crop or a mosaic.
 */
export function offerSamples(raster: Raster, samples: StoredSamples): void {
  offers.set(raster, samples);
}

/** The samples of this raster's own pixels; undefined if it has none, or is the result of a step. */
export function samplesOf(raster: Raster): StoredSamples | undefined {
  return offers.get(raster);
}

/** Offers the components of this raster for resizing; tied to it as stored samples are. */
export function offerComponents(raster: Raster, components: Components): void {
  parts.set(raster, components);
}

/** The components that this raster's own pixels are made from; undefined if it is the result of a step. */
export function componentsOf(raster: Raster): Components | undefined {
  return parts.get(raster);
}
