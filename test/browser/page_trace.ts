import type { Page } from 'playwright-core';

/** A task of the page's main thread, in milliseconds. */
export interface MainThreadTask {
  /** By the clock, with whatever else of the machine came between. */
  readonly clock: number;
  /** Of this thread. */
  readonly cpu: number;
  /** What took longest within it, by the names of the browser's trace. */
  readonly parts: readonly string[];
}

/** Of Chromium's trace format: times are in microseconds, `ph: 'X'` is an event with a duration. */
interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  readonly tdur?: number;
  readonly args: {
    readonly name?: string;
    readonly chrome_mojo_event_info?: { readonly mojo_interface_tag?: string };
  };
}

const CATEGORIES = ['devtools.timeline', 'disabled-by-default-devtools.timeline', 'toplevel'];
/** By which a test drives a page: what it asks for is no work of the page. */
const DRIVER = 'blink.mojom.DevToolsSession';
/** Parts of a task that are told. */
const TOLD = 3;

/** The tasks of the page's main thread while something is done, by the browser's own trace. */
export async function mainThreadTasks(page: Page, act: () => Promise<unknown>): Promise<MainThreadTask[]> {
  const events = await traced(page, act);
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid}/${tid}`;
  const main = new Set(
    events.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain').map(threadOf),
  );
  const complete = events.filter((event) => event.ph === 'X' && main.has(threadOf(event)));
  const within = ({ ts, dur = 0, ...task }: TraceEvent) =>
    complete.filter(
      (event) =>
        event.name !== 'RunTask' &&
        event.ts >= ts &&
        event.ts < ts + dur &&
        event.pid === task.pid &&
        event.tid === task.tid,
    );
  const isDriving = ({ args }: TraceEvent) => args.chrome_mojo_event_info?.mojo_interface_tag === DRIVER;
  const driven = complete.filter(isDriving).map(({ ts }) => ts);
  return complete
    .filter(({ name, ts, dur = 0 }) => name === 'RunTask' && !driven.some((at) => at >= ts && at < ts + dur))
    .map((task) => ({
      clock: (task.dur ?? 0) / 1000,
      cpu: (task.tdur ?? 0) / 1000,
      get parts() {
        return within(task)
          .toSorted((a, b) => (b.dur ?? 0) - (a.dur ?? 0))
          .slice(0, TOLD)
          .map(({ name, dur = 0 }) => `${name} ${Math.round(dur / 1000)} ms`);
      },
    }));
}

/** "76 ms (12 ms of CPU; ParseHTML 40 ms, …)" */
export const described = ({ clock, cpu, parts }: MainThreadTask): string =>
  `${Math.round(clock)} ms (${Math.round(cpu)} ms of CPU; ${parts.join(', ')})`;

async function traced(page: Page, act: () => Promise<unknown>): Promise<readonly TraceEvent[]> {
  const session = await page.context().newCDPSession(page);
  await session.send('Tracing.start', {
    transferMode: 'ReturnAsStream',
    traceConfig: { includedCategories: CATEGORIES, excludedCategories: ['*'] },
  });
  await act();
  const finished = new Promise<string>((resolve) => {
    session.once('Tracing.tracingComplete', ({ stream }) => resolve(stream!));
  });
  await session.send('Tracing.end');
  const handle = await finished;
  const parts: Buffer[] = [];
  for (let isAtEnd = false; !isAtEnd; ) {
    const { data, base64Encoded, eof } = await session.send('IO.read', { handle });
    parts.push(Buffer.from(data, base64Encoded ? 'base64' : 'utf8'));
    isAtEnd = eof;
  }
  await session.send('IO.close', { handle });
  await session.detach();
  return JSON.parse(Buffer.concat(parts).toString()).traceEvents;
}
