export function linkFromPackage(
  text: string,
  path: string,
  packed: readonly string[],
  addressOf: (path: string) => string | undefined,
): string;
