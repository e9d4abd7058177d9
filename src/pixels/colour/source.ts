import { embeddedProfile } from './embedded.ts';
import { type ColourFacts, type ColourSource, statedColour } from './stated.ts';

/**
 * What the file's colours mean (stated.ts).
 * @param file the whole file, for the profile inside
 */
export const colourSourceOf = (facts: ColourFacts, file: Uint8Array): ColourSource =>
  statedColour(facts, (location) => embeddedProfile(file, location));
