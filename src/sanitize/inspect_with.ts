import { imageName } from '../faults.ts';
import type { MemoryBudget } from '../memory/budget.ts';
import { bytesOf, bytesOutsideCores, type ImageFile } from '../memory/image_file.ts';
import type { Reservation } from '../memory/reservation.ts';
import { blockNames } from '../metadata/block_names.ts';
import { Cursor } from '../metadata/cursor.ts';
import type { Block, FileFacts } from '../metadata/facts.ts';
import { hiddenData, hiddenDataCost } from '../metadata/jpeg/hidden.ts';
import { jpegQuality } from '../metadata/jpeg/quality.ts';
import type { Payloads } from '../metadata/payloads.ts';
import type { InspectResult } from '../ops/responses.ts';
import type { InspectOps } from '../ops/schema.ts';
import { statedColour } from '../pixels/colour/stated.ts';
import { storedProfile } from '../pixels/colour/stored_profile.ts';
import { inTurns, type JobTime } from '../scheduling/time_slice.ts';
import { type Runtime, timeOf } from './runtime.ts';
import { bytesIn, scanned } from './scan_turns.ts';

/**
 * `scanInParts` of metadata/scan.ts, or a version that loads a format's scanner when the first such file
 * comes.
 */
type ScanInParts = (
  bytes: Uint8Array,
  cursor: Cursor,
  payloads: Payloads | null,
) => Generator<number, FileFacts | null> | Promise<Generator<number, FileFacts> | null>;

/** What inspection needs of a runtime. */
export interface InspectRuntime extends Pick<Runtime, 'giveTurn'> {
  readonly budget: Pick<MemoryBudget, 'capacity' | 'reserve'>;
}

type Inspect = (
  file: ImageFile,
  ops: InspectOps,
  runtime: InspectRuntime,
  signal?: AbortSignal,
  memory?: Reservation,
) => Promise<InspectResult>;

/**
 * Makes `inspect`: what a file declares, which metadata it carries (what sanitize would remove) and, if asked
 * for, the metadata's values. It decodes no pixels.
 * @returns inspect. Its `memory` is what is already reserved for the file, and is given back if more was
 * needed. It throws Fault 'unsupported' for anything but the input formats
 */
export const inspectWith =
  (scanInParts: ScanInParts): Inspect =>
  async (file, { values, thumbnails }, runtime, signal, memory) => {
    // Reading values is the larger half of the script: it loads with the first file.
    const reading = await import('./values_in_words.ts');
    const bytes = bytesOf(file);
    const cursor = new Cursor(bytes);
    const payloads = new reading.Payloads();
    const time = timeOf(runtime, signal);
    const parts = await scanInParts(bytes, cursor, payloads);
    const facts = parts && (await scanned(parts, bytes.length, time));
    if (!facts) throw (await import('./unknown_format.ts')).unknownFormat(bytes);
    const hidden = await findHiddenData(file, facts, runtime, time, signal, memory);
    const turns = bytesIn(time);
    const wanted = { thumbnails: values && thumbnails };
    const given = await inTurns(reading.valuesInWords(cursor, facts, payloads, wanted), turns);
    const blocks = [...facts.blocks, ...hidden].sort((a, b) => a.start - b.start || b.end - a.end);
    return {
      format: facts.format,
      width: facts.width,
      height: facts.height,
      bytes: bytes.length,
      metadata_blocks_present: blockNames({ blocks }),
      has_gps: reading.hasPosition(given),
      orientation: facts.orientation,
      ...(facts.cleanAperture !== undefined && { clean_aperture: facts.cleanAperture }),
      frames: facts.frames,
      complete: facts.complete,
      colour_space: await colourSpace(facts, bytes),
      ...jpegOf(facts),
      blocks: blocks.map(({ name, start, end }) => ({ name, start, bytes: end - start })),
      ...(values && { values: given }),
    };
  };

/**
 * The colour space by its name. Only a compressed profile, which only PNGs have, needs the code that
 * inflates.
 */
async function colourSpace(facts: FileFacts, bytes: Uint8Array): Promise<string> {
  const isCompressed = facts.colorimetry?.icc?.encoding === 'zlib';
  const profile = isCompressed
    ? (await import('../pixels/colour/embedded.ts')).embeddedProfile
    : storedProfile;
  return statedColour(facts, (location) => profile(bytes, location)).name;
}

function jpegOf({ density, jpeg }: FileFacts): Pick<InspectResult, 'jpeg'> {
  if (!density || !jpeg) return {};
  const [[across, down] = [1, 1], ...others] = jpeg.sampling;
  const halved = others.slice(0, 2).some(([x, y]) => x < across || y < down);
  return { jpeg: { quality: jpegQuality(density.meanStep), chroma_halved: halved } };
}

/** Finds bytes in a JPEG's coded data that do not belong to the picture. */
async function findHiddenData(
  file: ImageFile,
  facts: FileFacts,
  { budget }: Pick<InspectRuntime, 'budget'>,
  time: JobTime,
  signal: AbortSignal | undefined,
  memory: Reservation | undefined,
): Promise<readonly Block[]> {
  const bytes = bytesOf(file);
  const cost = hiddenDataCost(facts);
  const needed = Math.max(memory?.bytes ?? 0, bytes.length) + cost;
  if (needed > budget.capacity) return [];
  const outside = bytesOutsideCores(file) + cost;
  const what = `a ${imageName(facts)}`;
  using _reservation = cost > 0 ? await budget.reserve(needed, what, signal, outside, memory) : undefined;
  // Awaited here: otherwise the memory would be given back too early.
  return await inTurns(hiddenData(bytes, facts), bytesIn(time));
}
