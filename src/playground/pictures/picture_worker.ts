import { type Jobs, jobs } from './jobs.ts';

/** The worker for whole pictures. It runs one job at a time, since each may hold all pixels of a photo. */

/** A message from the page: a job, its arguments, and a number for the answer. */
export interface JobMessage<J extends keyof Jobs = keyof Jobs> {
  readonly id: number;
  readonly job: J;
  readonly given: Parameters<Jobs[J]>;
}

/** An answer: a value, or that the browser can't do the job. */
export type JobAnswer = { readonly id: number } & (
  | { readonly value: unknown }
  | { readonly failure: string }
);

let last: Promise<unknown> = Promise.resolve();

addEventListener('message', ({ data }: MessageEvent<JobMessage>) => {
  last = last.then(() => answer(data));
});

async function answer({ id, job, given }: JobMessage): Promise<void> {
  const run = jobs[job] as (...given: unknown[]) => Promise<unknown>;
  let answered: JobAnswer;
  try {
    answered = { id, value: await run(...given) };
  } catch (error) {
    answered = { id, failure: String(error) };
  }
  postMessage(answered, { transfer: 'value' in answered ? movable(answered.value) : [] });
}

/** The parts of a value that can be transferred to the page without a copy. */
const movable = (value: unknown): Transferable[] =>
  [value, ...Object.values(value ?? {})].flatMap((part) => {
    if (part instanceof ImageBitmap) return part;
    return part?.data instanceof Uint8ClampedArray ? part.data.buffer : [];
  });
