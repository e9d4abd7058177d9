import { gifDecoder } from '../../../src/codecs/gif/decoder.ts';
import { stillFacts } from '../../cases/decoder_cases.ts';
import { fuzzDecoder } from '../../cases/decoder_fuzz.ts';
import { type GifRecipe, writeGif } from '../../fixtures/gif_writer.ts';

const recipe = (other: Partial<GifRecipe> = {}): GifRecipe => ({
  width: 9,
  height: 10,
  palette: Array.from({ length: 8 }, (_, index) => [index * 30, index, 200] as const),
  indices: Array.from({ length: 90 }, (_, at) => (at * at) % 8),
  ...other,
});

export function fuzzGif(count: number): void {
  fuzzDecoder({
    decoder: gifDecoder,
    count,
    seed: 6,
    seeds: [
      { name: 'plain', bytes: writeGif(recipe()) },
      {
        name: 'interlaced',
        bytes: writeGif(recipe({ interlaced: true, transparentIndex: 2, blockBytes: 11 })),
      },
      {
        name: 'inside its screen',
        bytes: writeGif(recipe({ left: 2, top: 1, screenWidth: 12, screenHeight: 14 })),
      },
      {
        name: 'local palette',
        bytes: writeGif(recipe({ paletteAt: 'local', comment: 'hello', clearEvery: 7 })),
      },
    ],
    factsOf(bytes) {
      if (bytes.length < 10) return undefined;
      const [width, height] = [bytes[6]! | (bytes[7]! << 8), bytes[8]! | (bytes[9]! << 8)];
      // Interlacing cannot be seen this cheaply: assume the dearer way.
      return width * height === 0 ? undefined : stillFacts('gif', width, height, { progressive: true });
    },
  });
}
