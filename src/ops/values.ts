import * as z from 'zod';
import { VALUE_KINDS } from '../vocabulary/value_kinds.ts';
import { allBlockNames } from '../vocabulary/vocabulary.ts';

/** The schema of metadata values, in the answer of inspect. */

const count = z.int().min(0);

export const blockNameSchema = z
  .enum(allBlockNames)
  .describe('Name of a metadata block; `unknown` is data that is not the picture and has no name here.');

const block = blockNameSchema.describe('The block that says so.');
const field = z.string().describe('Its field there, by its name in the standard.');
const text = z.string().describe('At most 2,000 characters.');
const fraction = z.number();

const areaSchema = z
  .strictObject({ x: fraction, y: fraction, w: fraction, h: fraction })
  .describe('Left, top, width and height as fractions of the picture as stored; only regions have it.');

/** The schema of one value, with its kind. */
const finding = <K extends readonly [string, ...string[]]>(kinds: K) =>
  z.strictObject({
    kind: z.enum(kinds),
    value: text,
    cut: z.literal(true).optional().describe('There when the value was longer.'),
    area: areaSchema.optional(),
    block,
    field,
  });

const positionSchema = z
  .strictObject({
    kind: z.enum(['camera', 'shown']).describe('Where the camera stood, or what the picture shows.'),
    latitude: z
      .number()
      .min(-90)
      .max(90)
      .optional()
      .describe('Decimal degrees, north positive; absent where it is not stated, or unreadable.'),
    longitude: z.number().min(-180).max(180).optional().describe('Decimal degrees, east positive.'),
    unreadable: z
      .literal(true)
      .optional()
      .describe('There where coordinates are stated that cannot be read surely, or contradict each other.'),
    altitude: z.number().optional().describe('Metres above sea level.'),
    direction: z.number().optional().describe('Where the camera looked: degrees clockwise from north.'),
    accuracy: z.number().optional().describe('Horizontal error in metres.'),
    time: z.string().optional().describe('Of the fix, UTC, ISO 8601; a date or a time alone if that is all.'),
    block,
    field,
  })
  .describe('A place on earth.');

const manifestSchema = z.strictObject({
  label: z.string(),
  generator: text.optional().describe('The program that made the claim.'),
  title: text.optional(),
  actions: z.array(
    z.strictObject({
      action: z.string(),
      when: z.string().optional(),
      software: text.optional(),
      source_type: z.string().optional().describe('Digital source type, e.g. that a model made it.'),
    }),
  ),
});

const thumbnailSchema = z.strictObject({
  bytes: count,
  encoding: z
    .enum(['jpeg', 'samples', 'av1', 'hevc', 'unknown'])
    .describe('`samples` are uncompressed; `av1` and `hevc` have no container of their own in the file.'),
  width: count.describe('In pixels; 0 where it does not say.'),
  height: count.describe('In pixels; 0 where it does not say.'),
  differs: z
    .boolean()
    .describe("Its aspect ratio is not the picture's: a sign of a crop, or of bars around it."),
  image: z
    .base64()
    .optional()
    .describe(
      'The thumbnail as base64: with `ops.thumbnails`, where it is a JPEG, or `av1`: then as an AVIF file, unturned. ' +
        '1 MB of them at most.',
    ),
  block,
  field,
});

export const valuesSchema = z
  .strictObject({
    place: z
      .strictObject({ positions: z.array(positionSchema), names: z.array(finding(VALUE_KINDS.places)) })
      .nullable()
      .describe('Null where the file says nothing of a place.'),
    times: z
      .array(finding(VALUE_KINDS.times))
      .describe('ISO 8601, with the offset from UTC where it is known.'),
    device: z.array(finding(VALUE_KINDS.device)),
    people: z
      .array(finding(VALUE_KINDS.people))
      .describe('`region` is a face or an object that somebody marked.'),
    texts: z.array(finding(VALUE_KINDS.texts)),
    provenance: z
      .strictObject({
        validated: z.literal(false).describe('Signatures and hashes are not checked.'),
        manifests: z.array(manifestSchema),
        block,
        field,
      })
      .nullable()
      .describe('What a C2PA manifest store says of itself.'),
    thumbnails: z.array(thumbnailSchema),
    cut: z.boolean().describe('There was more: texts are cut at 2,000 characters, lists at 100 of a kind.'),
  })
  .describe(
    'What the metadata say. Nothing is checked: anybody can write anything there. Only with `ops.values`.',
  );
