import * as z from 'zod';

/** The schemas for what is found in a picture, in the answers of detect and in reports. */

export const detectedFaceSchema = z
  .strictObject({
    x: z.number().min(0).describe('Left edge.'),
    y: z.number().min(0).describe('Top edge.'),
    w: z.number().positive().describe('Width.'),
    h: z.number().positive().describe('Height.'),
    confidence: z.number().min(0).max(1),
  })
  .describe('One face, in pixels of the upright image (in a report: of the output image), origin top-left.');

/** Something found that is not a face. */
export const detectedThingSchema = z
  .strictObject({
    detector: z
      .string()
      .optional()
      .describe('Its name in the ops; absent for plates and text that the service itself has found.'),
    kind: z.string().describe('`face`, `plate`, `text`, `person` or a word of its own.'),
    x: z.number().min(0).describe('Left edge.'),
    y: z.number().min(0).describe('Top edge.'),
    w: z.number().positive().describe('Width.'),
    h: z.number().positive().describe('Height.'),
    confidence: z.number().min(0).max(1),
    corners: z
      .array(z.strictObject({ x: z.number(), y: z.number() }))
      .length(4)
      .optional()
      .describe('Where it is turned: its corners in turn, within the box but for what the picture cuts off.'),
  })
  .describe('One box, padded, in pixels of the upright image (in a report: of the output image).');

/** Whole pixels of the output that are hidden. */
export const hiddenAreaSchema = z
  .strictObject({
    owner: z
      .enum(['region', 'face', 'plate', 'text', 'detector', 'second_look'])
      .describe('A region of the ops, what was found or given, or what only the second look found.'),
    fill: z.enum(['mosaic', 'solid']),
    x: z.int().min(0),
    y: z.int().min(0),
    w: z.int().min(1),
    h: z.int().min(1),
    shape: z
      .literal('ellipse')
      .optional()
      .describe('Not all of the box is hidden: only what the region’s ellipse touches.'),
  })
  .describe('Pixels of the output that are hidden, whole blocks included; `except` may leave some visible.');

/** What the second look found: a face, without a kind, or something else. */
export const foundAgainSchema = detectedThingSchema
  .extend({ kind: z.string().optional().describe('Absent: a face. Else `plate` or `text`.') })
  .describe('One box, padded, in pixels of the output image.');
