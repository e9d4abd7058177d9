import { crc32, deflateSync } from 'node:zlib';

/** Metadata of the picture that must not appear in any answer. */
export const CANARY = 'smoke-canary-of-the-metadata';

/** A grey PNG of 32 × 32 pixels with a text chunk (PNG, third edition, section 11.3.3.2). */
export function taggedPicture() {
  const size = 32;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  // Eight bits per sample, grey.
  header.set([8, 0, 0, 0, 0], 8);
  const rows = Buffer.alloc(size * (size + 1));
  for (let y = 0; y < size; y++) rows.fill(60 + y * 4, y * (size + 1) + 1, (y + 1) * (size + 1));
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('tEXt', Buffer.from(`Comment\0${CANARY}`, 'latin1')),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type, data) {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const result = Buffer.alloc(named.length + 8);
  result.writeUInt32BE(data.length, 0);
  named.copy(result, 4);
  result.writeUInt32BE(crc32(named), named.length + 4);
  return result;
}
