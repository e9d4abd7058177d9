/** The street behind the bust, as layers of SVG from the farthest on, and how much each is out of focus. */

/** The whole scene in pixels, of which the photo shows the left part. */
export const SCENE = { width: 1600, height: 853 };
/** Where the road begins. */
const HORIZON = 500;

/** 0 to 1, the same in every run (mulberry32). */
function randomFrom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const rect = (x, y, width, height, fill, more = '') =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}" ${more}/>`;
const disc = (x, y, radius, fill, opacity = 1) =>
  `<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${radius.toFixed(1)}" fill="${fill}" opacity="${opacity.toFixed(2)}"/>`;
const gradient = (id, ...stops) =>
  `<linearGradient id="${id}" x1="0" y1="0" x2="0" y2="1">${stops
    .map(([at, colour]) => `<stop offset="${at}" stop-color="${colour}"/>`)
    .join('')}</linearGradient>`;

function houses() {
  const next = randomFrom(7);
  const parts = [];
  for (const [x, width, top, wall, shade] of [
    [-40, 330, 60, '#a98f78', '#8a7361'],
    [290, 250, 130, '#b9ab97', '#978a78'],
    [540, 300, 30, '#8f7f78', '#75675f'],
    [840, 260, 110, '#c0b29b', '#9d907c'],
    [1100, 280, 50, '#a58a72', '#87705c'],
    [1380, 260, 120, '#b3a795', '#938774'],
  ]) {
    parts.push(rect(x, top, width, HORIZON - top, wall), rect(x, top - 14, width, 22, shade));
    parts.push(rect(x + width - 26, top, 26, HORIZON - top, shade, 'opacity="0.5"'));
    for (let floor = top + 45; floor < HORIZON - 150; floor += 105) {
      for (let column = x + 34; column < x + width - 60; column += 74) {
        const glass = next() < 0.2 ? '#e8cf98' : next() < 0.5 ? '#4b545c' : '#65727d';
        parts.push(rect(column - 4, floor - 4, 48, 74, '#dcd3c4'), rect(column, floor, 40, 66, glass));
        parts.push(rect(column + 18, floor, 4, 66, '#dcd3c4'));
      }
    }
    parts.push(rect(x + 20, HORIZON - 112, width - 40, 100, '#3c3a38'));
    parts.push(
      rect(x + 14, HORIZON - 132, width - 28, 24, ['#7d3b32', '#36565a', '#8a7338'][Math.floor(next() * 3)]),
    );
  }
  return parts.join('');
}

function tree(x, y, spread, seed) {
  const next = randomFrom(seed);
  const parts = [rect(x - 9, y, 18, HORIZON + 60 - y, '#4a3d33')];
  for (let leaf = 0; leaf < 260; leaf++) {
    const angle = next() * 2 * Math.PI;
    const off = Math.sqrt(next()) * spread;
    const [dx, dy] = [Math.cos(angle) * off, Math.sin(angle) * off * 0.8];
    // Lit from the upper left.
    const light = Math.max(0, Math.min(1, 0.5 - (dx * 0.4 + dy * 0.8) / spread / 1.6 + (next() - 0.5) * 0.5));
    const colour = `rgb(${Math.round(52 + 88 * light)},${Math.round(72 + 88 * light)},${Math.round(38 + 42 * light)})`;
    parts.push(disc(x + dx, y + dy, 9 + next() * 20, colour, 0.55 + next() * 0.45));
  }
  return parts.join('');
}

/** Letters and digits of the plate, as strokes in a box of 10 by 16. */
const STROKES = {
  M: 'M0 16V0L5 8L10 0V16',
  K: 'M0 0V16M10 0L0 9M3 7L10 16',
  7: 'M0 0H10L4 16',
  2: 'M0 3Q0 0 5 0Q10 0 10 4Q10 7 5 11L0 16H10',
  4: 'M7 16V0L0 11H10',
  1: 'M2 4L6 0V16',
};

function plate(x, y, text, height) {
  const unit = height / 26;
  const glyphs = [...text].map((letter, at) =>
    STROKES[letter] ? `<path d="${STROKES[letter]}" transform="translate(${20 + at * 15.5} 5)"/>` : '',
  );
  const width = 20 + text.length * 15.5 + 2;
  return `<g transform="translate(${x} ${y}) scale(${unit})"><rect width="${width}" height="26" rx="3" fill="#f1f1ec" stroke="#222" stroke-width="1.5"/><rect x="1" y="1" width="12" height="24" rx="2" fill="#27468f"/><g fill="none" stroke="#16171a" stroke-width="2.9" stroke-linejoin="round">${glyphs.join('')}</g></g>`;
}

/** A parked car from behind. */
function car(x, y) {
  return `<g transform="translate(${x} ${y})">
<ellipse cx="180" cy="268" rx="215" ry="24" fill="#000" opacity="0.55"/>
<rect x="22" y="205" width="58" height="66" rx="16" fill="#17181a"/><rect x="280" y="205" width="58" height="66" rx="16" fill="#17181a"/>
<path d="M78 20Q180 2 282 20L318 96Q350 108 352 150V214Q350 238 326 240H34Q10 238 8 214V150Q10 108 42 96Z" fill="url(#body)"/>
<path d="M90 30Q180 15 270 30L297 92Q180 80 63 92Z" fill="url(#glass)"/>
<path d="M96 34Q140 24 176 24L150 84Q104 85 70 90Z" fill="#fff" opacity="0.16"/>
<path d="M16 118Q180 98 344 118L346 128Q180 110 14 128Z" fill="#fff" opacity="0.28"/>
<path d="M12 132L70 124Q82 124 80 140L76 168Q74 176 62 176L12 180Z" fill="url(#lamp)"/><path d="M348 132L290 124Q278 124 280 140L284 168Q286 176 298 176L348 180Z" fill="url(#lamp)"/>
<rect x="14" y="152" width="56" height="6" fill="#fff" opacity="0.35"/><rect x="290" y="152" width="56" height="6" fill="#fff" opacity="0.35"/>
<path d="M8 196Q180 186 352 196V216Q350 238 326 240H34Q10 238 8 216Z" fill="#000" opacity="0.32"/>
<rect x="112" y="132" width="136" height="54" rx="8" fill="#000" opacity="0.22"/>
<circle cx="180" cy="118" r="9" fill="#c9ced3"/><circle cx="180" cy="118" r="5" fill="#5b6672"/>
${plate(117, 143, 'M K7241', 24)}
<rect x="60" y="236" width="240" height="12" fill="#101112"/>
</g>`;
}

const road = () => {
  const lines = [];
  for (let row = 0; row < 26; row++) {
    const y = HORIZON + 60 + row * row * 0.55 + row * 3;
    lines.push(rect(0, y.toFixed(1), SCENE.width, 1.5 + row * 0.12, '#000', 'opacity="0.14"'));
  }
  return `${rect(0, HORIZON - 14, SCENE.width, 80, '#8d867c')}${rect(0, HORIZON + 58, SCENE.width, 6, '#5d5852')}${rect(0, HORIZON + 62, SCENE.width, 300, 'url(#road)')}${lines.join('')}`;
};

const svg = (content) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${SCENE.width}" height="${SCENE.height}"><defs>${gradient('sky', [0, '#c9d9e8'], [0.6, '#eee6d8'])}${gradient('road', [0, '#6f6b66'], [1, '#4c4a48'])}${gradient('body', [0, '#5d7f9c'], [0.35, '#34546f'], [0.7, '#27435a'], [1, '#1a2c3b'])}${gradient('glass', [0, '#9fb3c2'], [0.5, '#39444e'], [1, '#20262c'])}${gradient('lamp', [0, '#d0473c'], [1, '#7d1d1a'])}</defs>${content}</svg>`;

/** Each layer, and the standard deviation in pixels by which it is blurred. */
export const LAYERS = [
  { blur: 10, svg: svg(rect(0, 0, SCENE.width, SCENE.height, 'url(#sky)') + houses() + road()) },
  { blur: 3.5, svg: svg(tree(640, 250, 130, 3) + tree(1330, 230, 150, 5)) },
  { blur: 1.1, svg: svg(car(790, 420)) },
];
