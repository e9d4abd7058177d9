import { sharedUntilFailure } from '../core/shared_until_failure.ts';
import { type Candidates, halfExtent } from '../faces/network/candidates.ts';
import { STRIDES } from '../faces/network/layout.ts';
import type { FaceModel } from '../faces/network/network.ts';
import { stretched } from '../faces/network/yunet.ts';
import { giveBack } from './give_back.ts';
import type { OnnxRuntime, OnnxSession } from './onnx_runtime.ts';
import { oneAfterAnother } from './runtime_queue.ts';

type Results = Readonly<Record<string, { readonly data: Float32Array }>>;

/** Nanoseconds counted for a pass before it begins: the job can't give way during the pass. */
const BEFORE_PASS = 2_500_000;

/** The models of a face search on onnxruntime, in the form of `FaceNetworks`. */
export interface OnnxFaceModels {
  readonly network: FaceModel;
  readonly tileNetwork: FaceModel;
}

/**
 * @param own bytes of models/face_detector.onnx
 * @param theirs bytes of models/yunet_n.onnx
 * @param workspaceBytes of a search's workspace that others need: the verifier, which stays in the core
 * @param before must have ended before a session is opened, so that the runtime's heap grows in a fixed order
 */
export function onnxFaceModels(
  own: ArrayBuffer,
  theirs: ArrayBuffer,
  runtime: OnnxRuntime,
  workspaceBytes: number,
  before: () => Promise<unknown> = async () => {},
): OnnxFaceModels {
  const opened = sharedUntilFailure(async () => {
    await before();
    const open = (model: ArrayBuffer) =>
      oneAfterAnother(runtime, () => runtime.InferenceSession.create(new Uint8Array(model)));
    const network = await open(own);
    return { network, tileNetwork: await open(theirs) };
  });
  const modelOf = (
    name: keyof OnnxFaceModels,
    order: readonly number[],
    candidates: (results: Results, width: number) => Candidates,
  ): FaceModel => ({
    // Weights and features are in the runtime's heap.
    workspaceBytes: () => workspaceBytes,
    async run(_workspace, image, width, height, pause) {
      await pause?.(BEFORE_PASS);
      const session = (await opened())[name];
      const planes = inOrder(image, order);
      const results = await runOn(runtime, session, planes, width, height);
      const found = candidates(results, width);
      if (planes !== image) giveBack(planes);
      for (const { data } of runtime.givesArrays ? Object.values(results) : [])
        if (data !== found.boxes && data !== found.scores) giveBack(data);
      return found;
    },
  });
  return {
    network: modelOf('network', [0, 1, 2], ({ boxes, scores }) => ({
      boxes: boxes!.data,
      scores: scores!.data,
    })),
    // Its input is in the order blue, green, red.
    tileNetwork: modelOf('tileNetwork', [2, 1, 0], yunetCandidates),
  };
}

async function runOn(
  runtime: OnnxRuntime,
  session: OnnxSession,
  image: Float32Array,
  width: number,
  height: number,
): Promise<Results> {
  const tensor = new runtime.Tensor('float32' as never, image as never, [1, 3, height, width]);
  const feeds = { [session.inputNames[0]!]: tensor } as never;
  return (await oneAfterAnother(runtime, () => session.run(feeds))) as Results;
}

/** The colour planes in another order; the same array if the order is the same. */
function inOrder(image: Float32Array, order: readonly number[]): Float32Array {
  if (order.every((colour, at) => colour === at)) return image;
  const plane = image.length / order.length;
  const planes = new Float32Array(image.length);
  for (const [at, colour] of order.entries()) {
    planes.set(image.subarray(colour * plane, (colour + 1) * plane), at * plane);
  }
  return planes;
}

/** Converts YuNet's outputs, which are probabilities, to what `candidatesOf` makes of its rows. */
function yunetCandidates(results: Results, width: number): Candidates {
  const levels = STRIDES.map((stride) => ({
    stride,
    classes: results[`cls_${stride}`]!.data,
    objects: results[`obj_${stride}`]!.data,
    moves: results[`bbox_${stride}`]!.data,
  }));
  const count = levels.reduce((sum, { classes }) => sum + classes.length, 0);
  const boxes = new Float32Array(4 * count);
  const scores = new Float32Array(count);
  let next = 0;
  for (const { stride, classes, objects, moves } of levels) {
    const columns = width / stride;
    for (let cell = 0; cell < classes.length; cell++, next++) {
      const x = (cell % columns) + moves[4 * cell]!;
      const y = Math.floor(cell / columns) + moves[4 * cell + 1]!;
      const [across, down] = [halfExtent(moves[4 * cell + 2]!), halfExtent(moves[4 * cell + 3]!)];
      scores[next] = stretched(classes[cell]! * objects[cell]!);
      boxes.set(
        [x - across, y - down, x + across, y + down].map((side) => side * stride),
        4 * next,
      );
    }
  }
  return { boxes, scores };
}
