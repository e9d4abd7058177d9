/** The CPU time of a search, on decoded pictures: a few faces at four sizes, and a crowd. */
import { crowds, enlarged } from './pictures.mjs';

const { faceDetector } = await import('../../src/faces/isolate_detector.ts');

const ROUNDS = 5;
const SIZES = [
  ['1 MP', 1155, 866],
  ['12 MP', 4000, 3000],
  ['24 MP', 6000, 4000],
  ['50 MP', 8160, 6120],
];

/** @returns the least CPU time of some rounds, in ms, the faces and the networks' runs */
async function timed({ raster }) {
  const options = { confidence: 0.6, effort: 'thorough' };
  let least = Infinity;
  let detection;
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.cpuUsage();
    detection = await faceDetector.detect(raster, options);
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return { ms: least, faces: detection.faces.length, runs: detection.passes };
}

/**
 * Every so many wide pictures with one to four faces, each cropped and enlarged to all sizes, and one crowd.
 * @returns rows: what was searched, then one entry a picture
 */
export async function searchTimes(pictures) {
  const few = pictures
    .filter(
      ({ faces, ignored, width, height }) =>
        faces.length > 0 && faces.length < 5 && ignored.length === 0 && width > height,
    )
    .filter((_, index) => index % 7 === 3)
    .slice(0, 5);
  const rows = [];
  for (const [name, width, height] of SIZES) {
    const found = [];
    for (const picture of few) found.push(await timed(await enlarged(picture, { width, height }).open()));
    rows.push([`${name}, few faces`, found]);
  }
  const [crowd] = crowds(pictures, { width: 6000, height: 4000 }, 28, 1, 16, 12);
  rows.push(['24 MP, crowd of 192 pictures', [await timed(await crowd.open())]]);
  return rows;
}
