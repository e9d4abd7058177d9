import type { Detector } from '../detectors/detector.ts';
import { ImageError } from './image_error.ts';
import type { Progress } from './options.ts';

/** A call that goes to a thread. */
export interface ThreadCall {
  readonly id: number;
  readonly call: 'sanitize' | 'detect' | 'inspect';
  readonly image: Uint8Array;
  readonly ops: unknown;
  readonly memoryBudget: number | undefined;
  readonly tellsProgress: boolean;
}

/** What goes to a thread: a call, or the end of one. */
export type ToThread = ThreadCall | { readonly abort: number };

/** What comes back. An error is taken apart, since classes do not pass between threads. */
export type FromThread =
  | { readonly id: number; readonly progress: Progress }
  | { readonly id: number; readonly result: unknown }
  | {
      readonly id: number;
      readonly error: Pick<ImageError, 'code' | 'message' | 'issues'> | { readonly thrown: unknown };
    };

/**
 * Takes calls in a thread.
 * @param answer sends back, and gives the buffers away
 * @param detectorsFor the further detectors that a call's ops name. Absent: there are none
 * @returns what is to be given every message
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
 * The pipeline is imported late: it waits for its modules, and a browser drops the messages that come before
 * a worker's script has set its listener.
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
