import * as z from 'zod/mini';
import { OWN_KINDS } from '../vocabulary/own_kinds.ts';
import {
  LISTED_DISTANCE,
  MAX_AREAS,
  MAX_LISTED,
  MAX_REGIONS,
  QUARTER_TURNS,
} from '../vocabulary/vocabulary.ts';

/**
 * The schemas of ops. Validation, its issues, the OpenAPI document and the tool definitions all derive from
 * them. Bounds and defaults are the specification's; `pixelate.verify` and `belowConfidence` are additions
 * (docs/api.md). The schemas use zod's small form, since the script for a page's first picture contains them.
 * An object from which members are omitted elsewhere is described in the registry: a description as a check
 * would forbid omitting.
 */

/**
 * The schemas below make no code from strings: a page's Content Security Policy may forbid it, and would
 * report zod's attempt. All users of zod in a program share this setting, so it is restored at the end.
 */
const { jitless = false } = z.config();
z.config({ jitless: true });

const confidence = z._default(
  z
    .number()
    .check(
      z.minimum(0.05),
      z.maximum(0.99),
      z.describe('Minimum face-detector confidence; lower catches more faces and more false positives.'),
    ),
  0.6,
);

const padding = z._default(
  z.number().check(z.minimum(1), z.maximum(3), z.describe('Expansion factor around each detected face box.')),
  1.5,
);

/** A boolean with a default. */
const booleanOp = (byDefault: boolean, described: string) =>
  z._default(z.boolean().check(z.describe(described)), byDefault);

/** Something that is done only if asked for. */
export const offByDefault = (described: string) => booleanOp(false, described);

const from0 = (described: string) => z.number().check(z.minimum(0), z.describe(described));
const above0 = (described: string) => z.number().check(z.positive(), z.describe(described));

export const cropSchema = z
  .strictObject({
    x: from0('Left edge.'),
    y: from0('Top edge.'),
    width: above0('Width.'),
    height: above0('Height.'),
  })
  .check(z.describe('Rectangle in pixels of the upright source, after `rotate`, origin top-left.'));

const outputArea = {
  x: from0('Left edge.'),
  y: from0('Top edge.'),
  w: above0('Width.'),
  h: above0('Height.'),
};
const OUTPUT_AREA =
  'Rectangle in pixels of the image after crop and after the maxWidth resize, origin top-left.';

/**
 * How an area is hidden: by the averages of blocks, or by one colour, which takes nothing from the picture.
 */
const fillSchema = z.enum(['mosaic', 'solid']);
const fillOf = (described: string) => fillSchema.check(z.describe(described));

export const regionSchema = z
  .strictObject({
    ...outputArea,
    fill: z.optional(fillOf('How this region is hidden; absent: as `pixelate.fill` says.')),
    shape: z.optional(
      z
        .enum(['rectangle', 'ellipse'])
        .check(
          z.describe('`ellipse`: only the one that fills the rectangle is hidden; absent: the rectangle.'),
        ),
    ),
  })
  .check(z.describe(OUTPUT_AREA));

/** The names that a detector may have. */
export const DETECTOR_NAME = /^[a-z][a-z0-9-]{0,31}$/;

const detectorName = z.string().check(z.regex(DETECTOR_NAME));

/** No picture has a longer side, in pixels. */
const MAX_PLACE = 1e8;
const place = (described: string) =>
  z.number().check(z.minimum(0), z.maximum(MAX_PLACE), z.describe(described));
const extent = (described: string) =>
  z.number().check(z.positive(), z.maximum(MAX_PLACE), z.describe(described));
const corner = z.number().check(z.minimum(-MAX_PLACE), z.maximum(MAX_PLACE));

/** Something that was found, as `detect` lists it. */
const areaSchema = z
  .strictObject({
    x: place('Left edge.'),
    y: place('Top edge.'),
    w: extent('Width.'),
    h: extent('Height.'),
    kind: z.optional(
      z
        .string()
        .check(
          z.maxLength(100),
          z.describe('`face`, `plate`, `text` or what a detector calls it; absent: `face`.'),
        ),
    ),
    detector: z.optional(detectorName.check(z.describe('The further detector that found it.'))),
    corners: z.optional(
      z
        .array(z.strictObject({ x: corner, y: corner }))
        .check(
          z.length(4),
          z.describe('Of a turned box: its corners in turn. Only what lies between is hidden.'),
        ),
    ),
    confidence: z.optional(z.number().check(z.describe('As `detect` gives it; changes nothing.'))),
    fill: z.optional(
      fillOf('How it is hidden; absent: a face as `pixelate.faceFill` says, anything else `solid`.'),
    ),
  })
  .check(
    z.describe(
      'A box as `detect` lists it, padded, in pixels of the upright image before rotate, crop and resize.',
    ),
  );

const exceptSchema = z.strictObject(outputArea).check(z.describe(OUTPUT_AREA));

/** The most detectors of one request. */
const MAX_DETECTORS = 16;

const detectorsOf = <S extends z.ZodMiniType>(rule: S, what: string) =>
  z.optional(
    z
      .record(
        detectorName,
        // So readers of the generated schema can tell by the types alone which of the two is meant.
        z.union([z.boolean(), rule]).check(z.meta({ type: ['boolean', 'object'] })),
      )
      .check(
        z.refine((detectors) => Object.keys(detectors).length <= MAX_DETECTORS, {
          error: `Expected at most ${MAX_DETECTORS} detectors`,
        }),
        z.describe(
          `${what}, by its name: those that this deployment has. A confidence that is absent is its own.`,
        ),
      ),
  );

const detectorRule = z.strictObject({
  confidence: z.optional(
    z.number().check(z.minimum(0.05), z.maximum(0.99), z.describe('Least confidence of what counts.')),
  ),
  padding: z._default(
    z.number().check(z.minimum(1), z.maximum(3), z.describe('Expansion factor around each box.')),
    1.1,
  ),
  fill: z._default(fillOf('How what it finds is hidden.'), 'solid'),
});

/** What the project's own network finds apart from faces. */
const readable = (what: string) =>
  z._default(
    z
      .union([z.boolean(), detectorRule])
      .check(
        z.meta({ type: ['boolean', 'object'] }),
        z.describe(`Find ${what} and hide it, by a solid fill unless told otherwise; experimental.`),
      ),
    false,
  );

export const pixelateSchema = z
  .strictObject({
    faces: z.optional(
      z.boolean().check(z.describe('Detect faces and pixelate each; by default true, with `areas` false.')),
    ),
    plates: readable('number plates'),
    text: readable('text'),
    regions: z._default(
      z
        .array(regionSchema)
        .check(
          z.maxLength(MAX_REGIONS),
          z.describe(
            'Further areas to hide, in pixels of the image after crop and resize; only `solid` hides text.',
          ),
        ),
      [],
    ),
    areas: z.optional(
      z
        .array(areaSchema)
        .check(
          z.maxLength(MAX_AREAS),
          z.describe(
            'What was found before, to be hidden as it would be if it were found now: boxes of `detect`, unchanged. With it nothing is searched for unless asked.',
          ),
        ),
    ),
    fill: z._default(
      fillOf(
        'How regions are hidden. Text and numbers under a `mosaic` can be guessed; `solid` takes nothing from the picture.',
      ),
      'mosaic',
    ),
    faceFill: z._default(fillOf('How faces are hidden.'), 'mosaic'),
    colour: z._default(
      z
        .string()
        .check(
          z.regex(/^#[0-9a-fA-F]{6}$/),
          z.describe('Colour of what is `solid`, as #rrggbb in sRGB; with `grayscale` its luma.'),
        ),
      '#000000',
    ),
    except: z._default(
      z
        .array(exceptSchema)
        .check(
          z.maxLength(MAX_REGIONS),
          z.describe(
            'Areas that stay visible: a face whose centre lies in one is not hidden, and no block or fill reaches into one, but for the boxes of other faces and of regions.',
          ),
        ),
      [],
    ),
    strength: z._default(
      z
        .int()
        .check(
          z.minimum(1),
          z.maximum(12),
          z.describe('Block size as a percentage of the shortest edge; higher is coarser.'),
        ),
      3,
    ),
    confidence,
    padding,
    detectors: detectorsOf(detectorRule, 'What is found and hidden by a further detector'),
    verify: z.optional(
      z
        .union([z.boolean(), z.literal('list')])
        .check(
          z.meta({ type: ['boolean', 'string'] }),
          z.describe(
            'Search once more after hiding, and hide what is still found; `list`: only list it, as `secondLook` of the report. By default true, with `areas` false.',
          ),
        ),
    ),
    secondLook: offByDefault('Also list what `verify` has added, as `secondLook` of the report.'),
  })
  .register(z.globalRegistry, { description: 'What is made unrecognisable.' });

/**
 * The member `pixelate` of ops. Whoever gives what was found has searched: then a search is made only if it
 * is asked for.
 */
export const searchedUnlessGiven = <P extends Searches, I>(schema: z.ZodMiniType<P, I>) =>
  z.prefault(
    z.pipe(
      schema,
      z.transform((given: P) => ({
        ...given,
        faces: given.faces ?? given.areas === undefined,
        verify: given.verify ?? given.areas === undefined,
      })),
    ),
    {} as I & object,
  );

interface Searches {
  readonly faces?: boolean | undefined;
  readonly verify?: boolean | 'list' | undefined;
  readonly areas?: readonly unknown[] | undefined;
}

/** What callers ask for, in the order of src/sanitize/steps.ts, for the texts that tell it. */
export const opOrder = ['rotate', 'crop', 'grayscale', 'resize', 'pixelate'] as const;

const outputSchema = z
  .strictObject({
    format: z._default(z.enum(['jpeg', 'png', 'webp']).check(z.describe('Output format.')), 'jpeg'),
    quality: z._default(
      z.int().check(z.minimum(30), z.maximum(100), z.describe('Encoder quality; ignored for PNG.')),
      92,
    ),
    chroma: z._default(
      z
        .enum(['auto', 'whole', 'halved'])
        .check(
          z.describe(
            'Colour samples of a JPEG: `whole` is 4:4:4, `halved` 4:2:0; `auto` by the source and content.',
          ),
        ),
      'auto',
    ),
    maxWidth: z.optional(
      z.int().check(z.minimum(16), z.maximum(12000), z.describe('Downscale cap in pixels; never enlarges.')),
    ),
  })
  .check(z.describe('How the result is encoded.'));

export const sanitizeOpsSchema = z
  .strictObject({
    rotate: z.optional(
      z
        .literal(QUARTER_TURNS)
        .check(
          z.describe(
            'Degrees clockwise, after EXIF auto-rotation; `crop` and regions are of the turned image.',
          ),
        ),
    ),
    crop: z.optional(cropSchema),
    grayscale: offByDefault('Black and white conversion.'),
    pixelate: searchedUnlessGiven(pixelateSchema),
    output: z.prefault(outputSchema, {}),
    response: z._default(
      z
        .enum(['binary', 'json'])
        .check(z.describe('`binary` returns image bytes; `json` returns base64 plus a purge report.')),
      'binary',
    ),
  })
  .register(z.globalRegistry, {
    description: `Applied in this order: EXIF auto-rotate, ${opOrder.join(', ')}, re-encode.`,
  });

/** The ops of the library, which returns both bytes and report. */
export const libraryOpsSchema = z.omit(sanitizeOpsSchema, { response: true });

export const detectOpsSchema = z
  .strictObject({
    confidence,
    padding,
    kinds: z._default(
      z
        .array(detectorName)
        .check(
          z.minLength(1),
          z.maxLength(MAX_DETECTORS),
          z.describe(
            `What is looked for: \`${OWN_KINDS.join('`, `')}\`, and further detectors by their names.`,
          ),
        ),
      ['face'],
    ),
    detectors: detectorsOf(
      z.omit(detectorRule, { fill: true }),
      'What else is looked for by a further detector',
    ),
    belowConfidence: offByDefault(
      `Also list spots within ${LISTED_DISTANCE} below \`confidence\`, ${MAX_LISTED} at most, as \`belowConfidence\`.`,
    ),
  })
  .register(z.globalRegistry, { description: 'How faces are looked for, and what else is.' });

export const inspectOpsSchema = z
  .strictObject({
    values: offByDefault('Also give what the metadata say: place, times, device, people, texts, provenance.'),
    thumbnails: offByDefault('With `values`: also give embedded thumbnails themselves, as base64.'),
  })
  .register(z.globalRegistry, { description: 'How much is told.' });

z.config({ jitless });

export type SanitizeOps = z.output<typeof sanitizeOpsSchema>;
export type SanitizeOpsInput = z.input<typeof sanitizeOpsSchema>;
export type DetectOps = z.output<typeof detectOpsSchema>;
export type DetectOpsInput = z.input<typeof detectOpsSchema>;
export type InspectOps = z.output<typeof inspectOpsSchema>;
export type InspectOpsInput = z.input<typeof inspectOpsSchema>;
export type Region = z.output<typeof regionSchema>;
