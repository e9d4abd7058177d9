import type { ColourModel } from '../facts.ts';

/** What a PNG colour type means for the samples. */
export interface PngColourType {
  readonly colour: ColourModel;
  /** Samples per pixel; a palette index counts as one. */
  readonly channels: number;
  readonly alpha: boolean;
  /** The permitted bits per sample. */
  readonly depths: readonly number[];
}

/** By the number in IHDR, ISO/IEC 15948 (PNG third edition) table 12. */
export const PNG_COLOUR_TYPES: Readonly<Record<number, PngColourType>> = {
  0: { colour: 'grey', channels: 1, alpha: false, depths: [1, 2, 4, 8, 16] },
  2: { colour: 'rgb', channels: 3, alpha: false, depths: [8, 16] },
  3: { colour: 'palette', channels: 1, alpha: false, depths: [1, 2, 4, 8] },
  4: { colour: 'grey', channels: 2, alpha: true, depths: [8, 16] },
  6: { colour: 'rgb', channels: 4, alpha: true, depths: [8, 16] },
};
