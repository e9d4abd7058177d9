import { describe, expect, it } from 'vitest';
import { openJpeg } from '../../src/codecs/jpeg/decoder.ts';
import { type Core, createCore } from '../../src/core/instance.ts';
import { JpegFile } from '../../src/core/jpeg_decode.ts';
import { Fault } from '../../src/faults.ts';
import { readWhole } from '../cases/decoder_cases.ts';
import { randomJpeg } from '../fixtures/jpeg_writer/samples.ts';
import { writeJpeg } from '../fixtures/jpeg_writer/writer.ts';

const grey = [[1, 1]] as const;

function fileIn(core: Core, bytes: Uint8Array): JpegFile {
  const at = core.alloc(bytes.length);
  core.view(at, bytes.length).set(bytes);
  return new JpegFile(core, at, bytes.length);
}

describe('planes of a JPEG', () => {
  it('are its samples before upsampling and conversion', () => {
    const bytes = writeJpeg(randomJpeg({ width: 40, height: 40, sampling: grey, mode: 'baseline', seed: 9 }));
    const core = createCore();
    const file = fileIn(core, bytes);
    const { width } = file.reserve(1);
    using raster = openJpeg(bytes);
    const whole = readWhole(raster);
    let y = 0;
    for (const [plane] of file.planes()) {
      for (let row = 0; row < 8 * plane!.vertical; row++, y++) {
        const samples = core.view(plane!.at + row * plane!.stride, width);
        expect([...samples]).toEqual(Array.from({ length: width }, (_, x) => whole[(y * width + x) * 4]));
      }
    }
    expect(y).toBe(40);
    expect(file.colour).toBe('grey');
  });
});

describe('a JPEG file in a core', () => {
  const bytes = writeJpeg(randomJpeg({ width: 40, height: 40, sampling: grey, mode: 'baseline', seed: 9 }));

  it('tells what it is', () => {
    const file = fileIn(createCore(), bytes);
    expect(file).toMatchObject({ width: 40, height: 40, components: 1, colour: 'grey' });
    expect(file.reserve(8)).toEqual({ width: 5, height: 5 });
  });

  it('is dropped after a fault', () => {
    const file = fileIn(createCore(), bytes.slice(0, -20));
    file.reserve(1);
    expect(() => [...file.rows(0, 40)]).toThrow(Fault);
    expect(() => [...file.rows(0, 40)]).toThrow(/dropped/);
  });

  it('takes a trap of the core for a fault of the file', () => {
    const core = createCore();
    const trapping = (name: string) => ({
      ...core,
      exports: {
        ...core.exports,
        [name]: () => {
          throw new WebAssembly.RuntimeError('unreachable');
        },
      },
    });
    expect(() => fileIn(trapping('jpegDecodeOpen'), bytes)).toThrow(Fault);
    const file = fileIn(trapping('jpegDecodeNext'), bytes);
    file.reserve(1);
    expect(() => [...file.rows(0, 40)]).toThrow(Fault);
    expect(() => [...file.rows(0, 40)]).toThrow(/dropped/);
  });

  it('finds no memory where there is none: a limit', () => {
    const core = createCore();
    const file = fileIn({ ...core, exports: { ...core.exports, jpegDecodeReserve: () => 0 } }, bytes);
    expect(() => file.reserve(1)).toThrow(expect.objectContaining({ kind: 'limit' }));
  });
});
