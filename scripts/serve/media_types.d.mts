export function mediaTypeOf(path: string): string;
