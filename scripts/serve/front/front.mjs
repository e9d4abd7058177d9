import { Agent, createServer, STATUS_CODES, request as send } from 'node:http';
import { Connections } from './connections.mjs';
import {
  endToEnd,
  forwarded,
  longHead,
  MOST_BODY_BYTES,
  MOST_HEAD_BYTES,
  Refusal,
  tooLarge,
  unknownMethod,
} from './forwarding.mjs';

/** Milliseconds for the head of a request from its first byte; for a connection's first, from its opening. */
const HEAD_MS = 10_000;
/** Milliseconds that a connection stays open between two requests: longer than proxies keep theirs (60 s). */
const IDLE_MS = 65_000;
/** Milliseconds without a byte read, after which an answer that nobody produces any more is given up. */
const UNREAD_MS = 60_000;
/** Milliseconds for which a call waits for a process that can take it. */
const PLACE_MS = 10_000;
/** Milliseconds for which the rest of a refused request is read, so that its answer arrives. */
const LINGER_MS = 2000;
/** Most connections with a network, and most requests of it where the proxy reports networks. */
const MOST_OF_ONE = 64;
/** Most requests that a connection may send ahead of their answers (pipelining); one more closes it. */
const MOST_QUEUED = 16;
const RETRY_AFTER_SECONDS = 2;
/** Milliseconds between two looks which connections move. */
const LOOK_MS = 1000;

/** Why Node's parser gives a request up (llhttp's and Node's codes); all others are faults of its form. */
const PARSER_REFUSALS = {
  HPE_INVALID_METHOD: unknownMethod,
  HPE_HEADER_OVERFLOW: longHead,
  ERR_HTTP_REQUEST_TIMEOUT: () =>
    new Refusal('bad_request', `Expected the head of a request within ${HEAD_MS / 1000} s`),
};

const overloaded = (message) =>
  new Refusal('overloaded', message, { retryAfterSeconds: RETRY_AFTER_SECONDS });

/**
 * An HTTP server in front of the processes that do the work. It bounds connections and waits before anything
 * is held for them, answers by itself what the runtime would refuse in a form of its own, and passes all else
 * on, body and answer as they come. A client that goes ends its call.
 * @param {object} options
 * @param {import('./pool.mjs').Pool} options.pool
 * @param {(refusal: Refusal, accept?: string) => Response} options.refusalResponse
 * @param {(socket: import('node:net').Socket) => string} options.networkOfSocket
 * @param {((headers: import('node:http').IncomingHttpHeaders) => string)=} options.networkOfRequest
 * where a proxy reports it
 * @param {number} options.mostConnections
 * @param {Readonly<Record<string, (headers: readonly string[]) => Promise<{ status: number, headers: readonly
 * string[], body: string }>>>} [options.collected] by path: a GET that is answered from all processes
 * @param {number} [options.mostOfOne]
 * @param {number} [options.headMs]
 */
export function createFront({
  pool,
  refusalResponse,
  networkOfSocket,
  networkOfRequest,
  mostConnections,
  collected = {},
  mostOfOne = MOST_OF_ONE,
  headMs = HEAD_MS,
}) {
  // A connection of its own for each call: one that is kept might just be closing, and lose the call.
  const agent = new Agent({ keepAlive: false });
  const connections = new Connections({ most: mostConnections, mostOfOne });
  setInterval(() => connections.look(), LOOK_MS).unref();
  let isStopping = false;

  const server = createServer(
    {
      headersTimeout: headMs,
      requestTimeout: 0,
      keepAliveTimeout: IDLE_MS,
      connectionsCheckingInterval: Math.min(1000, headMs),
      maxHeaderSize: MOST_HEAD_BYTES,
      requireHostHeader: false,
    },
    inTurn,
  );
  server.timeout = UNREAD_MS;
  server.on('connection', (socket) => connections.add(socket, networkOfSocket(socket)));
  server.on('checkContinue', (request, response) => {
    response.writeContinue();
    inTurn(request, response);
  });
  // Any other expectation is ignored, as RFC 9110 section 10.1.1 allows.
  server.on('checkExpectation', inTurn);
  server.on('connect', (request, socket) => refuseRaw(socket, unknownMethod(), request.headers.accept));
  server.on('clientError', (error, socket) => {
    const connection = connections.of(socket);
    // Nothing was asked, or nobody can be told.
    const isSilent = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket.bytesRead === 0;
    const isAnswering = connection?.latest?.headersSent && !connection.latest.closed;
    if (!connection || !socket.writable || error.code === 'ECONNRESET' || isSilent || isAnswering)
      return socket.destroy();
    const refusal =
      PARSER_REFUSALS[error.code] ?? (() => new Refusal('bad_request', 'This is no HTTP request'));
    refuseRaw(socket, refusal());
  });
  server.on('timeout', (socket) => {
    // While a process works for it, deadlines are that process's.
    if (!connections.of(socket)?.isWorking) socket.destroy();
  });

  /** Requests of one connection are answered one after the other: else it could begin any number at once. */
  function inTurn(request, response) {
    const connection = connections.of(request.socket);
    if (!connection) return request.socket.destroy();
    const before = connection.latest;
    connection.latest = response;
    if (!before || before.closed) return void answer(connection, request, response);
    if (++connection.queued > MOST_QUEUED) return request.socket.destroy();
    before.once('close', () => {
      connection.queued--;
      if (!request.socket.destroyed) void answer(connection, request, response);
    });
  }

  async function answer(connection, request, response) {
    connection.request = request;
    const gone = new AbortController();
    response.once('close', () => {
      connections.answered(connection);
      if (networkOfRequest) connections.assign(connection, networkOfSocket(request.socket));
      gone.abort();
    });
    try {
      const network = networkOfRequest?.(request.headers);
      if (network !== undefined && !connections.assign(connection, network))
        throw overloaded('As many calls of this network are open as may be; try again shortly');
      await pass(connection, request, response, gone.signal);
    } catch (error) {
      const refusal =
        error instanceof Refusal ? error : overloaded('This call was interrupted; try again shortly');
      await refuse(request, response, refusal).catch(() => response.destroy());
    }
  }

  async function pass(connection, request, response, gone) {
    const { method, path, headers, isLarge, hasBody } = forwarded(request);
    const collect = method === 'GET' && Object.hasOwn(collected, path) ? collected[path] : undefined;
    if (collect) return write(request, response, await collect(headers));
    const place = pool.take(isLarge) ?? (await pool.takeLater(isLarge, gone, PLACE_MS));
    if (!place) throw overloaded('No process can take this call just now; try again shortly');
    connection.isWorking = true;
    await new Promise((answered, failed) => {
      const { socketPath } = place;
      const options = {
        socketPath,
        method,
        path,
        headers,
        agent,
        setHost: false,
        setDefaultHeaders: false,
      };
      const upstream = send(options, (received) => {
        // From here on, what goes wrong on the way there is the answer's.
        upstream.on('error', () => {}).off('error', failed);
        const isLast = isStopping || !request.complete;
        response.writeHead(received.statusCode, withClose(endToEnd(received.rawHeaders), isLast));
        received.on('error', () => response.destroy());
        received.on('end', () => finish(request, response).then(answered));
        received.pipe(response, { end: false });
      });
      upstream.on('error', failed);
      upstream.on('close', () => {
        connection.isWorking = false;
        place.leave();
      });
      if (gone.aborted) upstream.destroy();
      gone.addEventListener('abort', () => upstream.destroy());
      if (!hasBody) return void upstream.end();
      // Else nothing is sent before there is some of the body.
      upstream.flushHeaders();
      let bytes = 0;
      request.on('data', (chunk) => {
        bytes += chunk.length;
        if (bytes <= MOST_BODY_BYTES) return;
        failed(tooLarge());
        upstream.destroy();
      });
      request.pipe(upstream);
    });
  }

  /** Answers in the service's form. */
  async function refuse(request, response, refusal) {
    if (response.destroyed || response.headersSent) return response.destroy();
    await write(request, response, await textOf(refusalResponse(refusal, request.headers.accept)));
  }

  /** Writes an answer whose body is there. */
  async function write(request, response, { status, headers, body }) {
    const all = [...endToEnd(headers, ['content-length']), 'Content-Length', `${Buffer.byteLength(body)}`];
    response.writeHead(status, withClose(all, isStopping || !request.complete));
    if (request.method !== 'HEAD') response.write(body);
    await finish(request, response);
  }

  /**
   * Ends an answer that is written, after what is left of its request: a client that is still sending when
   * its connection is closed might not get to read the answer.
   */
  async function finish(request, response) {
    if (!request.complete && !connections.isCrowded) {
      request.unpipe();
      request.resume();
      await new Promise((read) => {
        const timer = setTimeout(read, LINGER_MS);
        for (const event of ['end', 'close']) {
          request.once(event, () => {
            clearTimeout(timer);
            read();
          });
        }
      });
    }
    response.end();
  }

  /** Answers where there is no request, or one that takes its connection over, and closes the connection. */
  async function refuseRaw(socket, refusal, accept) {
    socket.on('error', () => {});
    const { statusText, status, headers, body } = await textOf(refusalResponse(refusal, accept));
    const lines = [`HTTP/1.1 ${status} ${statusText}`];
    const all = withClose([...headers, 'Content-Length', `${Buffer.byteLength(body)}`], true);
    for (let i = 0; i < all.length; i += 2) lines.push(`${all[i]}: ${all[i + 1]}`);
    socket.resume();
    socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`, () => {
      if (connections.isCrowded) socket.destroy();
      else setTimeout(() => socket.destroy(), LINGER_MS).unref();
    });
  }

  return {
    server,
    /** Takes no more connections, and closes those that have no call. Calls that have begun go on. */
    stop() {
      isStopping = true;
      server.close();
      connections.closeIdle();
    },
  };
}

const withClose = (headers, isLast) => (isLast ? [...headers, 'Connection', 'close'] : headers);

/** A response as what is written to a connection. */
async function textOf(response) {
  const { status } = response;
  const body = await response.text();
  return { status, statusText: STATUS_CODES[status], headers: [...response.headers].flat(), body };
}
