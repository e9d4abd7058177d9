import { ensureCore } from '../../scripts/core/ensure.mjs';

/** Before any test of a project runs: the core is built anew if a source of it changed since. */
export default async function currentCore(): Promise<void> {
  if (await ensureCore()) console.log('the core was older than its sources and has been built');
}
