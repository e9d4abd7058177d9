export function plotsOf(measured: string): Record<string, string>;
export function writePlots(measured: string, folder: string): string[];
