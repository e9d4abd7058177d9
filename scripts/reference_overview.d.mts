interface Described {
  readonly info: { readonly title: string; readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export function htmlOf(text: string): string;
export function overviewOf(document: Described): string;
