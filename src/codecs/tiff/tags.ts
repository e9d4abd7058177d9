/** TIFF 6.0 tag 259; 8 and 7 by Adobe's TIFF Technical Notes, 32946 and 32773 as registered. */
export const Compression = {
  None: 1,
  FaxRle: 2,
  FaxGroup3: 3,
  FaxGroup4: 4,
  Lzw: 5,
  OldJpeg: 6,
  Jpeg: 7,
  Deflate: 8,
  PackBits: 32773,
  OldDeflate: 32946,
} as const;

const FAX: readonly number[] = [Compression.FaxRle, Compression.FaxGroup3, Compression.FaxGroup4];

export const isFax = (compression: number): boolean => FAX.includes(compression);

/** Names for messages, of compressions that are known but not read here. */
export const otherCompressions: Readonly<Record<number, string>> = {
  6: 'JPEG in the withdrawn form of TIFF 6.0',
  9: 'JBIG',
  10: 'JBIG',
  32766: 'NeXT',
  32809: 'ThunderScan',
  34661: 'JBIG',
  34676: 'SGI LogLuv',
  34712: 'JPEG 2000',
  34887: 'LERC',
  34925: 'LZMA',
  50000: 'Zstandard',
  50001: 'WebP',
  50002: 'JPEG XL',
  52546: 'JPEG XL',
};

/** TIFF 6.0 tag 262; 9 by Adobe's supplement of 1997. */
export const Photometric = {
  WhiteIsZero: 0,
  BlackIsZero: 1,
  Rgb: 2,
  Palette: 3,
  Mask: 4,
  Separated: 5,
  YCbCr: 6,
  CieLab: 8,
  IccLab: 9,
} as const;

export const otherPhotometrics: Readonly<Record<number, string>> = {
  10: 'ITU L*a*b*',
  32803: 'a camera sensor’s colour filter array',
  32844: 'LogL',
  32845: 'LogLuv',
  34892: 'linear raw camera data',
};

/** TIFF 6.0 tag 339. */
export const SampleFormat = { Unsigned: 1, Signed: 2, Float: 3, Undefined: 4 } as const;
