import * as z from 'zod';
import { DETECTOR_NAME } from '../ops/schema.ts';
import { DetectorError } from './detector.ts';

/**
 * The schema of the file that says how a model is fed and read. docs/detectors.md explains it, and
 * docs/detector.schema.json is generated from it.
 */
const word = z.string().min(1).max(200);
const side = z.int().min(32).max(4096);
const share = z.number().min(0).max(1);
const perChannel = z.union([z.number(), z.tuple([z.number(), z.number(), z.number()])]);

export const inputSchema = z
  .strictObject({
    name: word.optional().describe('Name of the model’s input. Absent: its only one.'),
    layout: z.enum(['nchw', 'nhwc']).default('nchw'),
    type: z.enum(['float32', 'uint8']).default('float32'),
    width: side.optional().describe('Width of the input, where it is fixed.'),
    height: side.optional().describe('Height of the input, where it is fixed.'),
    multiple: z
      .int()
      .min(1)
      .max(256)
      .default(32)
      .describe('Both sides of an input that is not fixed are multiples of this.'),
    colour: z.enum(['rgb', 'bgr']).default('rgb'),
    mean: perChannel.default(0).describe('Taken off each value of 0 to 255, in the order of `colour`.'),
    scale: perChannel.default(1).describe('What is left is multiplied by this.'),
    letterbox: z
      .enum(['corner', 'centre', 'stretch'])
      .default('corner')
      .describe('Where the picture lies in an input of another shape; `stretch` makes it fit.'),
    padding: z.int().min(0).max(255).default(0).describe('Value of what lies beside the picture.'),
  })
  .refine(({ width, height }) => (width === undefined) === (height === undefined), {
    error: 'Expected width and height, or neither',
  });

const threshold = share.default(0.25).describe('Candidates of less are dropped before anything else.');
const activation = z
  .enum(['none', 'sigmoid', 'softmax'])
  .default('none')
  .describe('What makes scores of the numbers that the model gives.');
const strides = z.array(z.int().min(1).max(256)).min(1).max(8).default([8, 16, 32]);

/** One output, by its name or as the only one. */
const oneOutput = { output: word.optional(), threshold };

/** An output per stride; `{stride}` stands for the stride. */
const perStride = (name: string) =>
  word
    .default(`${name}_{stride}`)
    .refine((value) => value.includes('{stride}'), { error: 'Expected a name with {stride} in it' });

export const headSchema = z.discriminatedUnion('head', [
  z.strictObject({ head: z.literal('yolov5'), ...oneOutput, activation }),
  z.strictObject({ head: z.literal('yolov8'), ...oneOutput, activation }),
  z.strictObject({ head: z.literal('yolo-nms'), ...oneOutput }),
  z.strictObject({
    head: z.literal('yunet'),
    threshold,
    strides,
    classes: perStride('cls'),
    objects: perStride('obj'),
    boxes: perStride('bbox'),
  }),
  z.strictObject({
    head: z.literal('scrfd'),
    threshold,
    strides,
    anchors: z.int().min(1).max(16).default(2).describe('Anchors of each cell.'),
    scores: perStride('score'),
    boxes: perStride('bbox'),
  }),
  z.strictObject({
    head: z.literal('ssd'),
    threshold,
    activation,
    scores: word,
    boxes: word,
    background: z.int().min(-1).max(1000).default(0).describe('The class that is nothing; -1: none is.'),
    variances: z.tuple([z.number(), z.number()]).default([0.1, 0.2]),
    priors: z
      .array(
        z.strictObject({
          stride: z.int().min(1).max(512),
          sizes: z.array(z.number().positive().max(4096)).min(1).max(16).describe('In pixels of the input.'),
        }),
      )
      .min(1)
      .max(8),
  }),
  z.strictObject({
    head: z.literal('boxes'),
    threshold,
    activation,
    boxes: word,
    scores: word,
  }),
  z.strictObject({
    head: z.literal('map'),
    ...oneOutput,
    activation,
    grow: z.number().min(1).max(3).default(1).describe('Boxes are made so much larger.'),
    least: z.number().min(0).max(4096).default(3).describe('Boxes with a side below this are dropped.'),
  }),
]);

const viewSchema = z.union([
  z.strictObject({ whole: side }),
  z.strictObject({
    tiles: side.max(2048),
    scale: z.number().positive().max(1).optional(),
    overlap: z.int().min(0).max(1024).optional(),
  }),
]);

export const manifestSchema = z
  .strictObject({
    $schema: z.string().optional(),
    name: z
      .string()
      .regex(DETECTOR_NAME)
      // A member that every object inherits would appear in the ops of all tools.
      .refine((name) => !(name in {}), { error: 'Expected another name than constructor' })
      .describe('What ops and reports call the detector.'),
    model: word.optional().describe('File name of the model. Absent: the manifest’s name with .onnx.'),
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .optional()
      .describe('Of the model’s file.'),
    page: z
      .boolean()
      .optional()
      .describe('Whether the page of a server offers it: anybody can then load the model.'),
    licence: word.optional().describe('Of the model: whoever installs it has to keep to it.'),
    kinds: z
      .array(z.string().regex(DETECTOR_NAME).nullable())
      .min(1)
      .max(1000)
      .describe('What each class of the model is, in order; null: it does not count.'),
    confidence: share.default(0.5).describe('Least confidence of what counts where the ops name none.'),
    sameBox: share.default(0.45).describe('Boxes of a kind that overlap by more are one.'),
    views: z
      .array(viewSchema)
      .min(1)
      .max(4)
      .default([{ whole: 640 }]),
    memory: z
      .int()
      .min(0)
      .max(2 ** 31)
      .optional()
      .describe('Bytes of a run. Absent: estimated from the model and its views.'),
    longestPassMs: z
      .int()
      .min(1)
      .max(30_000)
      .default(1000)
      .describe('Milliseconds of CPU that a pass may take on a server: all other calls wait so long.'),
    input: inputSchema.prefault({}),
    output: headSchema,
  })
  .refine(({ kinds }) => kinds.some((kind) => kind !== null), {
    error: 'Expected a kind that counts',
    path: ['kinds'],
  });

export type Manifest = z.output<typeof manifestSchema>;
export type ManifestInput = z.input<typeof manifestSchema>;
export type InputRule = z.output<typeof inputSchema>;
export type Head = z.output<typeof headSchema>;

/**
 * Parses a manifest's JSON value.
 * @param label what to call it in errors if it has no usable name
 * @throws DetectorError with everything that is wrong
 */
export function parseManifest(value: unknown, label: string): Manifest {
  const { data, error } = manifestSchema.safeParse(value);
  if (data) return data;
  const problems = error!.issues.map(({ path, message }) => `${path.join('.') || 'manifest'}: ${message}`);
  throw new DetectorError(label, problems);
}
