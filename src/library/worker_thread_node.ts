import { parentPort } from 'node:worker_threads';
import { serve } from './thread_calls.ts';

// Deno's threads have a location, whose origin is null; onnxruntime-web can't make an address of that.
Reflect.deleteProperty(globalThis, 'location');

const port = parentPort!;
const receive = serve((answer, transfer) => port.postMessage(answer, transfer));
port.on('message', receive);
