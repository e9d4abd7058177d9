import type { CallMeter } from '../../metering/call_meter.ts';
import { meterMethods, released } from '../../metering/meter_methods.ts';
import type { Bindings } from '../env.ts';

let latest: { readonly given: Bindings; readonly bindings: Bindings } | undefined;

/**
 * The bindings, with the meters of the counting process in place of objects of this one, if there is one.
 * An isolate gets the same object at every request, since others compare it by identity.
 */
export function withRemoteMeters(given: Bindings): Bindings {
  const { COUNTERS } = given;
  if (!COUNTERS) return given;
  if (latest?.given !== given) latest = { given, bindings: { ...given, CALL_METER: remoteMeters(COUNTERS) } };
  return latest.bindings;
}

/**
 * Meters of another process, to be asked as objects are. If that process can't be reached, the error of a
 * call is `retryable`, as that of an object.
 */
function remoteMeters(counters: NonNullable<Bindings['COUNTERS']>): DurableObjectNamespace<CallMeter> {
  const getByName = (name: string) =>
    Object.fromEntries(
      meterMethods.map((method) => [
        method,
        async (...args: readonly unknown[]) => released(await counters.call(name, method, args)),
      ]),
    );
  return { getByName } as unknown as DurableObjectNamespace<CallMeter>;
}
