import { afterEach, describe, expect, it } from 'vitest';
import module from '../../dist/core.wasm';
import { InstanceHandover } from '../../src/detectors/instance_handover.ts';

type Instantiate = (source: unknown, imports?: unknown) => Promise<{ instance: WebAssembly.Instance }>;

const real = WebAssembly.instantiate;
const instantiate: Instantiate = (source, imports) =>
  (WebAssembly.instantiate as unknown as Instantiate)(source, imports);

/** What a library does: takes some turns of the event queue, then instantiates its "bytes". */
async function start(handover: InstanceHandover): Promise<WebAssembly.Instance> {
  await Promise.resolve();
  const { instance } = await instantiate(new Uint8Array(handover.marker), {});
  return instance;
}

const imports = { env: { memory: new WebAssembly.Memory({ initial: 3 }), emit() {} } };
const makeInstance = () => new WebAssembly.Instance(module, imports);

afterEach(() => {
  expect(WebAssembly.instantiate).toBe(real);
});

describe('InstanceHandover', () => {
  it('answers the call on its marker with an instance of the module, and knows its memory', async () => {
    const handover = new InstanceHandover(makeInstance);
    expect(handover.heapBytes).toBe(0);
    const instance = await handover.during(() => start(handover));
    expect(instance.exports.memory).toBeInstanceOf(WebAssembly.Memory);
    expect(handover.heapBytes).toBe((instance.exports.memory as WebAssembly.Memory).buffer.byteLength);
  });

  it('leaves all other calls to the real function, also while it stands in for it', async () => {
    const handover = new InstanceHandover(() => {
      throw new Error('not for others');
    });
    await handover.during(async () => {
      expect(WebAssembly.instantiate).not.toBe(real);
      expect(await instantiate(module, imports)).toBeInstanceOf(WebAssembly.Instance);
      await expect(instantiate(new Uint8Array(handover.marker.slice(0)))).rejects.toThrow();
    });
  });

  it.each([
    [
      'at once',
      () => {
        throw new Error('no start');
      },
    ],
    [
      'later',
      async () => {
        await Promise.resolve();
        throw new Error('no start');
      },
    ],
  ])('puts the real function back when the start fails %s', async (_, failing: () => Promise<never>) => {
    await expect(new InstanceHandover(makeInstance).during(failing)).rejects.toThrow('no start');
  });

  it('completes a pending start when an instance can be created: the library is started once only', async () => {
    let tries = 0;
    const handover = new InstanceHandover(() => {
      if (++tries < 3) throw new RangeError('no memory');
      return makeInstance();
    });
    let starts = 0;
    const begin = () => {
      starts++;
      return start(handover);
    };
    await expect(handover.during(begin)).rejects.toThrow('no memory');
    await expect(handover.during(begin)).rejects.toThrow('no memory');
    expect(await handover.during(begin)).toBeInstanceOf(WebAssembly.Instance);
    expect(starts).toBe(1);
    expect(await handover.during(begin)).toBeInstanceOf(WebAssembly.Instance);
    expect(starts).toBe(2);
  });

  it('does not undo a replacement that was set in the meantime', async () => {
    const other = () => Promise.reject(new Error('other'));
    const set = (value: unknown) => Object.assign(WebAssembly, { instantiate: value });
    await new InstanceHandover(makeInstance).during(async () => void set(other));
    expect(WebAssembly.instantiate).toBe(other);
    set(real);
  });
});
