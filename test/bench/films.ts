/** Pipeline files for measuring, of any size. */

/** `steps` of them, in pairs: a shot and its delivery, each with words of its own, as a person would write them. */
export function longFile(steps: number): string {
  const pairs = Array.from(
    { length: steps / 2 },
    (_, n) => `
  shot_${n}:
    model: V-T2V-A
    with:
      prompt: scene ${n}, wide shot, slow pan over \${{ params.place }}, morning light, light wind in the reeds
      resolution: 720P
      duration: 5
      seed: ${n}

  final_${n}:
    model: V-UP
    with:
      input_video: \${{ steps.shot_${n}.result_url }}
      resolution: 1080p
`,
  );
  return `shotlist: 1
name: long
params:
  place: { type: string, default: a frozen river }

steps:${pairs.join('')}`;
}

/** Four steps of `side` × `side` instances each, chained one by one. */
export function fannedOut(side: number): string {
  const axis = `[${Array.from({ length: side }, (_, n) => n + 1).join(', ')}]`;
  return `shotlist: 1
name: fan
steps:
  shot:
    matrix: { scene: ${axis}, seed: ${axis} }
    model: V-T2V-A
    with:
      prompt: scene \${{ matrix.scene }}, single shot
      seed: \${{ matrix.seed }}
      duration: 6
  framed:
    each: \${{ steps.shot }}
    model: V-RF
    with:
      input_video: \${{ each.result_url }}
      aspect_ratio: 9:16
      prompt: snowy forest above
  mended:
    each: \${{ steps.framed }}
    model: V-RT
    with:
      input_video: \${{ each.result_url }}
      retake_start_time: 2
      retake_duration: 2
      prompt: the fox stops and listens
  final:
    each: \${{ steps.mended }}
    model: V-UP
    with:
      input_video: \${{ each.result_url }}
      resolution: 1080p
outputs:
  film:
    from: \${{ steps.final }}
    to: out/{scene}-{seed}.mp4
`;
}

/** `count` local commands that do nothing, each its own. */
export function noOps(count: number): string {
  return `shotlist: 1
name: no-ops
steps:
  step:
    matrix: { n: [${Array.from({ length: count }, (_, n) => n + 1).join(', ')}] }
    run: ["true", "\${{ matrix.n }}"]
`;
}

/** The same for make. */
export function noOpMakefile(count: number): string {
  const names = Array.from({ length: count }, (_, n) => `step${n + 1}`);
  return `all: ${names.join(' ')}\n${names.map((name, n) => `${name}:\n\t@true ${n + 1}\n`).join('')}`;
}

/** `count` pictures that depend on nothing. */
export function pictures(count: number): string {
  return `shotlist: 1
name: pictures
steps:
  still:
    matrix: { seed: [${Array.from({ length: count }, (_, n) => n + 1).join(', ')}] }
    model: I-GEN-A
    with:
      prompt: a lighthouse keeper
      seed: \${{ matrix.seed }}
      output_format: png
`;
}
