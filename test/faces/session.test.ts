import { describe, expect, it } from 'vitest';
import { faceSession } from '../../src/faces/session.ts';
import { cropFloats } from '../../src/faces/verifier.ts';
import { type FaceReference, faceTensors, summarise } from '../fixtures/face_tensors.ts';
import recorded from './reference.json';

const reference = recorded as FaceReference;
const instantiate = WebAssembly.instantiate;

describe('face session', () => {
  it('is shared by all calls, and leaves WebAssembly as it was', async () => {
    const [first, second] = await Promise.all([faceSession(), faceSession()]);
    expect(second).toBe(first);
    expect(await faceSession()).toBe(first);
    expect(WebAssembly.instantiate).toBe(instantiate);
  });

  it.each(faceTensors())(
    'says of $name what the model says in plain Node',
    async ({ name, image, width, height }) => {
      const session = await faceSession();
      const { boxes, scores } = await session.run(image, width, height);
      const ours = summarise(boxes, scores);
      const theirs = reference[name]!;
      expect(ours.count).toBe(theirs.count);
      expect(ours.total).toBeCloseTo(theirs.total, 1);
      expect(ours.candidates.length).toBe(theirs.candidates.length);
      for (const [index, ...box] of theirs.candidates) {
        const confidence = box.pop()!;
        expect(Math.abs(scores[index!]! - confidence)).toBeLessThanOrEqual(0.005);
        for (const [side, value] of box.entries()) {
          expect(Math.abs(boxes[4 * index! + side]! - value)).toBeLessThanOrEqual(0.5);
        }
      }
    },
  );

  it('gives concurrent calls the same results as calls one by one', async () => {
    const session = await faceSession();
    const tensors = faceTensors();
    const atOnce = await Promise.all(
      tensors.map(({ image, width, height }) => session.run(image, width, height)),
    );
    for (const [index, { image, width, height }] of tensors.entries()) {
      const alone = await session.run(image, width, height);
      expect(atOnce[index]!.scores).toEqual(alone.scores);
      expect(atOnce[index]!.boxes).toEqual(alone.boxes);
    }
  });

  it('pauses halfway, and others run meanwhile', async () => {
    const session = await faceSession();
    const { image, width, height } = faceTensors()[0]!;
    const order: string[] = [];
    let goOn = () => {};
    const until = new Promise<void>((done) => {
      goOn = done;
    });
    const pausing = session.run(image, width, height, () => {
      order.push('pause');
      return until;
    });
    const ended = pausing.then(() => order.push('end'));
    const other = await session.run(image, width, height);
    order.push('end of another');
    goOn();
    await ended;
    expect(order).toEqual(['pause', 'end of another', 'end']);
    expect(await pausing).toEqual(other);
  });

  it('ends with what its pause throws, and gives the next call its turn', async () => {
    const session = await faceSession();
    const { image, width, height } = faceTensors()[0]!;
    const aborted = session.run(image, width, height, () => Promise.reject(new Error('gone')));
    await expect(aborted).rejects.toThrow('gone');
    expect((await session.run(image, width, height)).scores.length).toBeGreaterThan(0);
  });

  it('says of crops the same, alone and together, between runs of the model', async () => {
    const session = await faceSession();
    const { image, width, height } = faceTensors()[0]!;
    const floats = cropFloats;
    const crops = Float32Array.from(
      { length: 5 * floats },
      (_, i) => (i * 7919 + Math.floor(i / floats) * 101) % 256,
    );
    const [together] = await Promise.all([session.verify(crops, 5), session.run(image, width, height)]);
    expect(together).toHaveLength(5);
    expect(new Set(together).size).toBe(5);
    for (const [index, value] of together.entries()) {
      const [alone] = await session.verify(crops.slice(index * floats, (index + 1) * floats), 1);
      expect(alone).toBeCloseTo(value, 3);
    }
    await expect(session.verify(crops, 4)).rejects.toThrow();
    expect((await session.verify(crops, 5)).map(Math.round)).toEqual(together.map(Math.round));
  });

  it('works after a run that the model refuses', async () => {
    const session = await faceSession();
    await expect(session.run(new Float32Array(10), 32, 32)).rejects.toThrow();
    expect((await session.run(new Float32Array(3 * 32 * 32), 32, 32)).scores).toHaveLength(21);
  });
});
