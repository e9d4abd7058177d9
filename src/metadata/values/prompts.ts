/** What programs that make pictures from words write behind the words, whatever field they use. */
const PARAMETERS = /\bSteps: \d+, (?:Sampler|CFG|Size|Seed)\b/;

/** `prompt` for the settings of a picture generator, null for other texts. */
export const promptKind = (text: string): 'prompt' | null => (PARAMETERS.test(text) ? 'prompt' : null);
