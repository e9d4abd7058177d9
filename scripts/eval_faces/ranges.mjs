/**
 * Finds the ranges of the networks' layers for src/faces/network/ranges.ts and src/readable/ranges.ts, from
 * what they make of photographs. To be run anew for new weights.
 * usage: node scripts/eval_faces/ranges.mjs FOLDER... [--most so many pictures of each, default 6]
 */
import '../plain_node.mjs';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import sharp from 'sharp';

const { createCore } = await import('../../src/core/instance.ts');
const { model, verifierShape } = await import('../../src/faces/model.ts');
const { faceNet } = await import('../../src/faces/network/face_net.ts');
const { floatInitializers } = await import('../../src/faces/network/initializers.ts');
const { Network } = await import('../../src/faces/network/network.ts');
const { VerifierNetwork, verifierLayout, verifierSide } = await import(
  '../../src/faces/network/verifier_network.ts'
);
const { packWeights } = await import('../../src/faces/network/weights.ts');
const { yunet } = await import('../../src/faces/network/yunet.ts');
const { readableNet } = await import('../../src/readable/readable_net.ts');
const { readingNetworkOf } = await import('../../src/readable/reading_network.ts');
const { readingModel } = await import('../../src/readable/model.ts');

/** Outputs may be so many times as large as any that was seen. */
const ROOM = 2;

/** Log-odds beyond plus and minus 2 to the power of this say nothing more; smaller steps do. */
const MOST_SAID = 5;

/** Before they are known: values of all layers are smaller, and a step still says something. */
const ROUGH = Array.from({ length: 99 }, () => 8);

/** Long sides of the inputs that a picture is shown in. */
const SIDES = [640, 224];

const { values: options, positionals: folders } = parseArgs({
  options: { most: { type: 'string', default: '6' } },
  allowPositionals: true,
});

/** A core whose kernels tell what they write. */
function watched(core, told) {
  const { exports } = core;
  const after = (name, tell) => ({
    [name](...args) {
      exports[name](...args);
      tell(...args);
    },
  });
  const watching = {
    ...exports,
    ...after('faceStemRow', (_above, _row, _below, to, weights, width) =>
      told.wrote(to, weights, 16 * width),
    ),
    ...after('faceDepthwiseRow', (_above, _row, _below, to, weights, width, channels) =>
      told.wrote(to, weights, width * channels),
    ),
    ...after('facePointwiseRow', (_from, to, residual, weights, pixels, _inputs, outputs) => {
      told.wrote(to, weights, pixels * outputs);
      if (residual) told.added(residual, to);
    }),
    ...after('faceAddCoarseRow', (coarse, to, pixels, channels) => {
      told.added(coarse, to);
      told.wrote(to, undefined, pixels * channels);
    }),
  };
  return new Proxy(core, {
    get(target, name) {
      if (name === 'exports') return watching;
      const value = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** The largest of each layer's outputs, of layers that are added to each other the same. */
class Largest {
  constructor(layers) {
    this.layers = layers;
    this.most = layers.map(() => 0);
    this.groups = layers.map((_, index) => index);
    this.rows = new Map();
  }

  /** A watched core, in which weights begin at `first`. */
  watch(core, first) {
    const memory = core.exports.memory;
    return watched(core, {
      wrote: (to, weights, count) => {
        const layer =
          weights === undefined
            ? this.rows.get(to)
            : this.layers.findIndex(({ at }) => at === weights - first());
        this.rows.set(to, layer);
        const { unit } = this.layers[layer];
        for (const value of new Int16Array(memory.buffer, to, count))
          this.most[layer] = Math.max(this.most[layer], Math.abs(value) * unit);
      },
      added: (from, to) => {
        const [one, other] = [from, to].map((row) => this.groups[this.rows.get(row)]);
        this.groups = this.groups.map((group) => (group === other ? one : group));
      },
    });
  }

  get ranges() {
    return this.groups.map((group, layer) => {
      const most = Math.max(...this.most.filter((_, index) => this.groups[index] === group));
      const range = Math.ceil(Math.log2(Math.max(ROOM * most, 2 ** -8)));
      // What is added to another layer's outputs is read there, and its units are those.
      const isLast =
        this.layers.every(({ from }) => from !== this.layers[layer]) &&
        this.groups.every((other, index) => other !== group || index === layer);
      return isLast ? Math.min(range, MOST_SAID) : range;
    });
  }
}

const pictures = [];
for (const folder of folders) {
  const files = readdirSync(folder).filter((name) => /\.(jpe?g|png|webp)$/i.test(name));
  const step = Math.max(1, Math.floor(files.length / Number(options.most)));
  for (let index = 0; index < files.length; index += step) pictures.push(join(folder, files[index]));
}

/** Planar RGB of a picture in an input. */
async function tensorOf(file, side) {
  const { data, info } = await sharp(file)
    .rotate()
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .removeAlpha()
    .resize(side, side, { fit: 'inside' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const [width, height] = [info.width, info.height].map((length) => Math.ceil(length / 32) * 32);
  const image = new Float32Array(3 * width * height);
  for (let y = 0; y < info.height; y++) {
    for (let x = 0; x < info.width; x++) {
      for (let c = 0; c < 3; c++) image[(c * height + y) * width + x] = data[(y * info.width + x) * 3 + c];
    }
  }
  return { image, width, height };
}

/** Noise, and black beside white. */
function drawn(width, height) {
  const noise = Float32Array.from(
    { length: 3 * width * height },
    (_, i) => (Math.imul(i, 2_654_435_761) >>> 13) % 256,
  );
  const edge = Float32Array.from({ length: 3 * width * height }, (_, i) => (i % width < width / 2 ? 0 : 255));
  return [noise, edge].map((image) => ({ image, width, height }));
}

const inputs = [...drawn(640, 480), ...drawn(96, 96)];
for (const file of pictures) for (const side of SIDES) inputs.push(await tensorOf(file, side));
const crops = drawn(verifierSide, verifierSide);
for (const file of pictures) {
  const { image, width, height } = await tensorOf(file, 3 * verifierSide);
  for (let top = 0; top + verifierSide <= height; top += verifierSide) {
    for (let left = 0; left + verifierSide <= width; left += verifierSide) {
      const crop = new Float32Array(3 * verifierSide ** 2);
      for (let i = 0; i < 3 * verifierSide; i++) {
        const [c, y] = [Math.floor(i / verifierSide), i % verifierSide];
        const from = (c * height + top + y) * width + left;
        crop.set(image.subarray(from, from + verifierSide), i * verifierSide);
      }
      crops.push({ image: crop });
    }
  }
}

/** Ranges of a network that is made of them, found twice: the first time by steps that are too large. */
async function rangesOf(layoutOf, open, shown) {
  let ranges = ROUGH;
  for (let round = 0; round < 2; round++) {
    const { layers } = layoutOf(ranges);
    const largest = new Largest(layers);
    const network = open(ranges);
    using core = createCore();
    const bytes = network.workspaceBytes(640, 640);
    const at = core.alloc(bytes);
    const workspace = { core: largest.watch(core, () => at), at, bytes };
    const room = core.alloc(3 * 640 ** 2 * 4);
    for (const { image, width, height } of shown) {
      const input = new Float32Array(core.exports.memory.buffer, room, image.length);
      input.set(image);
      await network.show(workspace, input, width, height);
    }
    ranges = largest.ranges;
  }
  return ranges;
}

function convolutions(architectureOf, file, colours) {
  const tensors = floatInitializers(new Uint8Array(readFileSync(`models/${file}.onnx`)));
  const open = (ranges) => {
    const architecture = architectureOf(ranges);
    const weights = packWeights(tensors, architecture.layout, colours);
    const network = new Network(
      architecture,
      async () => weights,
      () => undefined,
    );
    return {
      workspaceBytes: (width, height) => network.workspaceBytes(width, height),
      show: (...given) => network.run(...given),
    };
  };
  return rangesOf((ranges) => architectureOf(ranges).layout, open, inputs);
}

function readable() {
  const tensors = floatInitializers(new Uint8Array(readFileSync('models/readable_detector.onnx')));
  const architectureOf = (ranges) => readableNet(readingModel.shape, ranges);
  const open = (ranges) => {
    const architecture = architectureOf(ranges);
    const weights = packWeights(tensors, architecture.layout, [0, 1, 2]);
    const network = readingNetworkOf(architecture, async () => weights);
    return {
      workspaceBytes: (width, height) => network.workspaceBytes({ width, height }),
      async show(workspace, image, width, height) {
        const pass = await network.begin(workspace, { width, height }, { spend() {} });
        const row = new Uint8Array(3 * width);
        for (let y = 0; y < height; y++) {
          for (let i = 0; i < row.length; i++)
            row[i] = image[((i % 3) * height + y) * width + Math.floor(i / 3)];
          pass.push(row);
          while (pass.next());
        }
      },
    };
  };
  return rangesOf((ranges) => architectureOf(ranges).layout, open, inputs);
}

function verifier() {
  const tensors = floatInitializers(new Uint8Array(readFileSync('models/face_detector.onnx')));
  const open = (ranges) => {
    const layout = verifierLayout(verifierShape, ranges);
    const layers = packWeights(tensors, layout, [0, 1, 2]);
    const [head, biases] = ['weight', 'bias'].map((name) => tensors.get(`verifier.head.${name}`).values);
    const network = new VerifierNetwork(layout, async () => ({ layers, head, biases }));
    return {
      workspaceBytes: () => network.workspaceBytes,
      show: (workspace, image) => network.verify(workspace, image, 1),
    };
  };
  return rangesOf((ranges) => verifierLayout(verifierShape, ranges), open, crops);
}

const found = {
  faceDetector: await convolutions((ranges) => faceNet(model.shape, ranges), 'face_detector', [0, 1, 2]),
  yunet: await convolutions(yunet, 'yunet_n', [2, 1, 0]),
  verifier: await verifier(),
  readable: await readable(),
};
for (const [name, ranges] of Object.entries(found)) console.log(`${name}: [${ranges.join(', ')}]`);
