import { describe } from 'vitest';
import { encodeByAomenc, haveAomTools } from '../../fixtures/av1/aom_tools.ts';
import { type YuvPicture, yuvPicture } from '../../fixtures/av1/yuv_pictures.ts';
import { columnCase } from './columns_suite.ts';

const photo = (layout: YuvPicture['layout'], depth: YuvPicture['depth'], width = 1300) =>
  yuvPicture('photo', width, 140, layout, depth);
const screen = yuvPicture('screen', 1300, 140, '444');

describe.skipIf(!haveAomTools)('columns of an AV1 picture, with every tool', () => {
  const cases: readonly (readonly [string, YuvPicture, readonly string[], number])[] = [
    ['narrow tiles', yuvPicture('photo', 1500, 140, '444', 10), ['--tile-columns=3', '--sb-size=64'], 350],
    ['superblocks of 128', photo('420', 8), ['--sb-size=128'], 330],
    ['monochrome', photo('400', 8), [], 300],
    ['4:2:2 of 12 bits', photo('422', 12), ['--cq-level=12'], 420],
    ['4:4:4 of 10 bits, restored', photo('444', 10), ['--cpu-used=3', '--cq-level=45'], 250],
    ['tiles in columns and rows', photo('420', 8, 2100), ['--tile-columns=1', '--tile-rows=1'], 600],
    ['superres', photo('420', 8, 1800), ['--superres-mode=1', '--superres-kf-denominator=13'], 350],
    ['superres of 4:4:4', photo('444', 8), ['--superres-mode=1', '--superres-kf-denominator=9'], 270],
    ['film grain', photo('420', 10), ['--film-grain-test=3'], 346],
    ['segments', photo('420', 8), ['--aq-mode=1'], 300],
    ['deltas', photo('420', 8), ['--deltaq-mode=2', '--delta-lf-mode=1'], 300],
    ['matrices, two tile groups', photo('420', 8), ['--enable-qm=1', '--num-tile-groups=2'], 500],
    ['palettes', screen, ['--tune-content=screen', '--enable-intrabc=0'], 310],
    ['lossless', photo('420', 8), ['--lossless=1'], 600],
    ['no adaptation', photo('420', 8), ['--cdf-update-mode=0'], 250],
    ['a band of few columns', photo('420', 8), ['--cq-level=50'], 34],
  ];
  for (const [name, picture, switches, band] of cases) {
    columnCase(name, () => encodeByAomenc(picture, ['--cpu-used=7', '--cq-level=25', ...switches]), band);
  }
});
