/** Ways of detection for eval-faces.mjs: what each view adds, and what it costs. */

const { planDetection } = await import('../../src/faces/detection_plan.ts');
const { createFaceDetector } = await import('../../src/faces/detector.ts');
const { confident } = await import('../../src/faces/fusion.ts');
const { Search } = await import('../../src/faces/search.ts');
const { isolateNetworks } = await import('../../src/faces/isolate_detector.ts');

let pixels = 0;
/** What is told of every pass, where somebody asks. */
let onPass;
/** Counts the pixels that a model is shown. */
const counted = (network) => ({
  workspaceBytes: (width, height) => network.workspaceBytes(width, height),
  async run(workspace, image, width, height) {
    pixels += width * height;
    const contrast = onPass && contrastOf(image, width, height);
    const candidates = await network.run(workspace, image, width, height);
    onPass?.({ pixels: width * height, contrast, surest: Math.max(...candidates.scores) });
    return candidates;
  },
});
const models = { whole: counted(isolateNetworks.network), tiles: counted(isolateNetworks.tileNetwork) };
/** The verifier sees every crop twice, in the detector's time for so many pixels (docs/faces.md). */
const verifier = {
  workspaceBytes: isolateNetworks.verifier.workspaceBytes,
  verify(workspace, crops, count) {
    pixels += (2 * crops.length) / 3;
    return isolateNetworks.verifier.verify(workspace, crops, count);
  },
};
const detector = createFaceDetector(models.whole, verifier, models.tiles);

/** Boxes from confidence 0.05 up, and the work in passes of 640² pixels. */
async function measured(work) {
  pixels = 0;
  const boxes = await work();
  return { boxes, passes: pixels / 640 ** 2 };
}

const found = (by, raster) =>
  measured(async () => {
    const { faces, belowConfidence } = await by.detect(raster, { confidence: 0.6, effort: 'thorough' });
    return [...faces, ...belowConfidence];
  });

/** What the service does. */
export const everything = (raster) => found(detector, raster);

/** Side of the cells in which contrast is looked for: no larger than a face that would be missed. */
const CELL = 16;

/** The largest span of luma (0 to 255) within one cell of a planar RGB input; black is padding. */
function contrastOf(image, width, height) {
  const plane = width * height;
  let most = 0;
  for (let top = 0; top < height; top += CELL) {
    for (let left = 0; left < width; left += CELL) {
      let [low, high] = [255, 0];
      for (let y = top; y < top + CELL; y++) {
        for (let at = y * width + left; at < y * width + left + CELL; at++) {
          const luma = 0.299 * image[at] + 0.587 * image[at + plane] + 0.114 * image[at + 2 * plane];
          if (luma === 0) continue;
          low = Math.min(low, luma);
          high = Math.max(high, luma);
        }
      }
      most = Math.max(most, high - low);
    }
  }
  return most;
}

/** Every pass of the service over these pictures: its pixels, contrast and surest score. */
export async function passesOver(pictures) {
  const passes = [];
  onPass = (pass) => passes.push(pass);
  for (const picture of pictures) await everything((await picture.open()).raster);
  onPass = undefined;
  return passes;
}

const views = (choose) => (raster) =>
  measured(async () => {
    const plan = planDetection(raster);
    using search = new Search(models, raster, plan);
    await search.upright(choose(plan));
    return search.found().map(confident);
  });

const alone = createFaceDetector(counted(isolateNetworks.tileNetwork));

/**
 * The service beside the yardstick, YuNet alone: in one look, and in all of the service's views, which has no
 * verifier then. Their confidences mean other things, so they compare at equal numbers of wrong boxes.
 */
export const beside = {
  'YuNet alone, whole at 640': (raster) =>
    measured(async () => {
      using search = new Search({ whole: models.tiles, tiles: models.tiles }, raster, planDetection(raster));
      await search.upright({ whole: planDetection(raster).whole });
      return search.found().map(confident);
    }),
  'YuNet alone, all views': (raster) => found(alone, raster),
  'the service': everything,
};

const wholes = ({ whole, small, tiny }) => ({ whole, ...(small && { small }), ...(tiny && { tiny }) });

/** Each with all views of the one before, but for those "without". */
export const ways = {
  'one pass': views(({ whole }) => ({ whole })),
  'three sizes': views(wholes),
  'and tiles': views((plan) => ({ ...wholes(plan), ...(plan.fine && { fine: plan.fine }) })),
  'and enlarged': views(({ half, ...plan }) => plan),
  'and the dark': views((plan) => plan),
  'everything (atlases, crowds, turns, tilts)': everything,
};
