import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { Connections, mostConnections } from '../../scripts/serve/front/connections.mjs';

/** A socket of which only closing matters. */
class FakeSocket extends EventEmitter {
  destroyed = false;
  bytesRead = 0;

  destroy() {
    this.destroyed = true;
    this.emit('close');
  }
}

const newSocket = () => new FakeSocket() as unknown as Socket & FakeSocket;

function open(connections: Connections, network: string, count: number): FakeSocket[] {
  return Array.from({ length: count }, () => {
    const socket = newSocket();
    connections.add(socket, network);
    return socket;
  });
}

const openOf = (sockets: readonly FakeSocket[]) => sockets.filter(({ destroyed }) => !destroyed).length;

test('a server of 1,024 files stops accepting before they run out', () => {
  expect(mostConnections(512, 1024)).toBeLessThan(1024 / 3);
  expect(mostConnections(512, 1_048_576)).toBe(512);
  expect(mostConnections(512, Number.POSITIVE_INFINITY)).toBe(512);
  expect(mostConnections(512, 64)).toBe(1);
});

test('one network has no more than its share, another one has room beside it', () => {
  const connections = new Connections({ most: 10, mostOfOne: 4 });
  const many = open(connections, 'many', 3500);
  expect([openOf(many), connections.size]).toEqual([4, 4]);
  expect(openOf(open(connections, 'other', 2))).toBe(2);
  expect(openOf(many)).toBe(4);
});

test('where there is no room in all, whoever has most loses one', () => {
  const connections = new Connections({ most: 10, mostOfOne: 9 });
  const few = open(connections, 'few', 2);
  const many = open(connections, 'many', 8);
  const late = open(connections, 'late', 3);
  expect([openOf(few), openOf(many), openOf(late)]).toEqual([2, 5, 3]);
  // The networks are not known of these: only the number in all bounds them.
  const unknown = open(connections, '', 3500);
  expect([connections.size, openOf(few)]).toEqual([10, 2]);
  expect(openOf(unknown)).toBeGreaterThan(0);
});

test('a connection that was closed is in nobody’s way, also if its network is told later', () => {
  const connections = new Connections({ most: 2, mostOfOne: 1 });
  const [socket] = open(connections, '', 1);
  const connection = connections.of(socket as unknown as Socket)!;
  expect(connections.assign(connection, 'one')).toBe(true);
  const [other] = open(connections, '', 1);
  expect(connections.assign(connections.of(other as unknown as Socket)!, 'two')).toBe(true);
  socket!.destroy();
  expect([connections.size, connections.assign(connection, 'two')]).toEqual([1, true]);
  expect(openOf(open(connections, 'one', 1))).toBe(1);
});

test('a caller who had just connected was closed for others, who had sent half a request and waited', () => {
  const connections = new Connections({ most: 4, mostOfOne: 4 });
  const begin = (socket: FakeSocket | undefined, complete: boolean) =>
    Object.assign(connections.of(socket as unknown as Socket)!, { request: { complete } });
  const [working, waiting, moving, idle] = open(connections, '', 4);
  begin(working, true);
  begin(waiting, false);
  begin(moving, false);
  connections.look();
  connections.look();
  moving!.bytesRead += 1000;
  connections.look();
  const isOpen = () => [working, waiting, moving, idle].map((socket) => !socket!.destroyed);
  // First those that do not move, then the oldest of those that do.
  const [first] = open(connections, '', 1);
  expect(isOpen()).toEqual([true, true, true, false]);
  const [second] = open(connections, '', 1);
  expect(isOpen()).toEqual([true, false, true, false]);
  open(connections, '', 1);
  expect([...isOpen(), first!.destroyed, second!.destroyed]).toEqual([
    true,
    false,
    false,
    false,
    false,
    false,
  ]);
});

test('a caller who was just answered found its connection closed: it had been open for longest', () => {
  const connections = new Connections({ most: 3, mostOfOne: 3 });
  const [caller, other] = open(connections, '', 3);
  const connection = connections.of(caller as unknown as Socket)!;
  Object.assign(connection, { latest: { closed: true }, request: { complete: true } });
  connections.answered(connection);
  const many = open(connections, '', 100);
  expect([caller!.destroyed, other!.destroyed, openOf(many)]).toEqual([false, true, 2]);
});

test('of those that were answered the one goes whose answer is the oldest, not the connection', () => {
  const connections = new Connections({ most: 2, mostOfOne: 2 });
  const [first, second] = open(connections, '', 2);
  for (const socket of [second, first]) {
    const connection = connections.of(socket as unknown as Socket)!;
    Object.assign(connection, { latest: { closed: true }, request: { complete: true } });
    connections.answered(connection);
  }
  open(connections, '', 1);
  expect([first!.destroyed, second!.destroyed]).toEqual([false, true]);
});
