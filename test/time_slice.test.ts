import { describe, expect, it } from 'vitest';
import { JOB_WORK, PASS_WORK, timeSlices, uninterrupted, workOf } from '../src/time_slice.ts';

describe('time slices', () => {
  it('end after as much work, whatever it comes in, and begin anew', async () => {
    for (const piece of [1000, 7777, 60_000]) {
      let turns = 0;
      const slice = timeSlices(async () => {
        turns++;
      });
      for (let done = 0; done < 100 * PASS_WORK; done += piece) await slice.spend(piece);
      expect(turns).toBeGreaterThan(70);
      expect(turns).toBeLessThanOrEqual(100);
    }
  });

  it('are shared by all jobs that share their turns, one after the other or at once', async () => {
    let turns = 0;
    const giveTurn = async () => void turns++;
    for (let job = 0; job < 80; job++) await timeSlices(giveTurn).spend(JOB_WORK);
    expect(turns).toBe(10);
    const jobs = [timeSlices(giveTurn), timeSlices(giveTurn)];
    for (let piece = 0; piece < 80; piece++) await jobs[piece % 2]!.spend(JOB_WORK);
    expect(turns).toBe(20);
  });

  it('ask for nothing while there is something left', () => {
    const slice = timeSlices(async () => expect.unreachable());
    expect(slice.spend(10)).toBeUndefined();
    expect(uninterrupted.spend(1e9)).toBeUndefined();
  });

  it('end a job that was aborted, at its next turn', async () => {
    const client = new AbortController();
    const slice = timeSlices(async () => {}, client.signal);
    await slice.spend(PASS_WORK);
    client.abort(new Error('gone'));
    expect(slice.spend(1)).toBeUndefined();
    await expect(slice.spend(PASS_WORK)).rejects.toThrow('gone');
  });

  it('count all pixels of a strip, or the work that came in its place', () => {
    expect(workOf({ rows: 8 }, 100)).toBe(800);
    expect(workOf(1234, 100)).toBe(1234);
  });
});
