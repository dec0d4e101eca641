/** Pipelines that several tests of runs start. A pipeline that one test needs stands in that test. */

/** `shot`. */
export const ONE_SHOT = `
steps:
  shot:
    model: V-T2V-A
    with: { prompt: a fox crosses a river, duration: 5 }
`;

/** `shot` → `framed`. */
export const SHOT_REFRAMED = `${ONE_SHOT}
  framed:
    model: V-RF
    with: { input_video: "\${{ steps.shot.result_url }}", aspect_ratio: "9:16", prompt: snow }
`;

/** `shot` → `framed` → `final`. */
export const TEASER = `${SHOT_REFRAMED.replace('name: shot', 'name: teaser')}
  final:
    model: V-UP
    with: { input_video: "\${{ steps.framed.result_url }}" }
`;

/** `shot[seed=1]`, `shot[seed=2]`. */
export const TWO_SHOTS = `
steps:
  shot:
    matrix: { seed: [1, 2] }
    model: V-T2V-A
    with: { prompt: a fox, seed: "\${{ matrix.seed }}" }
`;

/** `shot[seed=1]` → `framed[seed=1]`, `shot[seed=2]` → `framed[seed=2]`. */
export const TWO_SHOTS_REFRAMED = `${TWO_SHOTS}
  framed:
    each: \${{ steps.shot }}
    model: V-RF
    with: { input_video: "\${{ each.result_url }}", aspect_ratio: "1:1", prompt: snow }
`;
