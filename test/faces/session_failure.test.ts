import runtime from 'onnxruntime-web/ort-wasm-simd-threaded.wasm';
import { describe, expect, it, vi } from 'vitest';
import weights from '../../models/face_detector.onnx';
import verifier from '../../models/face_verifier.onnx';
import { drawPeople } from '../fixtures/drawn_face.ts';
import { rasterOf } from '../fixtures/raster.ts';

// Modules of its own: the runtime starts once in each set of them, and here its start must fail first.
vi.resetModules();
const { sharedUntilFailure } = await import('../../src/faces/async_once.ts');
const { createFaceDetector } = await import('../../src/faces/detector.ts');
const { InstanceHandover } = await import('../../src/faces/instantiation.ts');
const { openSession } = await import('../../src/faces/session.ts');

/** The same model with one convolution (op_type is field 4 of ONNX's NodeProto) named otherwise. */
function withUnknownOperator(model: ArrayBuffer): ArrayBuffer {
  const broken = model.slice(0);
  const bytes = new Uint8Array(broken);
  const name = [0x22, 4, ...new TextEncoder().encode('Conv')];
  const at = bytes.findIndex((_, from) => name.every((byte, i) => bytes[from + i] === byte));
  bytes.set(new TextEncoder().encode('Cone'), at + 2);
  return broken;
}

describe('a session that cannot be made', () => {
  it('rejects waiting calls, twice in a row, and the next call gets a session', async () => {
    const real = WebAssembly.instantiate;
    let tries = 0;
    const handover = new InstanceHandover((imports) => {
      if (++tries <= 2) throw new RangeError('Out of memory');
      return new WebAssembly.Instance(runtime, imports);
    });
    let model = withUnknownOperator(weights);
    const { detect } = createFaceDetector(
      sharedUntilFailure(() => openSession({ detector: model, verifier }, handover)),
    );
    const picture = rasterOf(drawPeople(160, 160, [{ x: 50, y: 40, w: 60, h: 80 }]));
    const look = () => detect(picture, { confidence: 0.6, effort: 'coarse' });

    const both = await Promise.allSettled([look(), look()]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(look()).rejects.toThrow('Out of memory');
    // The runtime starts now, but the first start came with a broken model.
    await expect(look()).rejects.toThrow(/Cone/);
    model = weights;
    expect((await look()).faces).toHaveLength(1);
    expect(WebAssembly.instantiate).toBe(real);
  });
});
