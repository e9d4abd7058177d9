/** Words and limits that answers, scanners and pages share. Schemas are elsewhere: pages do without them. */

/** The containers this service reads. */
export const inputFormats = ['jpeg', 'png', 'webp', 'avif', 'tiff', 'gif'] as const;
export type InputFormat = (typeof inputFormats)[number];

/**
 * Names of metadata blocks, as reported to callers. `unknown` is anything that a container lets anyone add
 * and that has no name here: a JPEG APPn segment, an ancillary PNG chunk, a RIFF chunk, a GIF application
 * extension, a `uuid` box, bytes in a JPEG's coded data that no MCU needs. It carries data that is not the
 * picture, so it is reported, and a clean file has none.
 */
export const allBlockNames = [
  'exif',
  'gps',
  'iptc',
  'photoshop',
  'xmp',
  'icc',
  'comment',
  'text',
  'thumbnail',
  'mpf',
  'c2pa',
  'jumbf',
  'makernote',
  'timestamp',
  'trailer',
  'gainmap',
  'motion_photo',
  'suggested_palette',
  'histogram',
  'image_offset',
  'free_space',
  'unknown',
] as const;
export type BlockName = (typeof allBlockNames)[number];

/** Most pixels one image may have (the specification's 50 megapixels). */
export const MAX_PIXELS = 50_000_000;

/** A spot is listed if its confidence is at most this much below the one asked for. */
export const LISTED_DISTANCE = 0.2;
/** The most spots that an answer lists: the most confident ones. */
export const MAX_LISTED = 5;

/** The most regions in one request, and the most areas that it may spare. */
export const MAX_REGIONS = 200;

/** The most areas that one request may give as found. */
export const MAX_AREAS = 2000;

/** What a caller may be on, cheapest first; prices and rates are in src/metering/plans.ts. */
export const planNames = ['free', 'pro', 'enterprise'] as const;
export type PlanName = (typeof planNames)[number];

/** Milliseconds of the rolling window of the rate limit, of free calls and of refunds. */
export const WINDOW_MS = 60_000;

/** Degrees clockwise by which a picture may be turned, beyond what its file says. */
export const QUARTER_TURNS = [90, 180, 270] as const;
export type QuarterTurn = (typeof QUARTER_TURNS)[number];
