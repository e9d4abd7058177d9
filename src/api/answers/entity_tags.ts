/** An entity tag (RFC 9110 section 8.8.3); the first group is what is between its quotes. */
const ENTITY_TAG = /^[ \t,]*(?:W\/)?"([\x21\x23-\x7e\x80-\xff]*)"[ \t]*(?=,|$)/;

/**
 * Whether the client has this representation already, so that the answer to its GET or HEAD is 304 (RFC 9110
 * section 13.1.2). Compared weakly: proxies that compress an answer make its tag a weak one. A `*` means any
 * representation. A list is read up to its first malformed member.
 * @param ifNoneMatch the header; null without it
 * @param tag of the representation, with its quotes; null where it has none
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
