/** See world_land.mjs. */
export function worldLand(): string;
