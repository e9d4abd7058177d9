import { escaped, svg } from './svg.mjs';

/** Sizes in pixels. */
const WIDTH = 720;
const LABELS = 268;
const BAR = 12;
const GROUP_GAP = 10;
const HEAD = 56;
const FOOT = 12;
const VALUES = 70;

const STYLE = `text{font:13px system-ui,sans-serif;fill:#1c1a17}
.soft{font-size:11px;fill:#5f594e}.a{fill:#1c1a17}.b{fill:#a49c8d}
.line{stroke:#9b2c0e;stroke-dasharray:3 3}@media(prefers-color-scheme:dark){text{fill:#efebe2}.soft{fill:#aca596}
.a{fill:#efebe2}.b{fill:#7d7667}.line{stroke:#ff9d7a}}`;

/**
 * A drawing of grouped horizontal bars from zero, as SVG that follows light and dark.
 * @param {{
 *   title: string, unit: string, series: readonly string[],
 *   rows: readonly { readonly label: string, readonly values: readonly number[] }[],
 *   baseline?: number,
 * }} plot with at most two series; `baseline` is a value that a dashed line marks
 */
export function bars({ title, unit, series, rows, baseline }) {
  const most = Math.max(baseline ?? 0, ...rows.flatMap(({ values }) => values));
  const scale = (WIDTH - LABELS - VALUES) / most;
  const rounded = (pixels) => Math.round(pixels * 10) / 10;
  const group = BAR * series.length + GROUP_GAP;
  const height = HEAD + rows.length * group + FOOT;
  const parts = [`<text x="0" y="16">${escaped(title)}</text>`];
  series.forEach((name, i) => {
    const x = LABELS + i * 170;
    parts.push(`<rect class="${'ab'[i]}" x="${x}" y="28" width="10" height="10"/>`);
    parts.push(`<text class="soft" x="${x + 16}" y="38">${escaped(name)}</text>`);
  });
  rows.forEach(({ label, values }, row) => {
    const top = HEAD + row * group;
    parts.push(`<text x="0" y="${top + (BAR * series.length) / 2 + 5}">${escaped(label)}</text>`);
    values.forEach((value, i) => {
      const y = top + i * BAR;
      const width = rounded(value * scale);
      parts.push(`<rect class="${'ab'[i]}" x="${LABELS}" y="${y}" width="${width}" height="${BAR - 2}"/>`);
      parts.push(
        `<text class="soft" x="${rounded(LABELS + width + 6)}" y="${y + BAR - 2}">${value} ${unit}</text>`,
      );
    });
  });
  if (baseline !== undefined) {
    const x = rounded(LABELS + baseline * scale);
    parts.push(`<path class="line" d="M${x} ${HEAD - 8}V${height - FOOT}"/>`);
  }
  const attributes = `width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}"`;
  return svg({ title, attributes, parts: [`<style>${STYLE}</style>`, ...parts] });
}
