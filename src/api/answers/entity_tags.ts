/** An entity tag (RFC 9110 section 8.8.3); the first group is the text between its quotes. */
const ENTITY_TAG = /^[ \t,]*(?:W\/)?"([\x21\x23-\x7e\x80-\xff]*)"[ \t]*(?=,|$)/;

/**
 * Whether the client already has this representation, so that its GET or HEAD is answered 304 (RFC 9110
 * section 13.1.2). Tags are compared weakly, since proxies that compress an answer make its tag weak. A `*`
 * matches any representation. A list is read up to its first malformed member.
 * @param ifNoneMatch the header; null without it
 * @param tag of the representation, with its quotes; null if it has none
 */
export function isKnownRepresentation(ifNoneMatch: string | null, tag: string | null): boolean {
  if (ifNoneMatch === null) return false;
  if (ifNoneMatch.trim() === '*') return true;
  const current = ENTITY_TAG.exec(tag ?? '')?.[1];
  if (current === undefined) return false;
  let rest = ifNoneMatch;
  for (let match = ENTITY_TAG.exec(rest); match; match = ENTITY_TAG.exec(rest)) {
    if (match[1] === current) return true;
    rest = rest.slice(match[0].length);
  }
  return false;
}
