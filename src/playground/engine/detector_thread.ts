import { serve } from '../../library/thread_calls.ts';
import { threadScope } from '../../library/thread_scope.ts';

/** The page's thread where it offers detectors of the operator's: a call that names one loads it. */
const receive = serve(threadScope.post, async (ops) => {
  const { detectors = {} } = (ops as { pixelate?: { detectors?: object } } | undefined)?.pixelate ?? {};
  const names = Object.keys(detectors);
  return names.length === 0 ? [] : (await import('./own_detectors.ts')).openDetectors(names);
});
threadScope.listen(receive);
