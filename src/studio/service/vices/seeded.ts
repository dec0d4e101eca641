/** Chance that is the same every time. */

/** From 0 to 1: always the same for the same text. */
export function drawFor(text: string): number {
  let hash = 2_166_136_261;
  for (const letter of text) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 16_777_619);
  return mixed(hash);
}

/** From 0 to 1, one after the other (mulberry32). */
export function randomFrom(text: string): () => number {
  let state = Math.floor(drawFor(text) * 2 ** 32);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    return mixed(state);
  };
}

function mixed(state: number): number {
  let mix = Math.imul(state ^ (state >>> 15), 1 | state);
  mix = (mix + Math.imul(mix ^ (mix >>> 7), 61 | mix)) ^ mix;
  return ((mix ^ (mix >>> 14)) >>> 0) / 2 ** 32;
}
