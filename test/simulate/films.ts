/** Small films as their authors write them: one to eight instances of every kind of step that moves money or is made from what did. */
import type { Dice } from './dice.ts';

/** A few steps that stand by themselves. `n` keeps names apart; prompts are the same in every film that has the scene, so that films share requests. */
type Scene = (n: number) => string;

const SCENES: readonly [Scene, ...Scene[]] = [
  n => `
  shot${n}:
    model: V-T2V-A
    with: { prompt: "a fox at the river, \${{ params.idea }}", resolution: 720P, duration: 5, seed: 1001 }
  wide${n}:
    model: V-RF
    with: { input_video: "\${{ steps.shot${n}.result_url }}", aspect_ratio: "9:16", prompt: extend the snowy forest }`,
  n => `
  take${n}:
    model: V-T2V-A
    retry: { attempts: 2, backoff: 5s }
    concurrency: takes
    matrix: { seed: [11, 22, 33] }
    with: { prompt: "dawn over the lake, \${{ params.idea }}", resolution: 720P, duration: 5, seed: "\${{ matrix.seed }}" }`,
  n => `
  one${n}:
    model: V-T2V-B
    with: { prompt: "an owl over the ice, \${{ params.idea }}", resolution: 480P, duration: 5 }
  two${n}:
    model: V-T2V-B
    with: { prompt: "an owl over the ice, \${{ params.idea }}", resolution: 480P, duration: 5 }
  three${n}:
    model: V-T2V-B
    with: { prompt: "an owl over the ice, \${{ params.idea }}", resolution: 480P, duration: 5 }`,
  n => `
  frame${n}:
    model: V-T2V-A
    retry: { attempts: 3, backoff: 2s, on: [cancelled, download] }
    matrix: { seed: [5, 6] }
    with: { prompt: "a bridge in the fog, \${{ params.idea }}", resolution: 720P, duration: 5, seed: "\${{ matrix.seed }}" }
  sharp${n}:
    each: \${{ steps.frame${n} }}
    model: V-UP
    with: { input_video: "\${{ each.result_url }}", resolution: 1080p }`,
  n => `
  script${n}:
    model: C-D
    retry: { attempts: 3 }
    with: { prompt: "two beats about \${{ params.idea }}" }
    schema: { type: object, required: [beats], properties: { beats: { type: array, items: { type: string } } } }
  beat${n}:
    model: V-T2V-B
    retry: { attempts: 4, backoff: 1s, on: [failed] }
    concurrency: takes
    matrix: { at: [0, 1] }
    with: { prompt: "\${{ steps.script${n}.json.beats[matrix.at] }}", resolution: 480P, duration: 5 }`,
  n => `
  draft${n}:
    model: I-GEN-A
    with: { prompt: "a heron in the reeds", seed: 77 }
    until: { holds: "\${{ this.sha256 < '8' }}", max: 3, otherwise: last }
  flown${n}:
    model: V-I2V-A
    with: { input_image: "\${{ steps.draft${n}.result_url }}", prompt: "it rises", resolution: 540p, duration: 5s }`,
  n => `
  still${n}:
    model: I-GEN-A
    via: sync
    with: { prompt: "a lighthouse at dusk, \${{ params.idea }}", seed: 4242 }
  alive${n}:
    model: V-I2V-A
    with: { input_image: "\${{ steps.still${n}.result_url }}", prompt: "the lantern flickers", resolution: 540p, duration: 5s }`,
  n => `
  raw${n}:
    model: V-T2V-A
    with: { prompt: "a train in the snow, \${{ params.idea }}", resolution: 720P, duration: 5, seed: 7007 }
  told${n}:
    concurrency: takes
    run: [ count, "\${{ steps.raw${n}.sha256 }}" ]
  titled${n}:
    model: V-T2V-B
    with: { prompt: "titles: \${{ steps.told${n}.stdout }}", resolution: 480P, duration: 5 }`,
  n => `
  fresh${n}:
    model: V-T2V-B
    cache: off
    concurrency: takes
    matrix: { copy: [1, 2] }
    with: { prompt: "sparks over a forge, \${{ params.idea }}", resolution: 480P, duration: 5 }`,
  n => `
  note${n}:
    model: C-D
    with: { prompt: "a title for \${{ params.idea }}" }`,
];

/** US dollars of what the films ask for, by hand from the catalog's table: five seconds at the rate of what the request says. */
export const USD: { readonly [model: string]: number } = {
  'V-T2V-A': 5 * 0.1,
  'V-T2V-B': 5 * 0.05,
  // Its resolution is left out.
  'V-RF': 5 * 0.12,
  'V-UP': 5 * 0.05,
  'V-I2V-A': 5 * 0.05,
  'I-GEN-A': 0.01,
};

/** A shot of a model of one's own, which the film brings up and down. */
const LOOK = `
  styled:
    model: look
    matrix: { seed: [1, 2] }
    retry: { attempts: 2, backoff: 5s, on: [cancelled] }
    with: { prompt: "a fox in the style of the house, \${{ params.idea }}", seed: "\${{ matrix.seed }}" }`;

export interface FilmText {
  readonly name: string;
  readonly text: string;
}

export function writeFilm(name: string, dice: Dice): FilmText {
  const scenes = dice.pick([1, 1, 2, 2, 3]);
  const chosen = Array.from({ length: scenes }, () => dice.pick(SCENES));
  const hasLook = dice.fork('look').chance(0.15);
  const steps = [...chosen.map((scene, at) => scene(at + 1)), ...(hasLook ? [LOOK] : [])].join('\n');
  const groups = steps.includes('concurrency: takes') ? `concurrency: { takes: ${dice.pick([1, 2])} }\n` : '';
  return {
    name,
    text: `shotlist: 1\nname: ${name}\nparams:\n  idea: { type: string, default: first light }\n${groups}${hasLook ? `models: { look: { id: ${name}-look, activate: true } }\n` : ''}steps:${steps}\n`,
  };
}
