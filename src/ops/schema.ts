import * as z from 'zod';
import { LISTED_DISTANCE, MAX_LISTED, QUARTER_TURNS } from '../vocabulary.ts';

/**
 * The schemas of ops. Validation, its issues, the OpenAPI document and the tool definitions all derive from
 * them. Bounds and defaults are the specification's; `pixelate.verify` and `belowConfidence` are additions
 * (docs/api.md).
 */

/**
 * The schemas below make no code from strings: a page's Content Security Policy may forbid it, and would
 * report zod's try. The setting is one for all users of zod in a program, so it is given back at the end.
 */
const { jitless = false } = z.config();
z.config({ jitless: true });

/** Most regions in one request. */
export const MAX_REGIONS = 200;

const confidence = z
  .number()
  .min(0.05)
  .max(0.99)
  .default(0.6)
  .describe('Minimum face-detector confidence; lower catches more faces and more false positives.');

const padding = z
  .number()
  .min(1)
  .max(3)
  .default(1.5)
  .describe('Expansion factor around each detected face box.');

export const cropSchema = z
  .strictObject({
    x: z.number().min(0).describe('Left edge.'),
    y: z.number().min(0).describe('Top edge.'),
    width: z.number().positive().describe('Width.'),
    height: z.number().positive().describe('Height.'),
  })
  .describe('Rectangle in source pixels, origin top-left, applied after EXIF auto-rotation.');

const outputArea = {
  x: z.number().min(0).describe('Left edge.'),
  y: z.number().min(0).describe('Top edge.'),
  w: z.number().positive().describe('Width.'),
  h: z.number().positive().describe('Height.'),
};

/** How an area is hidden: by the averages of blocks, or by one colour that takes nothing from the picture. */
const fillSchema = z.enum(['mosaic', 'solid']);

export const regionSchema = z
  .strictObject({
    ...outputArea,
    fill: fillSchema.optional().describe('How this region is hidden; absent: as `pixelate.fill` says.'),
  })
  .describe('Rectangle in pixels of the image after crop and after the maxWidth resize, origin top-left.');

const exceptSchema = z
  .strictObject(outputArea)
  .describe('Rectangle in pixels of the image after crop and after the maxWidth resize, origin top-left.');

/** What a detector may be called. */
export const DETECTOR_NAME = /^[a-z][a-z0-9-]{0,31}$/;

/** Most detectors of one request. */
const MAX_DETECTORS = 16;

const detectorsOf = <S extends z.ZodType>(rule: S, what: string) =>
  z
    .record(
      z.string().regex(DETECTOR_NAME),
      // Readers of the generated schema can tell by the types alone which of the two is meant.
      z.union([z.boolean(), rule]).meta({ type: ['boolean', 'object'] }),
    )
    .refine((detectors) => Object.keys(detectors).length <= MAX_DETECTORS, {
      error: `Expected at most ${MAX_DETECTORS} detectors`,
    })
    .optional()
    .describe(
      `${what}, by its name: those that this deployment has. A confidence that is absent is its own.`,
    );

const detectorRule = z.strictObject({
  confidence: z.number().min(0.05).max(0.99).optional().describe('Least confidence of what counts.'),
  padding: z.number().min(1).max(3).default(1.1).describe('Expansion factor around each box.'),
  fill: fillSchema.default('solid').describe('How what it finds is hidden.'),
});

/** What the project's own network finds beside faces. */
const readable = (what: string) =>
  z
    .union([z.boolean(), detectorRule])
    .meta({ type: ['boolean', 'object'] })
    .default(false)
    .describe(`Find ${what} and hide it, by a solid fill unless told otherwise; experimental.`);

export const pixelateSchema = z
  .strictObject({
    faces: z.boolean().default(true).describe('Detect faces and pixelate each.'),
    plates: readable('number plates'),
    text: readable('text'),
    regions: z
      .array(regionSchema)
      .max(MAX_REGIONS)
      .default([])
      .describe('Extra rectangles to pixelate, relative to the image after crop and resize.'),
    fill: fillSchema
      .default('mosaic')
      .describe(
        'How regions are hidden. Text and numbers under a `mosaic` can be guessed; `solid` takes nothing from the picture.',
      ),
    faceFill: fillSchema.default('mosaic').describe('How faces are hidden.'),
    colour: z
      .string()
      .regex(/^#[0-9a-fA-F]{6}$/)
      .default('#000000')
      .describe('Colour of what is `solid`, as #rrggbb in sRGB; with `grayscale` its luma.'),
    except: z
      .array(exceptSchema)
      .max(MAX_REGIONS)
      .default([])
      .describe(
        'Areas that stay visible: a face whose centre lies in one is not hidden, and no block or fill reaches into one, but for the boxes of other faces and of regions.',
      ),
    strength: z
      .int()
      .min(1)
      .max(12)
      .default(3)
      .describe('Block size as a percentage of the shortest edge; higher is coarser.'),
    confidence,
    padding,
    detectors: detectorsOf(detectorRule, 'What is found and hidden by a further detector'),
    verify: z
      .boolean()
      .default(true)
      .describe('Look for faces once more after pixelating, and pixelate what is still found.'),
    secondLook: z
      .boolean()
      .default(false)
      .describe('Also list what `verify` has added, as `secondLook` of the report.'),
  })
  .describe('What is made unrecognisable.');

const outputSchema = z
  .strictObject({
    format: z.enum(['jpeg', 'png', 'webp']).default('jpeg').describe('Output format.'),
    quality: z.int().min(30).max(100).default(92).describe('Encoder quality; ignored for PNG.'),
    chroma: z
      .enum(['auto', 'whole', 'halved'])
      .default('auto')
      .describe(
        'Colour samples of a JPEG: `whole` is 4:4:4, `halved` 4:2:0; `auto` by the source and content.',
      ),
    maxWidth: z.int().min(16).max(12000).optional().describe('Downscale cap in pixels; never enlarges.'),
  })
  .describe('How the result is encoded.');

export const sanitizeOpsSchema = z
  .strictObject({
    rotate: z
      .literal(QUARTER_TURNS)
      .optional()
      .describe('Degrees clockwise, after EXIF auto-rotation; all coordinates are of the turned image.'),
    crop: cropSchema.optional(),
    grayscale: z.boolean().default(false).describe('Black and white conversion.'),
    pixelate: pixelateSchema.prefault({}),
    output: outputSchema.prefault({}),
    response: z
      .enum(['binary', 'json'])
      .default('binary')
      .describe('`binary` returns image bytes; `json` returns base64 plus a purge report.'),
  })
  .describe('Applied in this order: EXIF auto-rotate, rotate, crop, grayscale, resize, pixelate, re-encode.');

/** The ops of the library, which gives bytes and report both. */
export const libraryOpsSchema = sanitizeOpsSchema.omit({ response: true });

export const detectOpsSchema = z
  .strictObject({
    confidence,
    padding,
    kinds: z
      .array(z.string().regex(DETECTOR_NAME))
      .min(1)
      .max(MAX_DETECTORS)
      .default(['face'])
      .describe('What is looked for: `face`, `plate`, `text`, and further detectors by their names.'),
    detectors: detectorsOf(
      detectorRule.omit({ fill: true }),
      'What else is looked for by a further detector',
    ),
    belowConfidence: z
      .boolean()
      .default(false)
      .describe(
        `Also list spots within ${LISTED_DISTANCE} below \`confidence\`, ${MAX_LISTED} at most, as \`belowConfidence\`.`,
      ),
  })
  .describe('How faces are looked for, and what else is.');

export const inspectOpsSchema = z
  .strictObject({
    values: z
      .boolean()
      .default(false)
      .describe('Also give what the metadata say: place, times, device, people, texts, provenance.'),
    thumbnails: z
      .boolean()
      .default(false)
      .describe('With `values`: also give embedded thumbnails themselves, as base64.'),
  })
  .describe('How much is told.');

z.config({ jitless });

export type SanitizeOps = z.output<typeof sanitizeOpsSchema>;
export type SanitizeOpsInput = z.input<typeof sanitizeOpsSchema>;
export type DetectOps = z.output<typeof detectOpsSchema>;
export type DetectOpsInput = z.input<typeof detectOpsSchema>;
export type InspectOps = z.output<typeof inspectOpsSchema>;
export type InspectOpsInput = z.input<typeof inspectOpsSchema>;
export type Region = z.output<typeof regionSchema>;
