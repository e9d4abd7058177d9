import { type PartGiven, takePart } from './home_in_thread.ts';
import { serve } from './thread_calls.ts';
import { threadScope } from './thread_scope.ts';

const receive = serve(threadScope.post);
threadScope.listen((message) => {
  if ('part' in (message as object)) takePart(message as PartGiven);
  else receive(message);
});
