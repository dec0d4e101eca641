/** The films of `pipelines/`: what a person says to get each, and what lies in `out/` then. Tests run them as drafts, `npm run films` in full. */
import { execFileSync } from 'node:child_process';

export interface Film {
  /** `teaser`: the pipeline is `pipelines/teaser.yaml`. */
  readonly name: string;
  /** What the studio cannot give: a program of the machine. */
  readonly needs?: 'espeak-ng';
  /** Every file below `out/`, as a draft makes it. */
  readonly draft: Readonly<Record<string, Draft>>;
  /** What a person says, in order, with the exit code of each; `run` alone unless told. The pipeline comes after the command. */
  readonly session?: readonly Said[];
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
  /** Seconds, to a twentieth. */
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
    name: 'bake-off',
    draft: {
      ...{ 'bake-off-V-T2V-A.mp4': video(180, 320, 5), 'bake-off-V-T2V-B.mp4': video(192, 342, 5) },
      ...{ 'bake-off-V-T2V-C.mp4': video(180, 320, 5), 'bake-off.mp4': video(540, 320, 14) },
    },
  },
  {
    name: 'journey',
    draft: Object.fromEntries(
      ['forest-1', 'forest-2', 'river-1', 'river-2'].map(take => [`journey-${take}.mp4`, video(242, 136, 5)]),
    ),
  },
  {
    name: 'places',
    draft: { 'places-the-frozen-river.mp4': video(270, 480, 5), 'places-the-snowy-forest.mp4': video(270, 480, 5) },
  },
  {
    name: 'portrait',
    draft: { 'portrait-16x9.mp4': video(480, 270, 5), 'portrait-9x16.mp4': video(270, 480, 5) },
  },
  {
    name: 'story',
    needs: 'espeak-ng',
    draft: {
      'story.mp4': video(320, 180, 26.5),
      'story.otio': 'text',
      'story.json': 'text',
      'story.png': { kind: 'image', width: 320, height: 180 },
    },
  },
  { name: 'teaser', draft: { 'teaser-wide.mp4': video(320, 180, 6), 'teaser.mp4': video(270, 480, 6) } },
];

export const sessionOf = ({ session }: Film): readonly Said[] => session ?? [{ command: ['run'], exit: 0 }];

/** Why it cannot be made on this machine; undefined where it can. */
export function missingFor({ needs }: Film): string | undefined {
  if (needs === undefined || isInstalled(needs)) return undefined;
  return `${needs} is not installed: .ci/install-debian installs it on Debian`;
}

function isInstalled(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
