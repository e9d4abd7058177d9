import type { IndexedKey, IndexPage } from '../../metering/key_index.ts';
import type { Bindings } from '../env.ts';
import { askMeter } from './meter_client.ts';

type Namespace = Bindings['CALL_METER'];

/** The object that holds the index of issued keys. It counts no calls. */
const INDEX_NAME = 'key_index';

/** Most ids that an isolate remembers as being in the index. */
const MAX_REMEMBERED = 10_000;

/** Keys that this isolate has entered or checked. */
const remembered = new Set<string>();

function remember(id: string): void {
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  remembered.add(id);
}

/**
 * Enters a key, or its latest state, into the index.
 * @throws MeterUnreachable
 */
export async function enlistKey(namespace: Namespace, id: string, key: IndexedKey): Promise<void> {
  const { plan, cap, issuedAt, label, expiresAt, revokedAt } = key;
  const entry = { plan, cap, issuedAt, label, expiresAt, revokedAt };
  await askMeter(namespace, INDEX_NAME, async (stub) => await stub.enlist(id, entry));
  remember(id);
}

/**
 * Enters a key that was just used, in case it was issued by a version that had no index. Asks the index once
 * per key and isolate, even if that fails: a call must not wait for it, and an index that is down must not be
 * asked at every call.
 * @throws MeterUnreachable
 */
export async function enlistUsedKey(namespace: Namespace, id: string): Promise<void> {
  if (remembered.has(id)) return;
  remember(id);
  if (await askMeter(namespace, INDEX_NAME, async (stub) => await stub.isListed(id))) return;
  const usage = await askMeter(namespace, id, async (stub) => await stub.usage());
  if (usage) await enlistKey(namespace, id, { label: null, expiresAt: null, ...usage });
}

/**
 * A page of the index.
 * @param after see `KeyIndex.page`
 * @throws MeterUnreachable
 */
export function keyPage(
  namespace: Namespace,
  after: string | null,
  limit: number,
): Promise<IndexPage | null> {
  return askMeter<IndexPage | null>(namespace, INDEX_NAME, async (stub) => await stub.listed(after, limit));
}
