import * as z from 'zod';
import { inputFormats, LISTED_DISTANCE, MAX_LISTED } from '../vocabulary/vocabulary.ts';
import { detectedFaceSchema, detectedThingSchema, foundAgainSchema, hiddenAreaSchema } from './found.ts';
import { blockNameSchema, valuesSchema } from './values.ts';

/**
 * The schemas of the service's answers about images, and of errors; those of keys and usage are in
 * account.ts. The OpenAPI document, the tool definitions, the client's types and the types of results and
 * reports in src derive from them. Members that the specification does not name are listed in docs/api.md.
 */

const count = z.int().min(0);
const pixels = z.int().min(1);

/** The most boxes of all further detectors together. */
const MAX_THINGS = 8000;

export { errorBodySchema, errorCodes, issueSchema, problemSchema } from './error_body.ts';
export { detectedFaceSchema, detectedThingSchema } from './found.ts';
export { blockNameSchema } from './values.ts';

const detectedThings = z.array(detectedThingSchema).max(MAX_THINGS).optional();

/** Spots below the confidence asked for; reports and detect follow the same rule. */
const listed = z.array(detectedFaceSchema).max(MAX_LISTED);
const listedRule = `within ${LISTED_DISTANCE} below the confidence asked for, ${MAX_LISTED} at most, most certain first`;

export const purgeReportSchema = z
  .strictObject({
    width: pixels.describe('Of the output image, in pixels.'),
    height: pixels.describe('Of the output image, in pixels.'),
    bytes: count.describe('Size of the output image.'),
    facesDetected: count.describe('Faces found at the confidence asked for.'),
    facesBelowConfidence: count.max(MAX_LISTED).describe('How many spots `belowConfidence` lists.'),
    belowConfidence: listed.describe(
      `Spots that deserve a look: perhaps faces, left alone, nothing of them hidden; ${listedRule}. Boxes are padded, in pixels of the output image.`,
    ),
    facesOnSecondLook: count.describe(
      'Faces still found after hiding: hidden more coarsely, or with `verify: "list"` only listed.',
    ),
    secondLook: z
      .array(foundAgainSchema)
      .optional()
      .describe(
        'On request: the faces of `facesOnSecondLook`, padded; with `verify: "list"` also other things that are still found.',
      ),
    facesSpared: count
      .optional()
      .describe('Where `pixelate.except` was given: faces found that it left visible.'),
    regionsPixelated: count.describe(
      'Regions that touch the image and became blocks; those wholly outside are not counted.',
    ),
    regionsFilled: count
      .optional()
      .describe('Where `solid` was asked for: regions that touch the image and were painted over.'),
    detected: detectedThings.describe(
      'Where `pixelate.plates`, `text` or `detectors` was given: what was found, and was hidden.',
    ),
    platesHidden: count.optional().describe('Where `pixelate.plates` was given: plates found and hidden.'),
    textsHidden: count
      .optional()
      .describe('Where `pixelate.text` was given: words or lines found and hidden.'),
    hidden: z
      .array(hiddenAreaSchema)
      .describe(
        'All that is hidden, by whom it is wanted. Other pixels are as without hiding, but for those within 4 of a fill where the picture was resized.',
      ),
    grayscale: z.boolean(),
    colour: z
      .strictObject({
        from: z
          .string()
          .describe('Colour space of the input, e.g. `Display P3`; `untagged` where it names none.'),
        converted: z.boolean().describe('Whether its pixels had to be converted to sRGB.'),
      })
      .describe('The output is always sRGB.'),
    metadataStripped: z.boolean().describe('Result of scanning the finished output.'),
    verified: z
      .strictObject({
        blocks: z.array(blockNameSchema).describe('Blocks that the scan of the output found.'),
        scannedBytes: count,
      })
      .describe('The scan behind `metadataStripped`.'),
    sourceMetadataFound: z.array(blockNameSchema).describe('Blocks that the input carried.'),
    warnings: z.array(z.string()).describe('What a person should know before publishing the image.'),
    warningCodes: z
      .array(
        z.enum([
          'no_faces_found',
          'colour_profile_ignored',
          'colours_taken_as_srgb',
          'frames_dropped',
          'pages_dropped',
          'flattened',
          'fine_blocks',
          'clean_aperture_ignored',
          'sample_range_assumed',
        ]),
      )
      .describe(
        'What each of `warnings` is, for programs: `frames_dropped` of an animation, `pages_dropped` of a TIFF or of pictures behind a JPEG, `flattened` where transparency became white, `fine_blocks` where text under the blocks of a region could be guessed, `clean_aperture_ignored` where a file crops itself to nothing, `sample_range_assumed` where a TIFF of signed, real or very large numbers does not say which are black and white.',
      ),
    durationMs: count.describe('Milliseconds of work.'),
  })
  .describe('What was done, and the proof that nothing is left.');

export const outputMediaTypes = ['image/jpeg', 'image/png', 'image/webp'] as const;

export const sanitizeEnvelopeSchema = z
  .strictObject({
    image: z.base64().describe('The output image, base64.'),
    content_type: z.enum(outputMediaTypes).describe('Media type of the output image.'),
    report: purgeReportSchema,
  })
  .describe('The answer of sanitize when `ops.response` is `json`.');

export const detectResultSchema = z
  .strictObject({
    width: pixels.describe('Of the upright (auto-rotated) image, in pixels.'),
    height: pixels.describe('Of the upright (auto-rotated) image, in pixels.'),
    count: count.describe('Number of faces. Zero is no proof that there are none.'),
    faces: z.array(detectedFaceSchema).describe('Most certain first.'),
    belowConfidence: listed
      .optional()
      .describe(`On request: spots that no box of \`faces\` touches, ${listedRule}.`),
    boxes: detectedThings.describe('Where `kinds` or `detectors` ask for more than faces: what was found.'),
  })
  .describe('Boxes are padded, clipped to the image, and relative to the whole upload, upright.');

export const inspectResultSchema = z
  .strictObject({
    format: z.enum(inputFormats),
    width: count.describe('As stored, before orientation; 0 when the file ends before its header says.'),
    height: count.describe('As stored, before orientation; 0 when the file ends before its header says.'),
    bytes: count.describe('Size of the file.'),
    metadata_blocks_present: z
      .array(blockNameSchema)
      .describe('Each kind of block once: what sanitize would destroy.'),
    has_gps: z
      .boolean()
      .describe('Whether the file tells a position: exactly where `values.place.positions` has one.'),
    orientation: z.int().min(1).max(8).describe('EXIF orientation; 1 is upright.'),
    clean_aperture: z
      .strictObject({ x: count, y: count, width: pixels, height: pixels })
      .nullable()
      .optional()
      .describe(
        'Where the file crops itself (AVIF `clap`): what of the upright picture is shown, sanitized and searched for faces; null where that would be nothing, and all is.',
      ),
    frames: count.describe('Frames or pages; 1 for a still image.'),
    complete: z.boolean().describe('Whether the file has its end.'),
    colour_space: z
      .string()
      .describe('What the colours mean, e.g. `Display P3`; `untagged` where the file does not say.'),
    jpeg: z
      .strictObject({
        quality: z
          .int()
          .min(1)
          .max(100)
          .describe('The quality at which libjpeg quantises luminance as coarsely on average.'),
        chroma_halved: z.boolean().describe('Whether colour has fewer samples than luminance.'),
      })
      .optional()
      .describe('Of a JPEG: how much of the picture it kept.'),
    blocks: z
      .array(
        z.strictObject({
          name: blockNameSchema,
          start: count.describe('Its first byte, from 0.'),
          bytes: count,
        }),
      )
      .describe('Every block with its place and size, in the order of the file.'),
    values: valuesSchema.optional(),
  })
  .describe('What a file says of itself; no pixel is decoded.');

export type { BlockName } from '../vocabulary/vocabulary.ts';
export type { ErrorBody, ErrorCode, Issue, Problem } from './error_body.ts';
export type PurgeReport = z.output<typeof purgeReportSchema>;
export type SanitizeEnvelope = z.output<typeof sanitizeEnvelopeSchema>;
export type DetectedFace = z.output<typeof detectedFaceSchema>;
export type DetectedThing = z.output<typeof detectedThingSchema>;
export type DetectResult = z.output<typeof detectResultSchema>;
export type MetadataValues = z.output<typeof valuesSchema>;
export type InspectResult = z.output<typeof inspectResultSchema>;
