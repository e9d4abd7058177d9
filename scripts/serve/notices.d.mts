export function bundledWorks(sources: readonly string[], files: readonly string[]): string[];
export function noticesText(works: readonly string[], modules: string): string;
