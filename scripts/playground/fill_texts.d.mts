export function fillTexts(html: string, texts: Readonly<Record<string, unknown>>): string;
