import type { SamplePlane } from '../../core/jpeg/encode.ts';
import type { Raster, Size, Work } from '../types.ts';

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
  /** They are no file's own: an encoder may halve their chroma where it would halve that of the pixels. */
  readonly mayBeHalved?: boolean;
  bands(): Iterable<SampleBand | Work>;
}

/** One component of a picture, in its own samples. */
export interface Component extends Size {
  /** What the picture takes of these: less than one fewer in both directions. */
  readonly shown: Size;
}

/**
 * A raster's luma, or luma, Cb and Cr, as its decoder has them before any of them is made as large as the
 * others: for resizing each by itself.
 */
export interface Components {
  readonly sizes: readonly Component[];
  /** The next rows of each component, as many as belong together, until all have come. */
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

/** Offers resizing the components of this raster; tied to it as stored samples are. */
export function offerComponents(raster: Raster, components: Components): void {
  parts.set(raster, components);
}

/** The components that this raster's own pixels are made from; undefined when it is any step's result. */
export function componentsOf(raster: Raster): Components | undefined {
  return parts.get(raster);
}
