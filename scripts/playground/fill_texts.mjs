/**
 * Attributes that can contain texts, each with the data attribute that names the text for other languages.
 */
const kinds = { 'aria-label': 'label', title: 'title', alt: 'alt', placeholder: 'placeholder' };

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/**
 * Inserts a text for every `{{name}}`, which must be the whole content of an element or of an attribute. The
 * element then names it in `data-text`, or `data-label`, `data-title`, `data-alt` and `data-placeholder`.
 * @param {string} html
 * @param {Readonly<Record<string, unknown>>} texts
 * @returns {string}
 * @throws {Error} if a named text does not exist, or has plural forms
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
