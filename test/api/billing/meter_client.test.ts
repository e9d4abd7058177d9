import { expect, test } from 'vitest';
import { askMeter, MeterUnreachable, randomCallId } from '../../../src/api/billing/meter_client.ts';
import { bindings, resetError } from './counting_app.ts';

const { CALL_METER } = bindings;

/** Asks an object whose first answers are these failures. */
async function askFailing(failures: readonly Error[], timeLimitMs = 5000) {
  let attempts = 0;
  const pauses: number[] = [];
  let last = performance.now();
  const request = async () => {
    pauses.push(performance.now() - last);
    const failure = failures[attempts++];
    last = performance.now();
    if (failure) throw failure;
    return 'answer';
  };
  const patience = { timeLimitMs, random: () => 0.5 };
  const outcome = await askMeter(CALL_METER, 'any', request, patience).catch((error) => error);
  return { outcome, attempts, pauses };
}

test('a transient failure is tried again twice, after pauses that double', async () => {
  const { outcome, attempts, pauses } = await askFailing([resetError(), resetError()]);
  expect(outcome).toBe('answer');
  expect(attempts).toBe(3);
  expect(pauses[1]).toBeGreaterThanOrEqual(45);
  expect(pauses[2]).toBeGreaterThanOrEqual(90);
  const failed = await askFailing([resetError(), resetError(), resetError()]);
  expect(failed.outcome).toBeInstanceOf(MeterUnreachable);
  expect(failed.outcome).toMatchObject({ code: 'overloaded', mayBeDone: true });
  expect(failed.attempts).toBe(3);
});

test.each([
  ['overloaded', Object.assign(resetError(), { overloaded: true })],
  ['not to be tried again', new Error('broken')],
])('a failure that is %s is final', async (_name, error) => {
  const { outcome, attempts } = await askFailing([error]);
  expect(outcome).toMatchObject({ code: 'overloaded', mayBeDone: false });
  expect(outcome.extras.retryAfterSeconds).toBeGreaterThan(0);
  expect(attempts).toBe(1);
});

test('an object that never answers is given up when the time limit has passed', async () => {
  const started = performance.now();
  const never = () => new Promise<string>(() => {});
  const failed = await askMeter(CALL_METER, 'any', never, { timeLimitMs: 100 }).catch((error) => error);
  expect(failed).toMatchObject({ code: 'overloaded', mayBeDone: true });
  expect(performance.now() - started).toBeLessThan(2000);
});

test('the time limit holds for all attempts together', async () => {
  const failures = Array.from({ length: 3 }, resetError);
  const { outcome, attempts } = await askFailing(failures, 20);
  expect(outcome).toBeInstanceOf(MeterUnreachable);
  expect(attempts).toBe(1);
});

test('ids of calls are whole numbers that a double holds', () => {
  for (let i = 0; i < 50; i++) expect(Number.isSafeInteger(randomCallId())).toBe(true);
});
