import type { Context } from 'hono';
import type { FileFacts } from '../../metadata/facts.ts';
import { blockNames } from '../../metadata/scan.ts';
import type { InspectResult } from '../../ops/responses.ts';
import { inspectOpsSchema } from '../../ops/schema.ts';
import { colourOf } from '../../pixels/colour/source.ts';
import { readFacts } from '../../sanitize/read_header.ts';
import { receiveUpload } from '../body/receive.ts';
import type { Env } from '../env.ts';
import { requireOps } from '../parse_ops.ts';

/** POST /v1/inspect: what the file carries, i.e. what sanitize would destroy. Never decodes a pixel. */
export async function inspectRoute(c: Context<Env>): Promise<Response> {
  using upload = await receiveUpload(c);
  requireOps(inspectOpsSchema, upload.ops);
  const { bytes } = upload.image;
  const result = inspectResult(readFacts(bytes), bytes);
  return c.json(result, 200, { 'Cache-Control': 'no-store' });
}

/**
 * The specification's inspect result, and ours: orientation, frames, complete, colour_space, blocks. Sizes
 * are as stored.
 */
export function inspectResult(facts: FileFacts, image: Uint8Array): InspectResult {
  return {
    format: facts.format,
    width: facts.width,
    height: facts.height,
    bytes: image.length,
    metadata_blocks_present: blockNames(facts),
    has_gps: facts.hasGps,
    orientation: facts.orientation,
    frames: facts.frames,
    complete: facts.complete,
    colour_space: colourOf(facts, image).name,
    blocks: facts.blocks.map(({ name, start, end }) => ({ name, bytes: end - start })),
  };
}
