/** Escapes text for the content of an element. @param {string} text */
export const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/**
 * A drawing as an SVG file.
 * @param {{ title: string, attributes: string, parts: readonly string[] }} drawing `title` is what a screen
 * reader says of it, `attributes` those of its size and font
 */
export const svg = ({ title, attributes, parts }) =>
  `<svg xmlns="http://www.w3.org/2000/svg" ${attributes} role="img" aria-label="${escaped(title).replaceAll('"', '&quot;')}">
${parts.join('\n')}
</svg>
`;
