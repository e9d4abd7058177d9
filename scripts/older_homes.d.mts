/** Settings of esbuild; see the module. */
export const olderHomes: {
  readonly target: string[];
  readonly define: Record<string, string>;
  readonly banner: Record<string, string>;
};
/** A built script without the banner where it disposes of nothing. */
export function withoutIdleBanner(script: string): string;
