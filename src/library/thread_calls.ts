import type { Detector } from '../detectors/detector.ts';
import { ImageError } from './image_error.ts';
import type { Progress } from './options.ts';

/** A call sent to a thread. */
export interface ThreadCall {
  readonly id: number;
  readonly call: 'sanitize' | 'detect' | 'inspect';
  readonly image: Uint8Array;
  readonly ops: unknown;
  readonly memoryBudget: number | undefined;
  readonly tellsProgress: boolean;
}

/** A message to a thread: a call, or the request to abort one. */
export type ToThread = ThreadCall | { readonly abort: number };

/** A message from a thread. Errors are sent as plain members, since classes are lost between threads. */
export type FromThread =
  | { readonly id: number; readonly progress: Progress }
  | { readonly id: number; readonly result: unknown }
  | {
      readonly id: number;
      readonly error: Pick<ImageError, 'code' | 'message' | 'issues'> | { readonly thrown: unknown };
    };

/**
 * Handles calls in a thread.
 * @param answer sends a message back, transferring the buffers
 * @param detectorsFor returns the additional detectors that a call's ops name. If absent, there are none
 * @returns a function to call with every message
 */
export function serve(
  answer: (value: FromThread, transfer: ArrayBuffer[]) => void,
  detectorsFor?: (ops: unknown) => Promise<readonly Detector[]>,
): (value: unknown) => void {
  const running = new Map<number, AbortController>();
  const take = async (call: ThreadCall) => {
    const { id } = call;
    const controller = new AbortController();
    running.set(id, controller);
    try {
      const detectors = await detectorsFor?.(call.ops);
      const tell = (progress: Progress) => answer({ id, progress }, []);
      const result = await runCall(call, controller.signal, tell, detectors);
      answer(
        { id, result },
        'bytes' in result && typeof result.bytes !== 'number' ? [result.bytes.buffer] : [],
      );
    } catch (error) {
      answer({ id, error: taken(error) }, []);
    } finally {
      running.delete(id);
    }
  };
  return (value) => {
    const message = value as ToThread;
    if ('abort' in message) running.get(message.abort)?.abort();
    else void take(message);
  };
}

/**
 * The pipeline is imported on demand: importing it waits for its modules, and a browser drops messages that
 * arrive before a worker's script has set its listener.
 */
async function runCall(
  { call, image, ops, memoryBudget, tellsProgress }: ThreadCall,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
  detectors?: readonly Detector[],
) {
  const options = { signal, memoryBudget, detectors, ...(tellsProgress && { onProgress }) };
  if (call === 'inspect') return (await import('./inspect_job.ts')).inspectJob(image, ops, options);
  const { detectJob, sanitizeJob } = await import('./jobs.ts');
  if (call === 'detect') return detectJob(image, ops, options);
  return sanitizeJob(image, ops, options);
}

function taken(error: unknown) {
  if (!(error instanceof ImageError)) return { thrown: error };
  const { code, message, issues } = error;
  return { code, message, issues };
}
