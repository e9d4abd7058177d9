/** Side images: the blocks' modes, and the levels that indices mean. Only green varies. */
import { LITERALS } from '../common/alphabets';
import { putBits } from './bits';
import { putCode, putNoCode } from './codes';
import { alike } from './match';
import { AlphaEncoder, DISTANCES, GREENS, MAX_LENGTH } from './state';
import { extraOf, prefixOf } from './tokens';

const NEAR_LENGTH: u32 = 3;
/** Distance codes of the pixel above and the one to the left, whose prefixes are one less. */
const ABOVE: u32 = 1;
const LEFT: u32 = 2;

const counts = memory.data(320 * 4, 4);
const codes = memory.data(320 * 4, 4);

/** Writes an image of `width` times `height` greens: no cache, one group, pixels. */
export function putSideImage(encoder: AlphaEncoder, greens: usize, width: i32, height: i32): void {
  memory.fill(counts, 0, (GREENS + DISTANCES) << 2);
  putPixels(encoder, greens, width, height, true);
  putBits(encoder, 0, 1);
  putCode(encoder, counts, GREENS, codes);
  putNoCode(encoder);
  putNoCode(encoder);
  putNoCode(encoder);
  putCode(encoder, counts + ((<usize>GREENS) << 2), DISTANCES, codes + ((<usize>GREENS) << 2));
  putPixels(encoder, greens, width, height, false);
}

function putPixels(encoder: AlphaEncoder, greens: usize, width: i32, height: i32, counted: bool): void {
  const end = greens + <usize>width * height;
  for (let at = greens; at < end; ) {
    const most = min(MAX_LENGTH, <u32>(end - at));
    const left = at > greens ? alike(at - 1, at, most) : 0;
    const above = at - greens >= <usize>width ? alike(at - width, at, most) : 0;
    const length = max(left, above);
    if (length < NEAR_LENGTH) {
      put(encoder, <u32>load<u8>(at), counted);
      at++;
      continue;
    }
    const prefix = prefixOf(length);
    put(encoder, <u32>LITERALS + prefix, counted);
    if (!counted) putBits(encoder, (length - 1) & ((1 << extraOf(prefix)) - 1), extraOf(prefix));
    put(encoder, GREENS + (above > left ? ABOVE : LEFT) - 1, counted);
    at += length;
  }
}

function put(encoder: AlphaEncoder, symbol: u32, counted: bool): void {
  if (counted) {
    const at = counts + ((<usize>symbol) << 2);
    store<u32>(at, load<u32>(at) + 1);
    return;
  }
  const code = load<u32>(codes + ((<usize>symbol) << 2));
  putBits(encoder, code >> 4, code & 15);
}
