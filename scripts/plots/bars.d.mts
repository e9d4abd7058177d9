interface Plot {
  readonly title: string;
  readonly unit: string;
  readonly series: readonly string[];
  readonly rows: readonly { readonly label: string; readonly values: readonly number[] }[];
  readonly baseline?: number;
}

export function bars(plot: Plot): string;
