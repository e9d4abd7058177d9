import { parentPort } from 'node:worker_threads';
import { serve } from './thread_calls.ts';

const port = parentPort!;
const receive = serve((answer, transfer) => port.postMessage(answer, transfer));
port.on('message', receive);
