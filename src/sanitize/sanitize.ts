import type { Raster } from '../codecs/types.ts';
import { imageName, OutputLimitFault } from '../faults.ts';
import type { MemoryBudget } from '../memory/budget.ts';
import { bytesOf, bytesOutsideCores, type ImageFile, type OwnedBytes } from '../memory/image_file.ts';
import { detachedCopy } from '../memory/owned_bytes.ts';
import type { Reservation } from '../memory/reservation.ts';
import { memoryBusyFault } from '../memory/shared_memory.ts';
import { ROOM_TO_DECODE } from '../memory/upload_buffer.ts';
import type { FileFacts } from '../metadata/facts.ts';
import type { SanitizeOps } from '../ops/schema.ts';
import { colourSourceOf } from '../pixels/colour/source.ts';
import { isLong } from '../scheduling/run_queue.ts';
import { JOB_TIME, type JobTime, type TimeSlice } from '../scheduling/time_slice.ts';
import { rowsWork } from '../scheduling/work.ts';
import { findersFor } from './finders.ts';
import { type Outcome, runJob, type SanitizedImage } from './pipeline.ts';
import { announcedTime, COPY_TIME } from './pixel_time.ts';
import { planSanitize, type SanitizePlan } from './plan.ts';
import { measured } from './progress.ts';
import { namedFault, readFactsInTurns, requireDecodable } from './read_header.ts';
import { type Runtime, timeOf } from './runtime.ts';

export interface Sanitized extends SanitizedImage {
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** A result in the memory it was written to, which stays reserved until the result is disposed of. */
export interface SanitizedInPlace extends SanitizedImage, Disposable {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The memory reserved for the bytes. It must be told when and how fast they are sent. */
  readonly memory: Pick<Reservation, 'startSending' | 'moved' | 'requirePace'>;
}

/**
 * The main job (pipeline.ts), in the memory that is reserved for it.
 * @param file the compressed image; not changed, but disposed of
 * @param signal aborted when the client goes away
 * @param memory what is already reserved for the file; the job takes it over
 * @throws Fault, see faults.ts; 'unclean' when the output would carry metadata
 */
export async function sanitize(
  file: ImageFile,
  ops: SanitizeOps,
  runtime: Runtime,
  signal?: AbortSignal,
  memory?: Reservation,
): Promise<Sanitized> {
  const { image, output, reservation, time } = await reserveAndRun(file, ops, runtime, signal, memory);
  using _reservation = reservation;
  using _output = output;
  return { ...image, bytes: await detachedCopy(output, (bytes) => time.spend(bytes * COPY_TIME)) };
}

/** As `sanitize`, but does not copy the output: for a caller that reads it once and disposes of it. */
export async function sanitizeInPlace(
  file: ImageFile,
  ops: SanitizeOps,
  runtime: Runtime,
  signal?: AbortSignal,
  memory?: Reservation,
): Promise<SanitizedInPlace> {
  const { image, output, reservation } = await reserveAndRun(file, ops, runtime, signal, memory);
  // Of the job only the output remains: its bytes stay reserved.
  reservation.shrinkTo(output.retainedBytes, output.outsideCores);
  return {
    ...image,
    get bytes() {
      return output.bytes;
    },
    memory: reservation,
    [Symbol.dispose]() {
      output[Symbol.dispose]();
      reservation[Symbol.dispose]();
    },
  };
}

/** A finished job: its output and the memory reserved for it now belong to the caller. */
interface FinishedJob extends Outcome {
  readonly reservation: Reservation;
  readonly time: JobTime;
}

async function reserveAndRun(
  file: ImageFile,
  ops: SanitizeOps,
  runtime: Runtime,
  signal: AbortSignal | undefined,
  memory: Reservation | undefined,
): Promise<FinishedJob> {
  const { budget } = runtime;
  const finders = findersFor(ops, runtime);
  const time = timeOf(runtime, signal);
  await time.spend(JOB_TIME);
  const bytes = bytesOf(file);
  const stored = await readFactsInTurns(bytes, time);
  requireDecodable(stored);
  const source = colourSourceOf(stored, bytes);
  // For a file without a declared length, more is reserved than it takes.
  const inputBytes = Math.max(bytes.length, (memory?.bytes ?? 0) - ROOM_TO_DECODE);
  const plan = planSanitize(stored, ops, inputBytes, finders, source);
  const { facts } = plan;
  const announced = announcedTime(plan.work, { facts, bytes: bytes.length });
  time.announce(announced);
  const reservation = await reserveFor(plan, file, facts, budget, signal, memory, isLong(announced));
  try {
    const { onProgress } = runtime;
    const job = { file, source, ops, plan, signal, time, onProgress };
    const work = rowsWork(plan.output.height, plan.output.width);
    const encode = (raster: Raster, slice: TimeSlice) => {
      const counted = onProgress ? measured(slice, 'encoding', work, onProgress) : slice;
      return encodeWithin(budget, reservation, raster, ops, plan, counted);
    };
    return { ...(await runJob(job, encode)), reservation, time };
  } catch (error) {
    reservation[Symbol.dispose]();
    throw namedFault(error, facts);
  }
}

/**
 * Reserves the predicted bytes. If only the guess of the output's length does not fit, it takes the whole
 * budget.
 */
function reserveFor(
  { predictedBytes, leastBytes, isOutputGuessed, outsideCores, encoder }: SanitizePlan,
  file: ImageFile,
  facts: FileFacts,
  budget: MemoryBudget,
  signal: AbortSignal | undefined,
  memory: Reservation | undefined,
  holdsLong: boolean,
): Promise<Reservation> {
  const mayBeTried = isOutputGuessed && leastBytes <= budget.capacity;
  const bytes = mayBeTried ? Math.min(predictedBytes, budget.capacity) : predictedBytes;
  const outside = Math.min(outsideCores + bytesOutsideCores(file), bytes);
  const what = `a ${imageName(facts)} to ${encoder.format.toUpperCase()}`;
  return budget.reserve(bytes, what, signal, outside, memory, holdsLong);
}

/**
 * Encodes the output. Its length is only predicted: a longer one takes what is free of the budget.
 * @throws OverloadedFault when the whole budget would be enough but other jobs hold a part of it
 */
async function encodeWithin(
  budget: MemoryBudget,
  reservation: Reservation,
  raster: Raster,
  ops: SanitizeOps,
  { encoder, predictedBytes, maxOutputBytes, encodedOutside, chroma }: SanitizePlan,
  slice: TimeSlice,
): Promise<OwnedBytes> {
  const limit = () => reservation.bytes - predictedBytes + maxOutputBytes;
  const raiseLimit = () => {
    reservation.takeFree(encodedOutside);
    return limit();
  };
  try {
    return await encoder.encode(raster, ops.output.quality, limit(), raiseLimit, slice, chroma);
  } catch (error) {
    const isAlone = reservation.bytes === budget.capacity;
    throw error instanceof OutputLimitFault && !isAlone ? memoryBusyFault() : error;
  }
}
