export function tableUnder(text: string, heading: string): { label: string; cells: string[] }[] | undefined;
export function numberIn(cell: string | undefined, which?: number): number | undefined;
