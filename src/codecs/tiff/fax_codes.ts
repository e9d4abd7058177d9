/**
 * ITU-T T.4 tables 2 and 3a: the codes of white and black runs of 0 to 63 pixels, and of 64, 128 … 1728;
 * table 3b: of 1792, 1856 … 2560 in either colour.
 */
const WHITE_SHORT =
  '00110101 000111 0111 1000 1011 1100 1110 1111 10011 10100 00111 01000 001000 000011 110100 110101 ' +
  '101010 101011 0100111 0001100 0001000 0010111 0000011 0000100 0101000 0101011 0010011 0100100 0011000 ' +
  '00000010 00000011 00011010 00011011 00010010 00010011 00010100 00010101 00010110 00010111 00101000 ' +
  '00101001 00101010 00101011 00101100 00101101 00000100 00000101 00001010 00001011 01010010 01010011 ' +
  '01010100 01010101 00100100 00100101 01011000 01011001 01011010 01011011 01001010 01001011 00110010 ' +
  '00110011 00110100';
const WHITE_LONG =
  '11011 10010 010111 0110111 00110110 00110111 01100100 01100101 01101000 01100111 011001100 011001101 ' +
  '011010010 011010011 011010100 011010101 011010110 011010111 011011000 011011001 011011010 011011011 ' +
  '010011000 010011001 010011010 011000 010011011';
const BLACK_SHORT =
  '0000110111 010 11 10 011 0011 0010 00011 000101 000100 0000100 0000101 0000111 00000100 00000111 ' +
  '000011000 0000010111 0000011000 0000001000 00001100111 00001101000 00001101100 00000110111 00000101000 ' +
  '00000010111 00000011000 000011001010 000011001011 000011001100 000011001101 000001101000 000001101001 ' +
  '000001101010 000001101011 000011010010 000011010011 000011010100 000011010101 000011010110 000011010111 ' +
  '000001101100 000001101101 000011011010 000011011011 000001010100 000001010101 000001010110 000001010111 ' +
  '000001100100 000001100101 000001010010 000001010011 000000100100 000000110111 000000111000 000000100111 ' +
  '000000101000 000001011000 000001011001 000000101011 000000101100 000001011010 000001100110 000001100111';
const BLACK_LONG =
  '0000001111 000011001000 000011001001 000001011011 000000110011 000000110100 000000110101 0000001101100 ' +
  '0000001101101 0000001001010 0000001001011 0000001001100 0000001001101 0000001110010 0000001110011 ' +
  '0000001110100 0000001110101 0000001110110 0000001110111 0000001010010 0000001010011 0000001010100 ' +
  '0000001010101 0000001011010 0000001011011 0000001100100 0000001100101';
const LONGEST =
  '00000001000 00000001100 00000001101 000000010010 000000010011 000000010100 000000010101 000000010110 ' +
  '000000010111 000000011100 000000011101 000000011110 000000011111';

/** ITU-T T.4 table 4: how a change of colour relates to the row above. */
export const Mode = { Pass: 1, Horizontal: 2, Vertical: 3 } as const;
const MODES: readonly (readonly [code: string, value: number])[] = [
  ['0001', Mode.Pass],
  ['001', Mode.Horizontal],
  // Vertical modes carry their offset, −3 to 3, above the mode.
  ['1', verticalMode(0)],
  ['011', verticalMode(1)],
  ['000011', verticalMode(2)],
  ['0000011', verticalMode(3)],
  ['010', verticalMode(-1)],
  ['000010', verticalMode(-2)],
  ['0000010', verticalMode(-3)],
];

function verticalMode(offset: number): number {
  return Mode.Vertical + ((offset + 3) << 2);
}

/** Bits looked at to find a run's code, and a mode's. */
export const RUN_BITS = 13;
export const MODE_BITS = 7;

/** For every prefix of so many bits: value × 16 + bits of the code, or 0 where no code begins so. */
export type CodeTable = Uint16Array;

function table(bits: number, codes: readonly (readonly [code: string, value: number])[]): CodeTable {
  const entries = new Uint16Array(1 << bits);
  for (const [code, value] of codes) {
    const spare = bits - code.length;
    const first = Number.parseInt(code, 2) << spare;
    entries.fill(value * 16 + code.length, first, first + (1 << spare));
  }
  return entries;
}

const runs = (text: string, first: number, step: number) =>
  text.split(' ').map((code, index) => [code, first + index * step] as const);

/**
 * Every run code of one colour with its length in pixels; lengths of 64 and more are followed by another
 * code.
 */
export const runCodes = (black: boolean): readonly (readonly [code: string, length: number])[] => [
  ...runs(black ? BLACK_SHORT : WHITE_SHORT, 0, 1),
  ...runs(black ? BLACK_LONG : WHITE_LONG, 64, 64),
  ...runs(LONGEST, 1792, 64),
];

interface FaxTables {
  readonly white: CodeTable;
  readonly black: CodeTable;
  readonly modes: CodeTable;
}

let built: FaxTables | undefined;

/** The tables, built at first use: 33 KB. */
export function faxTables(): FaxTables {
  built ??= {
    white: table(RUN_BITS, runCodes(false)),
    black: table(RUN_BITS, runCodes(true)),
    modes: table(MODE_BITS, MODES),
  };
  return built;
}
