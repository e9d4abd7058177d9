export function plotsOf(measured: string): Record<string, string>;
