import { describe, expect, it } from 'vitest';
import own from '../../../models/face_detector.onnx';
import theirs from '../../../models/yunet_n.onnx';
import { type Core, createCore } from '../../../src/core/instance.ts';
import { faceNetworks } from '../../../src/faces/network/face_networks.ts';
import { MULTIPLICATION_TIME } from '../../../src/faces/network/network.ts';
import { faceTensors } from '../../fixtures/face_tensors.ts';

const networks = faceNetworks(
  async () => own,
  async () => theirs,
);
const [people] = faceTensors() as [ReturnType<typeof faceTensors>[number]];

/** The core, telling the multiplications of pointwise layers, most of all. */
function counted(core: Core, spend: (multiplications: number) => void): Core {
  const { exports } = core;
  const facePointwiseRow: typeof exports.facePointwiseRow = (...row) => {
    spend(row[4] * row[5] * row[6]);
    exports.facePointwiseRow(...row);
  };
  // The core makes its functions when they are asked for, so they can't be copied.
  const told = new Proxy(exports, {
    get: (target, name) => (name === 'facePointwiseRow' ? facePointwiseRow : Reflect.get(target, name)),
  });
  return new Proxy(core, {
    get(target, name) {
      if (name === 'exports') return told;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

describe.each([
  ['face_detector', networks.network],
  ['yunet_n', networks.tileNetwork],
] as const)('the network of %s', (file, network) => {
  /** A workspace and a picture in a core of their own. */
  function prepared({ image, width, height }: typeof people, spend = (_multiplications: number) => {}) {
    const core = counted(createCore(), spend);
    const bytes = network.workspaceBytes(width, height);
    const workspace = { core, at: core.alloc(bytes), bytes };
    const at = core.alloc(image.byteLength);
    const shown = new Float32Array(core.exports.memory.buffer as ArrayBuffer, at, image.length);
    const run = (pause?: (nanoseconds: number) => Promise<void>, model = network) => {
      shown.set(image);
      return model.run(workspace, shown, width, height, pause);
    };
    return { run, [Symbol.dispose]: () => core[Symbol.dispose]() };
  }

  it('pauses within a large picture, and others run meanwhile', async () => {
    const large = { ...people, image: new Float32Array(3 * 640 * 640).fill(99), width: 640, height: 640 };
    using one = prepared(large);
    using other = prepared(large);
    const order: string[] = [];
    let goOn = () => {};
    const until = new Promise<void>((done) => {
      goOn = done;
    });
    const pausing = one.run(() => {
      order.push('pause');
      return until;
    });
    const alone = await other.run();
    order.push('end of another');
    goOn();
    expect(await pausing).toEqual(alone);
    expect(order.slice(0, 2)).toEqual(['pause', 'end of another']);
    expect(order.length).toBeGreaterThan(2);
  });

  it('pauses after each small part of its work, so that who waits beside it waits for no half of a pass', async () => {
    const large = { ...people, image: new Float32Array(3 * 640 * 640).fill(99), width: 640, height: 640 };
    let done = 0;
    using place = prepared(large, (multiplications) => {
      done += multiplications;
    });
    const at: number[] = [];
    await place.run(async () => void at.push(done));
    // To fill the input and to clear the workspace takes as long as two such parts: it stands alone.
    expect(at[0]).toBe(0);
    const shares = [...at, done].map((end, part) => (end - (at[part - 1] ?? 0)) / done);
    expect(shares.length).toBeGreaterThanOrEqual(8);
    expect(Math.max(...shares)).toBeLessThan(0.2);
  });

  it('counts all that it has done between two pauses, however much a row took', async () => {
    const large = { ...people, image: new Float32Array(3 * 640 * 640).fill(99), width: 640, height: 640 };
    let done = 0;
    using place = prepared(large, (multiplications) => {
      done += multiplications;
    });
    let counted = 0;
    let [doneAtFirst, doneAtLast] = [0, 0];
    await place.run(async (nanoseconds) => {
      if (counted === 0) doneAtFirst = done;
      else doneAtLast = done;
      counted += counted === 0 ? Number.MIN_VALUE : nanoseconds;
    });
    // What the kernels do beside multiplications is counted as such.
    expect(counted / MULTIPLICATION_TIME).toBeGreaterThan(0.9 * (doneAtLast - doneAtFirst));
    expect(counted / MULTIPLICATION_TIME).toBeLessThan(1.5 * (doneAtLast - doneAtFirst));
  });

  it('ends with what its pause throws', async () => {
    using place = prepared({ ...people, image: new Float32Array(3 * 640 * 640), width: 640, height: 640 });
    await expect(place.run(() => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
  });

  it('writes nothing outside of its workspace, and refuses a smaller one', async () => {
    const { image, width, height } = people;
    using core = createCore();
    const bytes = network.workspaceBytes(width, height);
    const [before, at, behind, shown] = [
      core.alloc(64),
      core.alloc(bytes),
      core.alloc(64),
      core.alloc(image.byteLength),
    ];
    const picture = new Float32Array(core.exports.memory.buffer as ArrayBuffer, shown, image.length);
    picture.set(image);
    for (const border of [before, behind]) core.view(border, 64).fill(7);
    await network.run({ core, at, bytes }, picture, width, height);
    for (const border of [before, behind])
      expect(core.view(border, 64).every((byte) => byte === 7)).toBe(true);
    const tooFew = network.run({ core, at, bytes: bytes - 1024 }, picture, width, height);
    await expect(tooFew).rejects.toThrow('more memory than its cost');
  });

  it('loads its weights again after a failure, and then no more', async () => {
    const bytes = file === 'yunet_n' ? theirs : own;
    const answers = [() => Promise.reject(new Error('offline')), async () => bytes];
    let asked = 0;
    const load = () => answers[asked++]!();
    const loading = faceNetworks(load, load)[file === 'yunet_n' ? 'tileNetwork' : 'network'];
    using place = prepared(people);
    await expect(place.run(undefined, loading)).rejects.toThrow('offline');
    const first = await place.run(undefined, loading);
    expect(await place.run(undefined, loading)).toEqual(first);
    expect(asked).toBe(2);
  });
});
