// A thread that makes the bodies of requests and sends them: where the honest caller does it, its calls wait
// for it, and not for the service.
import { parentPort } from 'node:worker_threads';
import '../plain_node.mjs';

const { shapes } = await import('../../test/fixtures/worst/shapes.ts');

const TYPES = {
  json: 'application/json',
  mcp: 'application/json',
  multipart: 'multipart/form-data; boundary=edge',
};
const PATHS = { json: '/v1/inspect', multipart: '/v1/inspect', mcp: '/mcp' };

let request;

/** The HTTP request of a trial. */
async function make({ shape, point, endpoint, ops }, scale) {
  const body = new Uint8Array(await shapes.find(({ name }) => name === shape).make(point, scale));
  const path = PATHS[endpoint] ?? `/v1/${endpoint}?ops=${encodeURIComponent(JSON.stringify(ops))}`;
  request = { path, body, type: TYPES[endpoint] ?? 'image/png' };
}

/** @returns {Promise<number>} the status; 0 where there is no answer */
async function send(address, key) {
  const headers = {
    Authorization: `Bearer ${key}`,
    'Content-Type': request.type,
    Accept: 'application/json, text/event-stream',
  };
  try {
    const answer = await fetch(address + request.path, { method: 'POST', headers, body: request.body });
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    return 0;
  }
}

parentPort.on('message', async ({ trial, scale, address, key }) => {
  parentPort.postMessage(trial ? await make(trial, scale) : await send(address, key));
});
