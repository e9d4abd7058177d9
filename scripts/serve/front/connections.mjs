/**
 * Descriptors of the front besides connections: its standard streams, processes, sockets, files being read.
 */
const OTHER_FILES = 100;
/**
 * Descriptors that a connection takes in the process that needs most for one: workerd holds two for a call,
 * and closes them a moment later than the front does.
 */
const FILES_OF_ONE = 3;
/**
 * Most open connections for each process that works on pictures, unless the command line says otherwise. A
 * body that is refused takes up to 280 KB there while it is read.
 */
export const CONNECTIONS_OF_PROCESS = 128;

/**
 * The number of connections that may be open at one time.
 * @param {number} wanted
 * @param {number} files limit of open files of a process
 * @returns {number} at least 1
 */
export const mostConnections = (wanted, files) =>
  Math.max(1, Math.min(wanted, Math.floor((files - OTHER_FILES) / FILES_OF_ONE)));

/**
 * @typedef {object} Connection
 * @property {import('node:net').Socket} socket
 * @property {string} network whose it is; '' where that is not known
 * @property {import('node:http').IncomingMessage} [request] the request that is being answered
 * @property {import('node:http').ServerResponse} [latest] the answer to the latest request
 * @property {number} queued requests that wait for the one before them (pipelining)
 * @property {number} bytesRead by the latest look at it
 * @property {boolean} isStale no byte came between the two latest looks
 */

/**
 * Why a connection may be closed for another one, the best reason first; each is asked in the order of their
 * latest answers, or their opening. Who was answered may ask again at any moment, and would find it closed.
 * One that moves may be a caller's: a new one has not been read yet, and a body may be coming.
 * @type {readonly ((connection: Connection) => boolean)[]}
 */
const REASONS = [
  ({ request, isStale, latest }) => !request && !latest && isStale,
  ({ request, isStale }) => request?.complete === false && isStale,
  ({ request, latest }) => request?.complete !== true && !latest?.closed,
  ({ request, isStale }) => !request && isStale,
  ({ request }) => request?.complete !== true,
];

/**
 * The open connections, bounded in all and for each network. Where there is no room, a newcomer takes the
 * place of one that asks nothing or has not sent its whole request, of whoever has most, those first that do
 * not move. If every other one has a call at work, the newcomer is closed.
 */
export class Connections {
  /** @type {Map<import('node:net').Socket, Connection>} */
  #all = new Map();
  /** @type {Map<string, Set<Connection>>} */
  #networks = new Map();
  #most;
  #mostOfOne;

  /** @param {{ most: number, mostOfOne: number }} bounds */
  constructor({ most, mostOfOne }) {
    this.#most = most;
    this.#mostOfOne = mostOfOne;
  }

  get size() {
    return this.#all.size;
  }

  /** Whether so many are open that nothing is held for those who are refused. */
  get isCrowded() {
    return this.#all.size > this.#most / 2;
  }

  /** @returns {Connection | undefined} */
  of(socket) {
    return this.#all.get(socket);
  }

  /**
   * Takes a connection in, or closes it.
   * @param {string} network '' where it is not known; then only the number in all is bounded
   */
  add(socket, network) {
    if (this.#isFull(network) && !this.#makeRoomIn(network)) return socket.destroy();
    if (this.#all.size >= this.#most && !this.#makeRoom()) return socket.destroy();
    const connection = { socket, network, queued: 0, bytesRead: -1, isStale: false };
    this.#all.set(socket, connection);
    this.#enter(connection, network);
    socket.once('close', () => this.#forget(connection));
  }

  /**
   * Notes whose request a connection has, where the proxy tells.
   * @returns {boolean} whether that network may have one more
   */
  assign(connection, network) {
    if (network === connection.network || !this.#all.has(connection.socket)) return true;
    if (this.#isFull(network) && !this.#makeRoomIn(network)) return false;
    this.#leave(connection);
    this.#enter(connection, network);
    return true;
  }

  /** Notes that a connection's request was answered. */
  answered(connection) {
    connection.request = undefined;
    const own = this.#networks.get(connection.network);
    // To the end of the order.
    if (own?.delete(connection)) own.add(connection);
  }

  /** Looks which of them move; to be called every second. */
  look() {
    for (const connection of this.#all.values()) {
      const { bytesRead } = connection.socket;
      connection.isStale = bytesRead === connection.bytesRead;
      connection.bytesRead = bytesRead;
    }
  }

  /** Closes those on which nothing is asked. */
  closeIdle() {
    for (const connection of [...this.#all.values()]) if (!connection.request) this.#close(connection);
  }

  #isFull(network) {
    return network !== '' && (this.#networks.get(network)?.size ?? 0) >= this.#mostOfOne;
  }

  #makeRoom() {
    const bySize = [...this.#networks].sort(([, one], [, other]) => other.size - one.size);
    return bySize.some(([network]) => this.#makeRoomIn(network));
  }

  #makeRoomIn(network) {
    const connections = [...(this.#networks.get(network) ?? [])];
    const [found] = REASONS.flatMap((reason) => connections.find(reason) ?? []);
    if (found) this.#close(found);
    return found !== undefined;
  }

  #close(connection) {
    connection.socket.destroy();
    this.#forget(connection);
  }

  #forget(connection) {
    if (this.#all.delete(connection.socket)) this.#leave(connection);
  }

  #enter(connection, network) {
    connection.network = network;
    const own = this.#networks.get(network) ?? new Set();
    this.#networks.set(network, own.add(connection));
  }

  #leave(connection) {
    const own = this.#networks.get(connection.network);
    own?.delete(connection);
    if (own?.size === 0) this.#networks.delete(connection.network);
  }
}
