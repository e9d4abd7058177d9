import { WorkerEntrypoint } from 'cloudflare:workers';
import { AnonymousWindows } from '../../metering/anonymous_windows.ts';
import type { CallMeter } from '../../metering/call_meter.ts';
import type { CallFailure } from '../../metering/journal.ts';
import type { Terms } from '../../metering/meter.ts';
import { type MeterMethod, meterMethods, released } from '../../metering/meter_methods.ts';

export { CallMeter } from '../../metering/call_meter.ts';

/** The beginning of the names of meters of callers without a key (src/api/caller/caller.ts). */
const ANONYMOUS = 'anonymous_';

/** Windows of callers without a key: of all processes that ask this one. */
export const anonymousWindows = new AnonymousWindows();

/**
 * What the counting process of a self-hosted server offers to the others: every meter by its name. Objects
 * and their stubs can't be passed between processes; calls of an entry point can.
 */
export class Counters extends WorkerEntrypoint<{ CALL_METER: DurableObjectNamespace<CallMeter> }> {
  /**
   * Asks one meter. Callers without a key are counted in memory, as an emptied object would leave its file.
   * @throws TypeError for what is no method of a meter; else what the meter throws
   */
  async call(name: string, method: string, args: readonly unknown[]): Promise<unknown> {
    if (!isMeterMethod(method)) throw new TypeError('This is no method of a meter');
    if (name.startsWith(ANONYMOUS)) return ofNetwork(name, method, args);
    const ask = this.env.CALL_METER.getByName(name)[method] as (...args: readonly unknown[]) => unknown;
    return released(await ask(...args));
  }
}

const isMeterMethod = (name: string): name is MeterMethod =>
  (meterMethods as readonly string[]).includes(name);

function ofNetwork(name: string, method: MeterMethod, args: readonly unknown[]): unknown {
  const [id, terms, failure] = args as [number, Terms, CallFailure];
  if (method === 'admit') return anonymousWindows.admit(name, id, terms, Date.now());
  if (method === 'giveBack') return anonymousWindows.giveBack(name, id, terms, failure, Date.now());
  if (method === 'tick') return undefined;
  throw new TypeError('Callers without a key have no such method');
}

/**
 * The program that started the process asks every few seconds whether it answers, so expired windows are
 * forgotten here.
 */
export default {
  fetch() {
    anonymousWindows.expire(Date.now());
    return new Response(null, { status: 204 });
  },
} satisfies ExportedHandler;
