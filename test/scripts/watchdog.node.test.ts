import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import {
  answers,
  cpuSecondsOf,
  isStopped,
  MOST_SILENT_CHECKS,
  MOST_SILENT_SECONDS,
  watch,
} from '../../scripts/serve/watchdog.mjs';

/** What becomes of a runtime that takes so much CPU between two questions and answers so. */
async function checks(cpuBetween: number, answered: readonly boolean[], isStopped = false): Promise<boolean> {
  let cpu = 100;
  let ended = false;
  let next: (() => Promise<void>) | undefined;
  const replies = answered.values();
  const runtime = {
    answers: async () => replies.next().value!,
    cpuSeconds: () => cpu,
    isStopped: () => isStopped,
    end: () => {
      ended = true;
    },
  };
  watch(runtime, (check) => {
    next = check;
  });
  for (const _ of answered) {
    const check = next;
    next = undefined;
    cpu += cpuBetween;
    await check?.();
  }
  return ended;
}

describe('a runtime that does not answer', () => {
  it('is ended once it has worked as long as one call may, without an answer in between', async () => {
    const silent = Array<boolean>(MOST_SILENT_SECONDS / 5).fill(false);
    expect(await checks(5, silent)).toBe(true);
    expect(await checks(5, silent.slice(1))).toBe(false);
    expect(await checks(5, [...silent.slice(1), true, ...silent.slice(1)])).toBe(false);
  });

  it('is left alone while it is stopped, however long', async () => {
    expect(await checks(0, Array<boolean>(1000).fill(false), true)).toBe(false);
    expect(isStopped(process.pid)).toBe(false);
  });

  it('is ended after many questions where it waits for what does not come, without taking CPU', async () => {
    const silent = Array<boolean>(MOST_SILENT_CHECKS).fill(false);
    expect(await checks(0, silent)).toBe(true);
    expect(await checks(0, [...silent.slice(1), true, ...silent.slice(1)])).toBe(false);
  });

  it('is told from one that answers, be it an error', async () => {
    const server = createServer((_request, response) => response.writeHead(503).end('busy'));
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const where = { host: '127.0.0.1', port: (server.address() as AddressInfo).port };
    expect(await answers(where)).toBe(true);
    await new Promise((closed) => server.close(closed));
    expect(await answers(where)).toBe(false);
  });

  it.runIf(process.platform === 'linux')('is told by the CPU of its own process', () => {
    const before = cpuSecondsOf(process.pid);
    const until = process.cpuUsage().user + 100_000;
    while (process.cpuUsage().user < until);
    expect(cpuSecondsOf(process.pid)).toBeGreaterThan(before);
    expect(cpuSecondsOf(process.pid)).toBeLessThan(3600);
  });
});
