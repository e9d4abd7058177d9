/** Ways of detection for eval-faces.mjs: what each look adds, and what it costs. */

const { planDetection } = await import('../../src/faces/detection_plan.ts');
const { createFaceDetector } = await import('../../src/faces/detector.ts');
const { confident } = await import('../../src/faces/fusion.ts');
const { Search } = await import('../../src/faces/search.ts');
const { faceSession } = await import('../../src/faces/session.ts');

const runtime = await faceSession();
let pixels = 0;
/** Counts the pixels that the model is shown. */
const session = {
  heapBytes: runtime.heapBytes,
  run(image, width, height) {
    pixels += width * height;
    return runtime.run(image, width, height);
  },
};
const detector = createFaceDetector(async () => session);

/** Boxes from confidence 0.05 up, and the work in passes of 640² pixels. */
async function measured(work) {
  pixels = 0;
  const boxes = await work();
  return { boxes, passes: pixels / 640 ** 2 };
}

/** What the service does. */
export const everything = (raster) =>
  measured(async () => {
    const { faces, belowConfidence } = await detector.detect(raster, { confidence: 0.6, effort: 'thorough' });
    return [...faces, ...belowConfidence];
  });

const looks = (choose) => (raster) =>
  measured(async () => {
    const plan = planDetection(raster);
    using search = new Search(session, raster, plan);
    await search.upright(choose(plan));
    return search.found().map(confident);
  });

const wholes = ({ whole, small }) => ({ whole, ...(small && { small }) });

/** Each with all looks of the one before, but for those "without". */
export const ways = {
  'one pass': looks(({ whole }) => ({ whole })),
  'two sizes': looks(wholes),
  'and tiles': looks((plan) => ({ ...wholes(plan), ...(plan.fine && { fine: plan.fine }) })),
  'and enlarged': looks(({ half, ...plan }) => plan),
  'and the dark': looks((plan) => plan),
  'everything (sheets, crowds, turns, tilts)': everything,
};
