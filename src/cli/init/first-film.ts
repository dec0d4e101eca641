/** The film that `shotlist init` writes: a few shots of one idea, cut together. It runs at once on the built-in studio. */
export interface FirstFilm {
  readonly name: string;
  readonly idea: string;
  readonly ratio: '16:9' | '9:16' | '1:1' | '4:3' | '3:4';
  /** 1 to 12. */
  readonly shots: number;
}

export const FRAMINGS = [
  'wide establishing shot, slow pan',
  'medium shot, tracking',
  'close-up, slow push in',
  'low angle, looking up',
  'over the shoulder',
  'wide shot from above, slow crane up',
  'profile, handheld',
  'extreme close-up of a detail',
  'long lens, shallow focus',
  'silhouette against the light',
  'slow dolly back',
  'wide closing shot, still camera',
] as const;

export function firstFilm({ name, idea, ratio, shots }: FirstFilm): string {
  return `shotlist: 1
name: ${name}

params:
  idea: { type: string, default: ${JSON.stringify(idea)} }

steps:
  # One request for each framing; they are made at the same time.
  shot:
    matrix:
      framing:
${FRAMINGS.slice(0, shots)
  .map(framing => `        - ${framing}`)
  .join('\n')}
    model: V-T2V-A
    with:
      prompt: "\${{ params.idea }}: \${{ matrix.framing }}, single shot"
      aspect_ratio: "${ratio}"
      resolution: 720P
      duration: 3

  # Assembled on this machine, which costs nothing.
  film:
    cut:
      clips: [ "\${{ steps.shot }}" ]
      join: { dissolve: 0.4s }

outputs:
  film: { from: "\${{ steps.film }}", to: out/${name}.mp4 }
`;
}
