import { jpegDecoder } from '../../../src/codecs/jpeg/decoder.ts';
import { scan } from '../../../src/metadata/scan.ts';
import { fuzzDecoder } from '../../cases/decoder_fuzz.ts';
import { randomJpeg, samplingOf } from '../../fixtures/jpeg_writer/samples.ts';
import { writeJpeg } from '../../fixtures/jpeg_writer/writer.ts';

const samplings = ['11', '22 11 11', '12 11 11', '41 21 11', '11 11 11 11'].map(samplingOf);

const seeds = samplings.flatMap((sampling) =>
  (['baseline', 'lone scans', 'progressive'] as const).flatMap((mode) =>
    [0, 1].map((restart) => ({
      name: `${JSON.stringify(sampling)} ${mode} ${restart}`,
      bytes: writeJpeg({
        ...randomJpeg({ width: 17, height: 19, sampling, mode, restart, seed: 3 }),
        // Tables written out make half of a small file.
        ...(mode === 'baseline' && restart === 1 ? { standardTables: 'omitted' as const } : {}),
      }),
    })),
  ),
);

export function fuzzJpeg(count: number): void {
  fuzzDecoder({
    decoder: jpegDecoder,
    seeds,
    count,
    seed: 60,
    factsOf: (bytes) => scan(bytes) ?? undefined,
  });
}
