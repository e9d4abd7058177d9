/** Kinds that are found without a further detector. */
export const OWN_KINDS: readonly string[] = ['face', 'plate', 'text'];
