import { bytesOf, type ImageFile } from '../memory/owned_bytes.ts';
import { blockNames } from '../metadata/scan.ts';
import type { InspectResult } from '../ops/responses.ts';
import { colourOf } from '../pixels/colour/source.ts';
import { readFacts } from './read_header.ts';

/**
 * What a file declares and which metadata it carries, that is what sanitize would remove. Decodes no pixels.
 * @throws Fault 'unsupported' for anything but the six formats
 */
export function inspect(file: ImageFile): InspectResult {
  const bytes = bytesOf(file);
  const facts = readFacts(bytes);
  return {
    format: facts.format,
    width: facts.width,
    height: facts.height,
    bytes: bytes.length,
    metadata_blocks_present: blockNames(facts),
    has_gps: facts.hasGps,
    orientation: facts.orientation,
    frames: facts.frames,
    complete: facts.complete,
    colour_space: colourOf(facts, bytes).name,
    blocks: facts.blocks.map(({ name, start, end }) => ({ name, bytes: end - start })),
  };
}
