import { serve } from '../../library/thread_calls.ts';
import { threadScope } from '../../library/thread_scope.ts';
import { OWN_KINDS } from '../../vocabulary/own_kinds.ts';

interface Named {
  readonly kinds?: readonly string[];
  readonly pixelate?: { readonly detectors?: object };
}

/** The page's thread if the page offers the operator's detectors: a call that names one loads it. */
const receive = serve(threadScope.post, async (ops) => {
  const { kinds = [], pixelate } = (ops ?? {}) as Named;
  const named = [...kinds, ...Object.keys(pixelate?.detectors ?? {})];
  const names = named.filter((name) => !OWN_KINDS.includes(name));
  return names.length === 0 ? [] : (await import('./own_detectors.ts')).openDetectors(names);
});
threadScope.listen(receive);
