import type { IndexedKey, IndexPage } from '../../metering/key_index.ts';
import type { Bindings } from '../env.ts';
import { askMeter } from './meter_client.ts';

type Namespace = Bindings['CALL_METER'];

/** The object that holds the index of issued keys. It counts nobody's calls. */
const INDEX_NAME = 'key_index';

/** Most ids that an isolate remembers to be in the index. */
const MAX_REMEMBERED = 10_000;

/** Keys that this isolate has entered, or has asked about. */
const remembered = new Set<string>();

function remember(id: string): void {
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  remembered.add(id);
}

/**
 * Enters a key into the index, or what has become of it.
 * @throws MeterUnreachable
 */
export async function enlistKey(namespace: Namespace, id: string, key: IndexedKey): Promise<void> {
  const { plan, cap, issuedAt, label, expiresAt, revokedAt } = key;
  const entry = { plan, cap, issuedAt, label, expiresAt, revokedAt };
  await askMeter(namespace, INDEX_NAME, async (stub) => await stub.enlist(id, entry));
  remember(id);
}

/**
 * Enters a key that was used and that a version without the index has issued. Asks once for each key and
 * isolate, whether it succeeds or not: a call must not wait for it, nor an index that is down be asked anew.
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
 * @param after as of KeyIndex.page
 * @throws MeterUnreachable
 */
export function keyPage(
  namespace: Namespace,
  after: string | null,
  limit: number,
): Promise<IndexPage | null> {
  return askMeter<IndexPage | null>(namespace, INDEX_NAME, async (stub) => await stub.listed(after, limit));
}
