export function linePlot(plot: {
  readonly title: string;
  readonly x: string;
  readonly y: string;
  readonly lines: Readonly<Record<string, readonly (readonly [number, number])[]>>;
}): string;
