/** The methods that are passed on: those of the service's addresses, and PUT, which it refuses itself. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/** Methods that an address may have, for those who ask with another one. */
export const ALLOWED = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST'];
/**
 * Most bytes of a request's head, its address encoded. The runtime takes 64 KB. As text, it takes as much
 * again in memory: times the number of connections, this is what heads can take.
 */
export const MOST_HEAD_BYTES = 60 * 1024;
/** Most bytes of a body: beyond them the service reads nothing more (src/api/body/drain.ts). */
export const MOST_BODY_BYTES = 64 * 1024 * 1024;

/** Headers of one connection (RFC 9110 section 7.6.1), and Expect, which the front itself answers. */
const HOP_BY_HOP = new Set([
  'connection',
  'expect',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Why a request is not passed on. */
export class Refusal extends Error {
  /**
   * @param {string} code of the service's table of errors
   * @param {string} message
   * @param {{ allow?: string[], retryAfterSeconds?: number }} [extras]
   */
  constructor(code, message, extras = {}) {
    super(message);
    this.code = code;
    this.extras = extras;
  }
}

/** The refusal of a head of more than `MOST_HEAD_BYTES`. */
export const longHead = () =>
  new Refusal(
    'bad_request',
    `Expected an address and headers of at most ${MOST_HEAD_BYTES / 1024} KB; longer ops go into a form or JSON`,
  );

/** The refusal of a method that no address has. */
export const unknownMethod = () =>
  new Refusal('method_not_allowed', `Expected one of ${ALLOWED.join(', ')} as the method`, {
    allow: ALLOWED,
  });

/**
 * Headers that are passed on.
 * @param {readonly string[]} raw names and values in turns, as Node has them
 * @param {readonly string[]} [others] in lower case, which are not passed on either
 * @returns {string[]} the same form
 */
export function endToEnd(raw, others = []) {
  const named = new Set([...HOP_BY_HOP, ...others]);
  for (let i = 0; i < raw.length; i += 2) {
    if (raw[i].toLowerCase() !== 'connection') continue;
    for (const name of raw[i + 1].split(',')) named.add(name.trim().toLowerCase());
  }
  const kept = [];
  for (let i = 0; i < raw.length; i += 2) if (!named.has(raw[i].toLowerCase())) kept.push(raw[i], raw[i + 1]);
  return kept;
}

/** What an address may not contain as it is (RFC 3986 section 2), though clients send it: `?ops={"…}`. */
const TO_ENCODE = /[^!-~]|["#<>\\^`{|}]/g;

/**
 * The address of a request as the runtime takes it.
 * @param {string} url as it came, a character a byte
 * @returns {string} path and query, of ASCII alone
 * @throws {Refusal}
 */
export function addressOf(url) {
  const path = url.startsWith('/') ? url : /^https?:\/\/[^/?#]+(\/.*)?$/is.exec(url)?.[1];
  if (path === undefined) throw new Refusal('bad_request', 'Expected an address that begins with /');
  return path.replace(TO_ENCODE, (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

/**
 * Checks what the runtime would refuse in a form of its own.
 * @param {import('node:http').IncomingMessage} request
 * @returns {{ method: string, path: string, headers: string[], isLarge: boolean, hasBody: boolean }}
 * @throws {Refusal}
 */
export function forwarded({ method = '', url = '', headers, rawHeaders }) {
  if (!METHODS.has(method)) throw unknownMethod();
  const path = addressOf(url);
  const hosts = rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === 'host').length;
  if (
    hosts !== 1 ||
    !/^[\w.~%!$&'()*+,;=:[\]-]+$/.test(headers.host) ||
    !URL.canParse(`http://${headers.host}/`)
  )
    throw new Refusal('bad_request', 'Expected one Host header with a name, and a port if there is one');
  const length = Number(headers['content-length'] ?? 0);
  if (length > MOST_BODY_BYTES) throw tooLarge();
  const isChunked = headers['transfer-encoding'] !== undefined;
  // Nobody reads the body of these: the runtime would close the connection while it is still being sent.
  const hasBody = (isChunked || length > 0) && method !== 'GET' && method !== 'HEAD';
  const kept = endToEnd(rawHeaders, hasBody ? [] : ['content-length']);
  if (hasBody && isChunked) kept.push('Transfer-Encoding', 'chunked');
  else if (!hasBody && method !== 'GET' && method !== 'HEAD') kept.push('Content-Length', '0');
  if (kept.reduce((sum, text) => sum + text.length, path.length) > MOST_HEAD_BYTES) throw longHead();
  return {
    method,
    path,
    headers: [...kept, 'Connection', 'close'],
    isLarge: hasBody && (isChunked || length > LARGE_BYTES),
    hasBody,
  };
}

/** A body of more bytes may be a picture of many megapixels, whose job takes long. */
const LARGE_BYTES = 8 * 1024 * 1024;

/** The refusal of a body of more than `MOST_BODY_BYTES`. */
export const tooLarge = () =>
  new Refusal('payload_too_large', `Expected a body of at most ${MOST_BODY_BYTES / 2 ** 20} MB`);
