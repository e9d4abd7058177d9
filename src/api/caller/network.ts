/** `[2001:db8::1]` and `[2001:db8::1]:443` (RFC 3986 section 3.2.2; RFC 7239 section 6). */
const BRACKETED = /^\[([^[\]]*)\](?::\d{1,5})?$/;
/** An IPv4 address, with a port or without. */
const IPV4 = /^(\d{1,3}(?:\.\d{1,3}){3})(?::\d{1,5})?$/;

/**
 * The network of one subscriber: an IPv4 address, or the /64 of an IPv6 address (RFC 6177: no end site has
 * less). IPv4-mapped IPv6 (RFC 4291 section 2.5.5.2) counts as the IPv4 address. Ports, brackets and zone ids
 * are dropped: a client has thousands of ports, and some proxies report them.
 * @returns a canonical text; '' for text that is not an address, so that all senders of such text share one
 * network
 */
export function networkOf(address: string): string {
  const text = address.trim().toLowerCase();
  const ipv4 = IPV4.exec(text)?.[1];
  if (ipv4 !== undefined) return canonicalIpv4(ipv4);
  const [bare = ''] = (BRACKETED.exec(text)?.[1] ?? text).split('%');
  return ipv6Network(bare);
}

/** @returns '' for numbers beyond 255 and for leading zeros, which some read as octal */
function canonicalIpv4(text: string): string {
  const isByte = (part: string) => Number(part) <= 255 && String(Number(part)) === part;
  return text.split('.').every(isByte) ? text : '';
}

function ipv6Network(text: string): string {
  if (!/^[0-9a-f:.]*:[0-9a-f:.]*$/.test(text) || !URL.canParse(`http://[${text}]`)) return '';
  // The URL parser reads every notation of IPv6 (WHATWG URL, host parsing) and writes the canonical one.
  const canonical = new URL(`http://[${text}]`).hostname.slice(1, -1);
  const [head = '', tail = ''] = canonical.split('::');
  const before = head.split(':').filter(Boolean);
  const after = tail.split(':').filter(Boolean);
  const zeros = canonical.includes('::') ? 8 - before.length - after.length : 0;
  const groups = [...before, ...Array<string>(zeros).fill('0'), ...after].map((group) =>
    Number.parseInt(group, 16),
  );
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped)
    return groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 255])
      .join('.');
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}
