/** What image generators write after the prompt, in whatever field they use. */
const PARAMETERS = /\bSteps: \d+, (?:Sampler|CFG|Size|Seed)\b/;

/** `prompt` for the settings of a picture generator, null for other texts. */
export const promptKind = (text: string): 'prompt' | null => (PARAMETERS.test(text) ? 'prompt' : null);
