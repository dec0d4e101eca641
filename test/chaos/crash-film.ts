/** The film that is shot under fire: cheap pictures, one made from another, and no request like any of another film's. */
import { FAILPOINTS, type Failpoint } from '../../src/model/run/failpoint.ts';
import { Dice } from '../simulate/dice.ts';

export const CRASH_FILM = `shotlist: 1
name: crash
params:
  film: { type: integer }
steps:
  still:
    model: I-GEN-A
    matrix: { shot: [1, 2] }
    with:
      prompt: "film \${{ params.film }}, shot \${{ matrix.shot }}: a fox"
      num_inference_steps: 1
      output_format: png
  relit:
    model: I-EDIT-A
    with:
      input_image: ["\${{ steps.still[0].result_url }}"]
      prompt: "film \${{ params.film }}, relit"
      output_format: png
outputs:
  stills: { from: "\${{ steps.still }}", to: "out/still-{shot}.png" }
  relit: { from: "\${{ steps.relit }}", to: out/relit.png }
`;

/** What each instance of film `number` asks for: tells its request from all others, whatever address it carries. */
export const promptsOf = (number: number): readonly string[] => [
  `film ${number}, shot 1: a fox`,
  `film ${number}, shot 2: a fox`,
  `film ${number}, relit`,
];

/** Instance → where its result is put. */
export const PLACES: Readonly<Record<string, string>> = {
  'still[shot=1]': 'out/still-1.png',
  'still[shot=2]': 'out/still-2.png',
  relit: 'out/relit.png',
};

/** How a process dies: when it comes to a named point for the nth time, or a while after its start, in milliseconds. */
export type Death = { readonly point: Failpoint; readonly nth: number } | { readonly after: number };

export const nameOf = (death: Death): string =>
  'point' in death ? `${death.point}:${death.nth}` : `${death.after} ms`;

/** The deaths that are meant for one film, in order. The same seed and number: the same deaths. */
export function deathsOf(seed: number, number: number, victim: 'runner' | 'studio'): readonly Death[] {
  const dice = new Dice(Math.imul(seed, 7919) + Math.imul(number, 104729) + (victim === 'runner' ? 0 : 1));
  return Array.from({ length: dice.between(2, 6) }, () => {
    if (victim === 'studio') return { after: dice.between(20, 320) };
    if (dice.chance(0.45)) return { after: dice.between(60, 660) };
    // What is left of a film shrinks with each life: most often the first.
    return { point: dice.pick(FAILPOINTS), nth: 1 + Math.floor(dice.next() * dice.next() * 4) };
  });
}
