import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { toolPath } from '../fixtures/tools.ts';

/** What a reader shows, over white: three samples a pixel; null where it refuses the file. */
export interface Shown {
  readonly width: number;
  readonly height: number;
  readonly rgb: Uint8Array;
}

const inFolder = <Result>(run: (folder: string) => Result): Result => {
  const folder = mkdtempSync(join(tmpdir(), 'differential-'));
  try {
    return run(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
};

/** libvips with the codecs' own libraries, as lenient as it can be; upright. */
export async function bySharp(file: Uint8Array): Promise<Shown | null> {
  try {
    const { data, info } = await sharp(file, { failOn: 'none' })
      .rotate()
      .flatten({ background: 'white' })
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true });
    const rgb = new Uint8Array(info.width * info.height * 3);
    for (let at = 0; at < rgb.length; at++) {
      rgb[at] =
        data[
          info.channels < 3
            ? Math.floor(at / 3) * info.channels
            : Math.floor(at / 3) * info.channels + (at % 3)
        ]!;
    }
    return { width: info.width, height: info.height, rgb };
  } catch {
    return null;
  }
}

/** Chromium, all files in one page. */
export function byChromium(files: readonly Uint8Array[], mediaType: string): (Shown | null)[] {
  return inFolder((folder) => {
    const images = files.map(
      (file) => `<img src="data:${mediaType};base64,${Buffer.from(file).toString('base64')}">`,
    );
    const script = `window.onload = () => {
      const lines = [...document.images].map((image) => {
        const { naturalWidth: width, naturalHeight: height } = image;
        if (!width || !height) return 'refused';
        const canvas = Object.assign(document.createElement('canvas'), { width, height });
        const context = canvas.getContext('2d');
        context.fillStyle = 'white';
        context.fillRect(0, 0, width, height);
        try { context.drawImage(image, 0, 0); } catch { return 'refused'; }
        const pixels = context.getImageData(0, 0, width, height).data;
        let text = '';
        for (const value of pixels) text += String.fromCharCode(value);
        return [width, height, btoa(text)].join(' ');
      });
      document.body.innerHTML = '<pre>' + lines.join('\\n') + '</pre>';
    };`;
    const page = join(folder, 'page.html');
    writeFileSync(page, `<body>${images.join('')}<script>${script}</script>`);
    const options = [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--force-color-profile=srgb',
      '--dump-dom',
    ];
    const { stdout } = spawnSync(toolPath('chromium')!, [...options, `file://${page}`], {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
    const lines = /<pre>([^<]*)<\/pre>/.exec(stdout)?.[1]?.split('\n') ?? [];
    return files.map((_, index) => {
      const [width, height, pixels] = lines[index]?.split(' ') ?? [];
      if (!pixels) return null;
      const rgba = Buffer.from(pixels, 'base64');
      const rgb = new Uint8Array(Number(width) * Number(height) * 3);
      for (let at = 0; at < rgb.length; at++) rgb[at] = rgba[Math.floor(at / 3) * 4 + (at % 3)]!;
      return { width: Number(width), height: Number(height), rgb };
    });
  });
}

/** libtiff's own conversion, tiff2rgba; what it writes is read by libvips. */
export async function byLibtiff(file: Uint8Array): Promise<Shown | null> {
  const converted = inFolder((folder) => {
    const [from, to] = [join(folder, 'a.tif'), join(folder, 'b.tif')];
    writeFileSync(from, file);
    const { status } = spawnSync(toolPath('tiff2rgba')!, ['-c', 'none', from, to]);
    return status === 0 ? new Uint8Array(readFileSync(to)) : null;
  });
  return converted && (await bySharp(converted));
}
