import type { JpegFile } from '../../core/jpeg/decode.ts';
import { mapStrips } from '../../strips.ts';
import type { Work } from '../types.ts';
import type { ChromaSampling, Components, SampleBand, StoredSamples } from './planes.ts';

/** Sampling factors that an encoder can take over, as text. */
const SAMPLINGS: ReadonlyMap<string, ChromaSampling> = new Map([
  ['1,1', 'grey'],
  ['1,1;1,1;1,1', '4:4:4'],
  ['2,2;1,1;1,1', '4:2:0'],
]);

/**
 * A file's samples at full size, if they are grey or YCbCr and their sampling is one that is also written.
 */
export function storedSamples(file: JpegFile, width: number, height: number): StoredSamples | undefined {
  const sampling = SAMPLINGS.get(file.sampling.map((factors) => factors.join(',')).join(';'));
  if (!sampling || !isYCbCr(file) || width !== file.width) return undefined;
  return { sampling, bands: () => sampleBands(file, width, height, sampling) };
}

const isYCbCr = ({ colour }: JpegFile) => colour === 'grey' || colour === 'ycbcr';

/** A file's components at the scale at which it is read, if they are grey or YCbCr. */
export function storedComponents(file: JpegFile): Components | undefined {
  if (!isYCbCr(file)) return undefined;
  return { sizes: file.planeSizes, bands: () => file.planes() };
}

function sampleBands(
  file: JpegFile,
  width: number,
  height: number,
  sampling: ChromaSampling,
): Generator<SampleBand | Work> {
  const halved = sampling === '4:2:0';
  const bandRows = halved ? 16 : 8;
  let y = 0;
  return mapStrips(file.planes(), function* (components) {
    const rows = Math.min(bandRows, height - y);
    const planes = components.map(({ at, stride }, component) => {
      const isHalved = halved && component > 0;
      const planeRows = isHalved ? (rows + 1) >> 1 : rows;
      const planeWidth = isHalved ? (width + 1) >> 1 : width;
      return { samples: file.core.view(at, (planeRows - 1) * stride + planeWidth), stride };
    });
    yield { rows, planes };
    y += rows;
  });
}
