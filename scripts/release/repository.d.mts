export interface SourceFields {
  readonly repository?: { readonly type: 'git'; readonly url: string };
  readonly homepage?: string;
  readonly bugs?: { readonly url: string };
}
export function sourceAddress(
  env: Readonly<Record<string, string | undefined>>,
  origin: string | undefined,
): string | undefined;
export function sourceFields(address: string): SourceFields;
export function fileAddress(repository: string | undefined, path: string): string | undefined;
export function missingFields(
  manifest: { readonly repository?: string | { readonly url?: string } },
  address: string | undefined,
): SourceFields;
