/** Bytes of one value by TIFF type: ASCII, SHORT, LONG, RATIONAL (TIFF 6.0, section 2). */
const WIDTHS = { 2: 1, 3: 2, 4: 4, 5: 8 };

const ascii = (tag, text) => ({ tag, type: 2, value: Buffer.from(`${text}\0`, 'latin1') });
const short = (tag, number) => ({ tag, type: 3, value: numbers([number], 2) });
const long = (tag, number) => ({ tag, type: 4, value: numbers([number], 4) });
/** @param pairs numerator and denominator, one pair a value */
const rational = (tag, ...pairs) => ({ tag, type: 5, value: numbers(pairs.flat(), 4) });
/** A directory that the field points at. */
const child = (tag, fields) => ({ tag, type: 4, fields });

function numbers(values, width) {
  const bytes = Buffer.alloc(values.length * width);
  for (const [at, value] of values.entries()) bytes.writeUIntLE(value, at * width, width);
  return bytes;
}

/**
 * A directory with its values and children behind it (TIFF 6.0, section 2), little-endian.
 * @param start its offset in the file
 * @param isLinked whether another directory follows it at once
 */
function directory(fields, start, isLinked) {
  const head = Buffer.alloc(2 + fields.length * 12 + 4);
  const behind = [];
  let end = start + head.length;
  head.writeUInt16LE(fields.length, 0);
  for (const [index, { tag, type, value, fields: children }] of fields.entries()) {
    const at = 2 + index * 12;
    const content = children ? numbers([end], 4) : value;
    head.writeUInt16LE(tag, at);
    head.writeUInt16LE(type, at + 2);
    head.writeUInt32LE(content.length / WIDTHS[type], at + 4);
    if (content.length <= 4) content.copy(head, at + 8);
    else head.writeUInt32LE(end, at + 8);
    const stored = children
      ? directory(children, end, false)
      : content.length > 4
        ? content
        : Buffer.alloc(0);
    const padded = Buffer.concat([stored, Buffer.alloc(stored.length % 2)]);
    behind.push(padded);
    end += padded.length;
  }
  if (isLinked) head.writeUInt32LE(end, head.length - 4);
  return Buffer.concat([head, ...behind]);
}

/** Degrees, minutes and seconds to a hundredth, as rationals. */
function angle(tag, degrees) {
  const hundredths = Math.round(degrees * 360_000);
  const [whole, minutes] = [Math.floor(hundredths / 360_000), Math.floor((hundredths % 360_000) / 6000)];
  return rational(tag, [whole, 1], [minutes, 1], [hundredths % 6000, 100]);
}

/**
 * A JPEG with what cameras write (Exif 2.32, section 4.6) behind its start.
 * @param {Buffer} jpeg
 * @param {{ make: string, model: string, serial: string, author: string, date: string, offset: string,
 *   latitude: number, longitude: number }} facts degrees are north and east
 * @param {Buffer} thumbnail a JPEG, small enough for the segment
 */
export function withExif(jpeg, { latitude, longitude, ...facts }, thumbnail) {
  const main = [
    ascii(271, facts.make),
    ascii(272, facts.model),
    ascii(315, facts.author),
    child(34665, [ascii(36867, facts.date), ascii(36881, facts.offset), ascii(42033, facts.serial)]),
    child(34853, [ascii(1, 'N'), angle(2, latitude), ascii(3, 'E'), angle(4, longitude)]),
  ];
  const header = Buffer.from('II*\0\x08\0\0\0', 'latin1');
  const first = directory(main, header.length, true);
  const start = header.length + first.length;
  const ofThumbnail = (at) => [short(259, 6), long(513, at), long(514, thumbnail.length)];
  const second = directory(ofThumbnail(start + directory(ofThumbnail(0), start, false).length), start, false);
  const body = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), header, first, second, thumbnail]);
  const marker = Buffer.from([0xff, 0xe1, (body.length + 2) >> 8, (body.length + 2) & 255]);
  return Buffer.concat([jpeg.subarray(0, 2), marker, body, jpeg.subarray(2)]);
}
