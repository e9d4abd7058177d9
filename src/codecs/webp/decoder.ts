import { ROW_SLACK } from '../../core/constants.ts';
import { type Core, createCore } from '../../core/instance.ts';
import { Scratch } from '../../core/scratch.ts';
import { WebpAlphaFile } from '../../core/webp/alpha.ts';
import { WebpLosslessFile } from '../../core/webp/lossless.ts';
import { LossyFrame } from '../../core/webp/lossy.ts';
import { decodingFault } from '../../faults.ts';
import { bytesOf, type ImageFile } from '../../memory/image_file.ts';
import { CoreBytes } from '../../memory/owned_bytes.ts';
import type { FileFacts } from '../../metadata/facts.ts';
import { uninterrupted } from '../../scheduling/time_slice.ts';
import type { DecodedRaster, Decoder, Size, Strip, Want } from '../types.ts';
import { walked } from '../walked.ts';
import { type Bitstream, findBitstream } from './bitstream.ts';
import { CANVAS_ROWS, canvasBytes, webpDecodeCost } from './cost.ts';

/**
 * WebP (RFC 9649) by rows in the image core: lossy with or without alpha, lossless, and the first frame of an
 * animation on its transparent canvas. Pixels equal libwebp's. A file that lies in a core is read in place;
 * others are copied into one, once.
 */
export const webpDecoder: Decoder = {
  format: 'webp',
  reading: {
    pixelTime: 25,
    pixelWork: () => 0.35,
    byteWork: 4,
    mostPixelWork: 3,
    rowByRow: true,
    steady: true,
    halvesChroma: ({ colour }) => colour === 'ycbcr',
    // An animation's frame may leave part of its canvas uncovered.
    surelyOpaque: ({ hasAlpha, onCanvas }) => !hasAlpha && !onCanvas,
  },
  cost: webpDecodeCost,

  async open(
    file: ImageFile,
    facts: FileFacts,
    { reserveBytes }: Want,
    slice = uninterrupted,
  ): Promise<DecodedRaster> {
    const bitstream = await walked(findBitstream(bytesOf(file)), slice);
    if (file instanceof CoreBytes) {
      if (reserveBytes !== undefined)
        file.moveToRoomier(file.length + webpDecodeCost(facts).inCores + reserveBytes);
      const { core, at } = file;
      const start = core.exports.mark();
      const raster = openIn(core, at, bitstream, facts);
      const end = core.exports.mark();
      return {
        ...raster,
        [Symbol.dispose]() {
          // Memory reserved by others after this raster was opened must stay.
          if (!core.disposed && core.exports.mark() === end) core.exports.release(start);
        },
      };
    }
    const bytes = bytesOf(file);
    const core = createCore(bytes.length + webpDecodeCost(facts).inCores + (reserveBytes ?? 0));
    try {
      const at = core.alloc(bytes.length);
      core.view(at, bytes.length).set(bytes);
      const raster = openIn(core, at, bitstream, facts);
      return { ...raster, [Symbol.dispose]: () => core[Symbol.dispose]() };
    } catch (error) {
      core[Symbol.dispose]();
      throw error;
    }
  },
};

/** One picture's rows, decoded any number of times. */
interface Picture extends Size {
  readonly opaque: boolean;
  rows(): Iterable<Strip>;
}

/** @param at where the file lies in the core */
function openIn(
  core: Core,
  at: number,
  bitstream: Bitstream,
  facts: FileFacts,
): Omit<DecodedRaster, typeof Symbol.dispose> {
  const { frame } = bitstream;
  const picture =
    bitstream.codec === 'VP8' ? openLossy(core, at, bitstream) : openLossless(core, at, bitstream);
  // Kernels read a little past a row: this provides memory after the last one, too.
  core.alloc(ROW_SLACK);
  const declared = frame ?? facts;
  if (picture.width !== declared.width || picture.height !== declared.height) {
    throw decodingFault(
      `The WebP header declares ${declared.width} × ${declared.height} pixels but its image has ${picture.width} × ${picture.height}`,
    );
  }
  const { width, height } = facts;
  const isWhole = picture.width === width && picture.height === height;
  if (frame && (frame.x + frame.width > width || frame.y + frame.height > height)) {
    throw decodingFault('The first frame of the WebP lies outside its canvas');
  }
  const strips =
    frame && !isWhole ? () => onCanvas(core, picture, frame, { width, height }) : () => picture.rows();
  return { width, height, opaque: picture.opaque && isWhole, grey: false, core, strips };
}

function openLossy(core: Core, at: number, { data, alpha }: Bitstream): Picture {
  const frame = new LossyFrame(core, at + data.at, data.length);
  frame.reserve();
  const { width, height } = frame;
  const plane = alpha && new WebpAlphaFile(core, at + alpha.at, alpha.length, width, height);
  return {
    width,
    height,
    opaque: plane === undefined,
    rows() {
      plane?.restart();
      return frame.rows(0, plane && (() => plane.row().byteOffset));
    },
  };
}

function openLossless(core: Core, at: number, { data }: Bitstream): Picture {
  const file = new WebpLosslessFile(core, at + data.at, data.length);
  return { width: file.width, height: file.height, opaque: !file.alphaUsed, rows: () => file.rows() };
}

/** The frame's rows on a transparent canvas. */
function* onCanvas(
  core: Core,
  picture: Picture,
  frame: { readonly x: number; readonly y: number },
  canvas: Size,
): Generator<Strip> {
  using scratch = new Scratch(core, [canvasBytes(canvas)]);
  const stride = canvas.width * 4;
  const canvasRows = (rows: number) => core.view(scratch.places[0]!, rows * stride);
  const blank = function* (from: number, to: number): Generator<Strip> {
    for (let y = from; y < to; y += CANVAS_ROWS) {
      const rows = Math.min(CANVAS_ROWS, to - y);
      const pixels = canvasRows(rows);
      pixels.fill(0);
      yield { y, rows, pixels };
    }
  };
  yield* blank(0, frame.y);
  const line = picture.width * 4;
  for (const strip of picture.rows()) {
    for (let done = 0; done < strip.rows; done += CANVAS_ROWS) {
      const rows = Math.min(CANVAS_ROWS, strip.rows - done);
      const pixels = canvasRows(rows);
      pixels.fill(0);
      for (let row = 0; row < rows; row++) {
        const from = (done + row) * line;
        pixels.set(strip.pixels.subarray(from, from + line), row * stride + frame.x * 4);
      }
      yield { y: frame.y + strip.y + done, rows, pixels };
    }
  }
  yield* blank(frame.y + picture.height, canvas.height);
}
