import { escaped, svg } from '../plots/svg.mjs';

const WIDTH = 640;
const HEIGHT = 360;
const LEFT = 60;
const RIGHT = 130;
const TOP = 36;
const BOTTOM = 48;
/** Colours of Okabe and Ito, which colour-blind people can distinguish. */
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7'];

/**
 * A line plot, as SVG.
 * @param {object} plot
 * @param {string} plot.title
 * @param {string} plot.x name of the axis
 * @param {string} plot.y
 * @param {Readonly<Record<string, readonly (readonly [number, number])[]>>} plot.lines points by name
 */
export function linePlot({ title, x, y, lines }) {
  const points = Object.values(lines).flat();
  const [right, top] = [0, 1].map((axis) => niceMost(Math.max(...points.map((point) => point[axis]))));
  const atX = (value) => LEFT + (value / right) * (WIDTH - LEFT - RIGHT);
  const atY = (value) => HEIGHT - BOTTOM - (value / top) * (HEIGHT - TOP - BOTTOM);
  const ticks = (most) => [0, 0.25, 0.5, 0.75, 1].map((share) => share * most);
  const text = (at, up, anchor, words) =>
    `<text x="${at}" y="${up}" text-anchor="${anchor}">${escaped(words)}</text>`;
  const grid = [
    ...ticks(right).map((value) => text(atX(value), HEIGHT - BOTTOM + 16, 'middle', number(value))),
    ...ticks(top).flatMap((value) => [
      `<path d="M${LEFT} ${round(atY(value))}H${WIDTH - RIGHT}" stroke="#ccc"/>`,
      text(LEFT - 6, round(atY(value)) + 4, 'end', number(value)),
    ]),
  ];
  const drawn = Object.entries(lines).map(([name, line], index) => {
    const path = line.map(([px, py]) => `${round(atX(px))} ${round(atY(py))}`).join('L');
    const colour = COLOURS[index % COLOURS.length];
    return [
      `<path d="M${path}" fill="none" stroke="${colour}" stroke-width="2"/>`,
      `<path d="M${WIDTH - RIGHT + 12} ${TOP + 20 * index}h18" stroke="${colour}" stroke-width="2"/>`,
      text(WIDTH - RIGHT + 36, TOP + 20 * index + 4, 'start', name),
    ].join('\n');
  });
  const attributes = `viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12"`;
  const parts = [
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    text(LEFT, 20, 'start', title),
    ...grid,
    text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, 'middle', x),
    `<text transform="translate(16 ${(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)" text-anchor="middle">${escaped(y)}</text>`,
    ...drawn,
  ];
  return svg({ title, attributes, parts });
}

/** The next larger number that is 1, 2, 4, 5 or 8 times a power of ten. */
function niceMost(value) {
  const power = 10 ** Math.floor(Math.log10(value || 1));
  return power * ([1, 2, 4, 5, 8, 10].find((each) => each * power >= value) ?? 10);
}

const round = (value) => Math.round(value * 10) / 10;
const number = (value) => String(Math.round(value * 1000) / 1000);
