// The rules for settings, in plain JavaScript: the Worker checks them at its first request, and the program
// that starts a self-hosted server before it starts (scripts/serve), on any Node.js.

/** Characters a secret must have: 16 random bytes in base64 are 22. */
const SHORTEST_SECRET = 22;
/** Longest admin token: with `Bearer ` before it, it must fit into the header that is read. */
const LONGEST_TOKEN = 1000;
/**
 * The least megabytes that hold a small picture besides the isolate itself, and the address space as a
 * maximum.
 */
const SMALLEST_BUDGET = 32;
const LARGEST_BUDGET = 65_536;

const secret = {
  expected: `${SHORTEST_SECRET} printable characters or more`,
  isMeant: (value) => value.length >= SHORTEST_SECRET && /^[\x21-\x7e]+$/.test(value),
  isSecret: true,
};

/** Every setting: what is expected, and whether a value, trimmed and not empty, is valid. */
const RULES = {
  ADMIN_TOKEN: {
    ...secret,
    expected: `${SHORTEST_SECRET} to ${LONGEST_TOKEN} printable characters without a space`,
    isMeant: (value) => secret.isMeant(value) && value.length <= LONGEST_TOKEN,
  },
  KEY_SIGNING_SECRET: {
    ...secret,
    expected: `secrets of ${secret.expected} each, separated by commas`,
    // An extra comma leaves an empty secret, with which anybody could sign.
    isMeant: (value) => value.split(',').every((each) => secret.isMeant(each.trim())),
  },
  CALLER_HASH_SECRET: secret,
  PUBLIC_ORIGIN: {
    expected: 'an origin such as https://sanitizer.example, without a path',
    isMeant: (value) => {
      if (!URL.canParse(value)) return false;
      const { protocol, pathname, search, hash, username, password } = new URL(value);
      return /^https?:$/.test(protocol) && pathname + search + hash + username + password === '/';
    },
  },
  TRUSTED_PROXY_HEADER: {
    expected: 'the name of a header such as X-Real-IP, or none',
    // Every header that carries only an address has a hyphen in its name. "None", "false" and the like have
    // none; taken for names, they would trust a header that any client can send.
    isMeant: (value) => value === 'none' || /^[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)+$/.test(value),
  },
  FACE_ENGINE: {
    expected: 'core, or onnxruntime-web in a bundle with detectors',
    isMeant: (value, { DETECTORS }) =>
      value === 'core' || (value === 'onnxruntime-web' && Boolean(DETECTORS)),
  },
  MEMORY_BUDGET_MB: {
    expected: `a whole number of megabytes from ${SMALLEST_BUDGET} to ${LARGEST_BUDGET}`,
    isMeant: (value) =>
      /^[1-9]\d{1,5}$/.test(value) && Number(value) >= SMALLEST_BUDGET && Number(value) <= LARGEST_BUDGET,
  },
};

/**
 * The settings with invalid values. An absent or empty setting has its default.
 * @param {Readonly<Record<string, unknown>>} settings
 * @returns {{ name: string, expected: string, came: string | undefined }[]} `came` is undefined for secrets
 */
export function settingFaults(settings) {
  return Object.entries(RULES).flatMap(([name, { expected, isMeant, isSecret }]) => {
    const value = settings[name];
    const text = typeof value === 'string' ? value.trim() : '';
    // workerd gives null for a variable that its environment lacks.
    if ((value ?? undefined) === undefined || (typeof value === 'string' && text === '')) return [];
    if (typeof value === 'string' && isMeant(text, settings)) return [];
    return [{ name, expected, came: isSecret ? undefined : JSON.stringify(value) }];
  });
}
