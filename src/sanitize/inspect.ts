import { imageName } from '../faults.ts';
import { bytesOf, bytesOutsideCores, type ImageFile } from '../memory/owned_bytes.ts';
import type { Reservation } from '../memory/reservation.ts';
import { Cursor } from '../metadata/cursor.ts';
import type { Block, FileFacts } from '../metadata/facts.ts';
import { hiddenData, hiddenDataCost } from '../metadata/jpeg_hidden.ts';
import { jpegQuality } from '../metadata/jpeg_quality.ts';
import { Payloads } from '../metadata/payloads.ts';
import { blockNames } from '../metadata/scan.ts';
import { readValues } from '../metadata/values/read_values.ts';
import type { InspectResult, MetadataValues } from '../ops/responses.ts';
import type { InspectOps } from '../ops/schema.ts';
import { colourOf } from '../pixels/colour/source.ts';
import { type Runtime, timeOf } from './pipeline.ts';
import { BLOCK_PASSED } from './pixel_time.ts';
import { readFacts } from './read_header.ts';

/**
 * What a file declares and which metadata it carries, that is what sanitize would remove; and what they say,
 * where that is asked for. Decodes no pixels.
 * @param memory what is already reserved for the file; given back where more was needed
 * @throws Fault 'unsupported' for anything but the six formats
 */
export async function inspect(
  file: ImageFile,
  { values, thumbnails }: InspectOps,
  runtime: Runtime,
  signal?: AbortSignal,
  memory?: Reservation,
): Promise<InspectResult> {
  const bytes = bytesOf(file);
  const cursor = new Cursor(bytes);
  const payloads = values ? new Payloads() : null;
  const facts = readFacts(bytes, cursor, payloads);
  const hidden = await findHiddenData(file, facts, runtime, signal, memory);
  const blocks = [...facts.blocks, ...hidden].sort((a, b) => a.start - b.start || b.end - a.end);
  return {
    format: facts.format,
    width: facts.width,
    height: facts.height,
    bytes: bytes.length,
    metadata_blocks_present: blockNames({ blocks }),
    has_gps: facts.hasGps,
    orientation: facts.orientation,
    frames: facts.frames,
    complete: facts.complete,
    colour_space: colourOf(facts, bytes).name,
    ...jpegOf(facts),
    blocks: blocks.map(({ name, start, end }) => ({ name, bytes: end - start })),
    ...(payloads && { values: inWords(readValues(cursor, facts, payloads, { thumbnails })) }),
  };
}

function jpegOf({ density, jpeg }: FileFacts): Pick<InspectResult, 'jpeg'> {
  if (!density || !jpeg) return {};
  const [[across, down] = [1, 1], ...others] = jpeg.sampling;
  const halved = others.slice(0, 2).some(([x, y]) => x < across || y < down);
  return { jpeg: { quality: jpegQuality(density.meanStep), chroma_halved: halved } };
}

/** What lies in a JPEG's coded data without being of the picture. */
async function findHiddenData(
  file: ImageFile,
  facts: FileFacts,
  runtime: Runtime,
  signal: AbortSignal | undefined,
  memory: Reservation | undefined,
): Promise<readonly Block[]> {
  const { budget } = runtime;
  const bytes = bytesOf(file);
  const cost = hiddenDataCost(facts);
  const needed = Math.max(memory?.bytes ?? 0, bytes.length) + cost;
  if (needed > budget.capacity) return [];
  const outside = bytesOutsideCores(file) + cost;
  const what = `a ${imageName(facts)}`;
  using _reservation =
    cost > 0
      ? await (memory?.growTo(needed, what, signal, outside) ?? budget.reserve(needed, what, signal, outside))
      : undefined;
  const { spend } = timeOf(runtime, signal);
  const search = hiddenData(bytesOf(file), facts);
  for (;;) {
    const { value, done } = search.next();
    if (done) return value;
    await spend(value * BLOCK_PASSED);
  }
}

/** Values as they are answered: pictures in base64. */
function inWords(values: ReturnType<typeof readValues>): MetadataValues {
  const thumbnails = values.thumbnails.map(({ image, ...thumbnail }) => ({
    ...thumbnail,
    ...(image && { image: base64(image) }),
  }));
  return { ...values, thumbnails };
}

/** Characters of one call of fromCharCode, whose arguments lie on the stack; a multiple of three. */
const PIECE = 3 * 8192;

function base64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += PIECE) {
    text += btoa(String.fromCharCode(...bytes.subarray(at, at + PIECE)));
  }
  return text;
}
