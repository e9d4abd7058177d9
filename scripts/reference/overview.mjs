/** Operations that only programs call. */
const PLUMBING = ['getOpenApi', 'getMetrics'];

/** @param {string} text */
const escaped = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/**
 * Converts a line of CommonMark: code and strong emphasis.
 * @param {string} line
 */
const inline = (line) =>
  escaped(line)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>');

/**
 * CommonMark as HTML, as far as descriptions use it: headings with their text as id where it is one word,
 * paragraphs, lists, code, strong emphasis.
 * @param {string} text
 */
export function htmlOf(text) {
  return text
    .trim()
    .split(/\n{2,}/)
    .map((block) => {
      const heading = /^(#{2,3}) (.*)$/.exec(block);
      if (heading) {
        const [, marks, title] = heading;
        const id = /^[a-z_]+$/.test(title) ? ` id="${title}"` : '';
        return `<h${marks.length}${id}>${inline(title)}</h${marks.length}>`;
      }
      if (block.startsWith('- ')) {
        const items = block.split(/\n- /).map((item) => `<li>${inline(item.replace(/^- /, ''))}</li>`);
        return `<ul>${items.join('')}</ul>`;
      }
      return `<p>${inline(block)}</p>`;
    })
    .join('\n');
}

/**
 * The overview that the reference shows until its script has loaded: operations, then the introduction.
 * @param {{
 *   info: { title: string, description: string },
 *   paths: Readonly<Record<string, Readonly<Record<string, any>>>>,
 * }} document of OpenAPI
 */
export function overviewOf({ info, paths }) {
  const row = (method, path, summary) => {
    const name = `<th scope="row"><code>${method.toUpperCase()} ${escaped(path)}</code></th>`;
    return `<tr>${name}<td>${inline(summary)}</td></tr>`;
  };
  const isShown = ({ operationId, tags }) =>
    operationId && !tags.includes('Pages') && !PLUMBING.includes(operationId);
  const rows = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, operation]) => isShown(operation))
      .map(([method, { summary }]) => row(method, path, summary)),
  );
  const table = `<table><caption hidden>Operations</caption>${rows.join('\n')}</table>`;
  return `<h1>${escaped(info.title)}</h1>\n${htmlOf(info.description).replace('\n<h2', `\n${table}\n<h2`)}`;
}
