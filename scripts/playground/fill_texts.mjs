/** Attributes that can be texts, and the data attribute that then names the text for other languages. */
const kinds = { 'aria-label': 'label', title: 'title', alt: 'alt', placeholder: 'placeholder' };

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/**
 * The document with a text for every `{{name}}`: the whole content of an element, or of an attribute. The
 * element then names it by `data-text`, or `data-label`, `data-title`, `data-alt` and `data-placeholder`.
 * @param {string} html
 * @param {Readonly<Record<string, unknown>>} texts
 * @returns {string}
 * @throws {Error} where it names a text that there is not, or one with plurals
 */
export function fillTexts(html, texts) {
  const textOf = (name) => {
    const text = texts[name];
    if (typeof text !== 'string') throw new Error(`index.html names the text ${name}, which there is not`);
    return escaped(text);
  };
  const filled = html
    .replace(/>\{\{([\w.]+)\}\}</g, (_, name) => ` data-text="${name}">${textOf(name)}<`)
    .replace(
      /\b(aria-label|title|alt|placeholder)="\{\{([\w.]+)\}\}"/g,
      (_, attribute, name) => `${attribute}="${textOf(name)}" data-${kinds[attribute]}="${name}"`,
    );
  const left = /.{0,40}\{\{.{0,40}/.exec(filled);
  if (left) throw new Error(`index.html has a text that is no whole content: ${left[0]}`);
  return filled;
}
