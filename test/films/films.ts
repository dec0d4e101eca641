/** The films of `pipelines/`: what a person says to get each, and what lies in `out/` then. Tests run them as drafts, `npm run films` in full. */
import { readAudio } from '../../src/media/decode/decode.ts';
import type { Need } from '../support/needs.ts';

export interface Film {
  /** `teaser`: the pipeline is `pipelines/teaser.yaml`. */
  readonly name: string;
  /** What the studio cannot give: a program of the machine. */
  readonly needs?: 'espeak-ng';
  /** Every file below `out/`, as a draft makes it. */
  readonly draft: Readonly<Record<string, Draft>>;
  /** What a person says, in order, with the exit code of each; `run` alone unless told. The pipeline comes after the command. */
  readonly session?: readonly Said[];
  /** Seconds of each of its films in which nothing is heard: a title without music. None unless told. */
  readonly unheard?: number;
  /** Why a team makes it as well: what this film has that a team carries out in a way of its own. */
  readonly inTeam?: string;
}

export interface Said {
  readonly command: readonly [command: string, ...more: string[]];
  readonly exit: number;
}

/** What a prober finds in it, as far as it matters; `text` for a file that is no media. */
export type Draft = Facts | 'text';

interface Facts {
  readonly kind: 'video' | 'image' | 'audio';
  readonly width?: number;
  readonly height?: number;
  /** Seconds, to a tenth. */
  readonly duration?: number;
  readonly fps?: number;
  readonly video_codec?: string;
  readonly audio_codec?: string | null;
}

const video = (width: number, height: number, duration: number, more: Partial<Facts> = {}): Facts => ({
  ...{ kind: 'video', width, height, duration, fps: 24, video_codec: 'h264', audio_codec: 'aac' },
  ...more,
});

/** In the order of their names. */
export const FILMS: readonly Film[] = [
  {
    name: 'approval',
    inTeam: 'a person approves, and the run goes on',
    session: [
      { command: ['run'], exit: 5 },
      { command: ['approve', 'client', '--as', 'the client'], exit: 0 },
      { command: ['run'], exit: 0 },
    ],
    draft: { 'approval-preview.mp4': video(320, 180, 13.833), 'approval.mp4': video(320, 180, 17.167) },
  },
  {
    name: 'bake-off',
    draft: {
      ...{ 'bake-off-V-T2V-A.mp4': video(180, 320, 5), 'bake-off-V-T2V-B.mp4': video(180, 320, 5) },
      ...{ 'bake-off-V-T2V-C.mp4': video(180, 320, 5), 'bake-off.mp4': video(304, 180, 14) },
    },
  },
  {
    name: 'critic',
    inTeam: 'a used file is made again until it holds, and a chat looks at pictures',
    draft: { 'critic.mp4': video(180, 180, 9.5), 'critic.webp': { kind: 'image', width: 256, height: 256 } },
  },
  {
    name: 'draft-to-final',
    inTeam: 'a person picks in a profile, and the final is made of what was picked',
    session: [
      { command: ['run', '--profile', 'draft'], exit: 5 },
      {
        command: [
          'pick',
          ...['best[scene=walk]', 'take=2', 'best[scene=stars]', 'take=1', 'best[scene=home]', 'take=3'],
          ...['--profile', 'draft', '--as', 'the director'],
        ],
        exit: 0,
      },
      { command: ['promote', '--yes'], exit: 0 },
    ],
    draft: { 'draft-to-final.mp4': video(320, 180, 17.167) },
  },
  { name: 'first-and-last-frame', draft: { 'one-day.mp4': video(430, 180, 11.92) } },
  {
    name: 'image-to-video',
    unheard: 1,
    draft: { 'keeper-16x9.mp4': video(320, 180, 6), 'keeper-9x16.mp4': video(180, 320, 6) },
  },
  {
    name: 'last-frame-chain',
    unheard: 2,
    inTeam: 'each clip begins with the last frame of the one before',
    draft: { 'one-breath.mp4': video(430, 180, 16.83) },
  },
  {
    name: 'product-from-csv',
    unheard: 1.5,
    draft: {
      'product-16x9.mp4': video(320, 180, 9.5),
      'product-1x1.mp4': video(180, 180, 9.5),
      'product-9x16.mp4': video(180, 320, 9.5),
    },
  },
  { name: 'reference-to-video', draft: { 'last-boat.mp4': video(430, 180, 15.75) } },
  {
    name: 'social-cutdowns',
    inTeam: 'footage, a table and scripts of the project, and a command that lists what was made',
    draft: {
      'social/invite-1x1.mp4': video(180, 180, 6.54),
      'social/invite-9x16.mp4': video(180, 320, 6.54),
      'social/posts.json': 'text',
      'social/rise-1x1.mp4': video(180, 180, 4),
      'social/rise-9x16.mp4': video(180, 320, 4),
    },
  },
  {
    name: 'story',
    inTeam: 'a chat writes the list of shots, and a judge that looks picks among takes',
    needs: 'espeak-ng',
    draft: {
      'story.mp4': video(320, 180, 26.5),
      'story.otio': 'text',
      'story.json': 'text',
      'story.png': { kind: 'image', width: 320, height: 180 },
    },
  },
  {
    name: 'talking-head',
    inTeam: 'a request hears the sound that a command has made',
    needs: 'espeak-ng',
    draft: { 'talking-head.mp4': video(270, 338, 10) },
  },
  {
    name: 'teaser',
    unheard: 1.5,
    draft: {
      'teaser-wide.mp4': video(320, 180, 6),
      'teaser.mp4': video(180, 320, 7.4),
      'teaser.png': { kind: 'image', width: 180, height: 320 },
    },
  },
];

export const sessionOf = ({ session }: Film): readonly Said[] => session ?? [{ command: ['run'], exit: 0 }];

/** Programs of the machine that it takes. */
export const needsOf = ({ needs }: Film): readonly Need[] => (needs === undefined ? [] : [needs]);

/** Half seconds in which nothing is heard, in seconds. */
export async function unheardSeconds(path: string): Promise<number> {
  const { left } = await readAudio(path);
  const half = 24_000;
  const parts = Array.from({ length: Math.floor(left.length / half) }, (_, i) =>
    left.subarray(i * half, (i + 1) * half),
  );
  return parts.filter(part => part.every(sample => Math.abs(sample) < 0.01)).length / 2;
}
