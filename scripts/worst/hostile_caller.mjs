// A thread that makes the bodies of requests and sends them: if the ordinary caller did it, its calls would
// wait for it instead of for the service.
import { parentPort } from 'node:worker_threads';
import '../plain_node.mjs';
import { post } from './post.mjs';

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

parentPort.on('message', async ({ trial, scale, address, key }) => {
  parentPort.postMessage(trial ? await make(trial, scale) : await post(address, key, request));
});
