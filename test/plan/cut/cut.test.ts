/** What a plan knows of a cut before any of its clips is there. */
import { describe, expect, test } from 'vitest';
import type { MediaFacts } from '../../../src/model/media/media.ts';
import type { InstanceKey } from '../../../src/model/run/key.ts';
import { type LocalMedia, plan } from '../../../src/plan/plan.ts';
import { resolve } from '../../../src/plan/values/resolve.ts';
import { compiledProject } from '../../support/project-files.ts';
import { contextOf, decisions, planned, planOf, Shelf, shown, type World } from '../support.ts';

const file = (sha256: string, facts: MediaFacts): LocalMedia => ({
  sha256,
  url: `file:///film/${sha256}`,
  facts,
  bytes: 9,
});
const VIDEO = { kind: 'video', format: 'mp4', width: 1280, height: 720, fps: 24, audio_codec: 'aac' } as const;
const FILES: NonNullable<World['files']> = {
  'media/intro.mp4': file('intro', { ...VIDEO, duration: 4 }),
  'media/slow.mp4': file('slow', { ...VIDEO, duration: 5.005, fps: 23.976, audio_codec: null }),
  'media/tall.mp4': file('tall', { ...VIDEO, duration: 2, width: 721, height: 1281 }),
  'media/fox.png': file('fox', { kind: 'image', width: 1000, height: 1000 }),
  'media/bed.mp3': file('bed', { kind: 'audio', duration: 10 }),
  'media/line.wav': file('line', { kind: 'audio', duration: 3 }),
};
const world: World = { files: FILES };

/** One step that cuts. */
const film = (lines: string): string => `steps:\n  film:\n    cut:\n${lines.replaceAll(/^/gm, '      ')}\n`;

function cutOf(text: string, given: World = world) {
  const plan = planOf(text, given);
  const instance = plan.instances.get('film' as InstanceKey)!;
  const work = resolve(plan, instance, () => undefined, contextOf(given));
  if (work.is !== 'cut' || !work.cut) throw new Error(`it is ${work.is}`);
  return { cut: work.cut, facts: instance.facts, fingerprint: work.fingerprint };
}

/** The sentences of a plan that is refused. */
const problems = (text: string): readonly string[] => planned(text, world).diagnostics.map(({ message }) => message);

describe('a plan', () => {
  const SHOTS = `
steps:
  shot: { matrix: { n: [1, 2, 3] }, model: V-T2V-A, with: { prompt: "a fox \${{ matrix.n }}", duration: 6 } }
  film:
    cut:
      clips: [ { title: Fox, for: 2s }, media/intro.mp4, { each: "\${{ steps.shot }}", out: 4s }, "\${{ steps.shot }}" ]
      join: { dissolve: 0.4s }
      size: 1920x1080
      fps: 24
`;

  test('says in a line what will be cut, before the clips are there', () => {
    expect(shown(SHOTS, world)).toContain(`
maybe  film  waits for shot                                free
       8 clips, 0:33.1, 1920x1080, 24 fps
`);
  });

  test('says how long it will be before its rate is known, and what each output is made of', () => {
    const rateless = SHOTS.replace('      fps: 24\n', '')
      .replace('for: 2s }, media/intro.mp4,', 'for: 2s },')
      .concat(`outputs:
  film: { from: "\${{ steps.film }}", to: out/film.mp4 }
  line: { from: "\${{ steps.film }}", as: otio, to: out/film.otio }
  poster: { from: "\${{ steps.film.frame_at('2s') }}", to: out/film.png }
`);
    const text = shown(rateless, world);
    expect(text).toContain('7 clips, 0:29.5, 1920x1080');
    expect(text).toContain('out/film.mp4 ← film\n');
    expect(text).toContain('out/film.otio ← film (otio)\n');
    expect(text).toContain("out/film.png ← film.frame_at('2s')");
  });

  test('says what it knows where it does not know all', () => {
    expect(
      shown(
        SHOTS.replace(', duration: 6', ', duration: "${{ steps.talk.json.n }}"').replace(
          'steps:',
          'steps:\n  talk: { run: [echo, \'{"n":5}\'] }',
        ),
        world,
      ),
    ).toContain('8 clips, 1920x1080, 24 fps');
  });

  test('counts the clips of a list that is still to be written as open', () => {
    const text = `
steps:
  script: { model: C-D, with: { prompt: beats }, schema: { type: object, required: [beats], properties: { beats: { type: array, items: { type: string } } } } }
  shot: { matrix: { beat: "\${{ steps.script.json.beats }}" }, max: 9, model: V-T2V-A, with: { prompt: "\${{ matrix.beat }}" } }
  film: { cut: { clips: [ { title: Fox, for: 2s }, "\${{ steps.shot }}" ], size: 640x360 } }
`;
    const made = planOf(text, world);
    expect(decisions(made)).toContain('film: maybe, waits for shot');
    expect(shown(text, world)).toContain('1 clip and more, 640x360');
  });

  test('tells what will not fit before it is paid for', () => {
    expect(problems(SHOTS.replace('out: 4s', 'out: 7s'))).toEqual([
      'clip 3 (shot[n=1]): `out` is 7 s, and the clip ends at 6 s; give at most that, or hold its last picture with `for`',
    ]);
  });

  test('waits for nothing but what it reads', () => {
    const made = planOf(
      `
steps:
  shot: { matrix: { n: [1, 2] }, model: V-T2V-A, with: { prompt: "a fox \${{ matrix.n }}" } }
  other: { model: V-T2V-A, with: { prompt: an owl } }
  film: { cut: { clips: [ "\${{ steps.shot[1] }}", media/intro.mp4 ] } }
`,
      world,
    );
    expect(made.instances.get('film' as InstanceKey)).toMatchObject({ needs: ['shot[n=2]'], needsAll: [] });
  });

  test('is incomplete where some of a fan-out is off', () => {
    expect(
      problems(`
steps:
  shot: { matrix: { n: [1, 2] }, if: "\${{ matrix.n == 1 }}", model: V-T2V-A, with: { prompt: "a fox \${{ matrix.n }}" } }
  film: { cut: { clips: [ "\${{ steps.shot }}" ] } }
`),
    ).toEqual([expect.stringContaining('`shot` is incomplete: shot[n=2] was skipped')]);
  });

  describe('of rows of which one is off', () => {
    const rows = (clip: string) => `
steps:
  voice: { matrix: { n: [1, 2] }, if: "\${{ matrix.n == 1 }}", run: [./say.sh], creates: { line: line.wav } }
  shot: { matrix: { n: [1, 2] }, model: V-T2V-A, with: { prompt: "a fox \${{ matrix.n }}" } }
  film:
    cut:
      clips:
        - media/intro.mp4
        - ${clip}
`;
    const BOTH = 'each: { shot: "${{ steps.shot }}", voice: "${{ steps.voice }}" }';
    const placed = (text: string) => {
      const { diagnostics, plan: made } = planned(text, world);
      const told = diagnostics.map(
        ({ span, source, message }) => `${source.text.slice(span.start, span.end)}: ${message}`,
      );
      return made ? decisions(made).filter(line => line.startsWith('film')) : told;
    };

    test('does without a voice, a text or music', () => {
      const inShort = `{ ${BOTH}, from: "\${{ each.shot.result_url }}", voice: "\${{ each.voice.files.line }}" }`;
      expect(placed(rows(inShort))).toEqual(['film: maybe, waits for shot']);
      const inFull = `{ ${BOTH}, from: "\${{ each.shot.result_url }}", for: voice, voice: { from: "\${{ each.voice.files.line }}", level: -3 }, over: [{ text: "\${{ each.voice.stdout }}" }, { text: a }] }`;
      expect(placed(`${rows(inFull)}      music: "\${{ steps.voice[1].files.line }}"\n`)).toEqual([
        'film: maybe, waits for shot',
      ]);
    });

    test('says at the clip that it shows what is off, and at the still that nothing says how long it is', () => {
      const incomplete = '`voice` is incomplete: voice[n=2] was skipped; leave it out with `exclude`, or make it too';
      const clip = `{ ${BOTH}, from: "\${{ each.shot.result_url }}", out: "\${{ double(each.voice.stdout) }}" }`;
      expect(placed(rows(clip))).toEqual([`${clip}: ${incomplete}`]);
      const alone = '{ each: "${{ steps.voice }}", from: media/fox.png, for: voice, voice: "${{ each.files.line }}" }';
      expect(placed(rows(alone))).toEqual([`"\${{ steps.voice }}": ${incomplete}`]);
      const still = `{ ${BOTH}, from: media/fox.png, for: voice, voice: "\${{ each.voice.files.line }}" }`;
      expect(placed(rows(still))).toEqual([
        'media/fox.png: clip 3 (shot[n=2]) is a still and has no length of its own; add `for: 2s`, or a `voice`',
      ]);
    });
  });

  test('leaves it out where all that it shows is off', () => {
    const made = planOf(
      `
steps:
  shot: { matrix: { n: [1, 2] }, if: false, model: V-T2V-A, with: { prompt: "a fox \${{ matrix.n }}" } }
  film: { cut: { clips: [ "\${{ steps.shot }}" ] } }
`,
      world,
    );
    expect(decisions(made)).toContain('film: skip, shot is skipped');
  });

  test('names its own instance where what it lacks is made for another one', () => {
    expect(
      shown(`
steps:
  shot: { matrix: { beat: [a, b], light: [day, night], exclude: [{ beat: b, light: night }] }, model: V-T2V-A, with: { prompt: "\${{ matrix.beat }}" } }
  voice: { matrix: { beat: [a, b] }, run: [say, "\${{ matrix.beat }}"], creates: { line: line.wav } }
  film:
    matrix: { light: [day, night] }
    cut: { clips: [{ each: { shot: "\${{ steps.shot }}", voice: "\${{ steps.voice }}" }, from: "\${{ each.shot.result_url }}" }] }
`),
    ).toContain('film[light=night]: shot[beat=b] is missing: `film` is made where instances meet on `beat`');
  });

  test('says which coordinates nothing is made for', () => {
    expect(
      problems(`
steps:
  shot: { matrix: { ratio: [16:9] }, model: V-T2V-A, with: { prompt: a fox } }
  film: { matrix: { ratio: [9:16] }, cut: { clips: [ "\${{ steps.shot }}" ] } }
`),
    ).toEqual([expect.stringContaining('no instance of `shot` has ratio=9:16')]);
  });

  test('knows the result: its length, size, rate and codecs; a film without sounds has a silent track', () => {
    const { facts } = cutOf(film('clips: [ media/intro.mp4, media/intro.mp4 ]\ncodec: prores'));
    expect(facts).toEqual({
      ...{ kind: 'video', format: 'mov', video_codec: 'prores', width: 1280, height: 720, fps: 24, duration: 8 },
      audio_codec: 'pcm-s24',
    });
    expect(cutOf(film('clips: [ media/slow.mp4 ]')).facts).toMatchObject({ audio_codec: 'aac', fps: 23.976 });
  });
});

test('the cut of a draft is a draft: it is rendered small, and never taken for the final', () => {
  const text = film('clips: [ media/intro.mp4 ]');
  const plan = planOf(text, world);
  const instance = plan.instances.get('film' as InstanceKey)!;
  const draft = resolve(plan, instance, () => undefined, { ...contextOf(world), isDraft: true });
  if (draft.is !== 'cut') throw new Error(`it is ${draft.is}`);
  const final = cutOf(text);
  expect(draft.cut).toEqual({ ...final.cut, isDraft: true });
  expect(draft.fingerprint).not.toBe(final.fingerprint);
});

describe('size and rate', () => {
  test('are those of the first video, whatever comes before it; odd sides lose a pixel', () => {
    const { cut } = cutOf(film('clips: [ { title: Fox, for: 1s }, { from: media/fox.png, for: 1s }, media/tall.mp4 ]'));
    expect(cut.size).toEqual({ width: 720, height: 1280 });
  });

  test('of stills alone are those of the first; of titles alone, full HD', () => {
    expect(cutOf(film('clips: [ { from: media/fox.png, for: 1s } ]')).cut).toMatchObject({
      size: { width: 1000, height: 1000 },
      rate: { frames: 24, seconds: 1 },
    });
    expect(cutOf(film('clips: [ { title: Fox, for: 1s } ]')).cut.size).toEqual({ width: 1920, height: 1080 });
  });

  test('a rate is a fraction, and clips of it are whole frames', () => {
    const { cut } = cutOf(film('clips: [ media/slow.mp4, media/slow.mp4 ]'));
    expect(cut.rate).toEqual({ frames: 24_000, seconds: 1001 });
    expect(cut.shots.map(({ frames }) => frames)).toEqual([120, 120]);
  });
});

describe('clips', () => {
  test('have their own speed, trims, fades and joins', () => {
    const { cut } = cutOf(
      film(`clips:
  - { from: media/intro.mp4, in: 1s, out: 3s, speed: 0.5, fade_in: 0.5s }
  - { from: media/intro.mp4, speed: 2, join: { dissolve: 0.5s } }
  - { from: media/intro.mp4, join: cut, for: 6s, fade_out: 1s }
join: { dissolve: 1s }`),
    );
    expect(
      cut.shots.map(({ at, frames, dissolve, fadeIn, fadeOut }) => [at, frames, dissolve, fadeIn, fadeOut]),
    ).toEqual([
      [0, 96, 0, 12, 0],
      [84, 48, 12, 0, 0],
      [132, 144, 0, 0, 24],
    ]);
    expect(cut.frames).toBe(276);
    expect(
      cut.sounds.map(({ at, frames, in: start, speed, fadeIn, fadeOut }) => [
        at,
        frames,
        start,
        speed,
        fadeIn,
        fadeOut,
      ]),
    ).toEqual([
      [0, 96, 1, 0.5, 12, 12],
      [84, 48, 0, 2, 12, 0],
      // Its pictures stand still after four seconds, and nothing is heard of them.
      [132, 96, 0, 1, 0, 0],
    ]);
  });

  test('a still for as long as its voice begins when it is there alone, and leaves a breath behind', () => {
    const { cut } = cutOf(
      film(`clips:
  - media/intro.mp4
  - { from: media/fox.png, for: voice, move: push_in, voice: { from: media/line.wav, level: -2 } }
  - media/intro.mp4
join: { dissolve: 0.5s }`),
    );
    // 12 frames of dissolve, 72 of voice, 12 of breath, 12 of the next dissolve.
    expect(cut.shots[1]).toMatchObject({ at: 84, frames: 108, picture: { is: 'still', move: 'push_in' } });
    expect(cut.sounds.find(({ role }) => role === 'voice')).toMatchObject({ at: 96, frames: 72, level: -2 });
  });

  test('a voice that is longer than `for` is no voice that is cut off: it is told', () => {
    expect(problems(film('clips: [ { from: media/intro.mp4, for: 2s, voice: media/line.wav } ]'))).toEqual([
      'clip 1 is to be seen for 2 s, and its voice takes 3 s; write `for: voice`, or leave `for` out',
    ]);
  });

  test('side by side they are as long as the shortest, and sound as the first', () => {
    const { cut } = cutOf(
      film('clips: [ { beside: [ media/intro.mp4, media/tall.mp4, media/fox.png ] } ]\nsize: 640x360'),
    );
    expect(cut.shots).toMatchObject([
      { frames: 48, picture: { is: 'beside', pictures: [{ is: 'video' }, { is: 'video' }, { is: 'still' }] } },
    ]);
    expect(cut.sounds).toMatchObject([{ source: { sha256: 'intro' } }]);
  });

  test('without their own sound, or quieter', () => {
    expect(cutOf(film('clips: [ { from: media/intro.mp4, sound: off } ]')).cut).toMatchObject({
      sounds: [],
      loudness: null,
    });
    expect(cutOf(film('clips: [ { from: media/intro.mp4, level: -6 } ]\nloudness: -23')).cut).toMatchObject({
      sounds: [{ level: -6 }],
      loudness: -23,
    });
    expect(cutOf(film('clips: [ media/intro.mp4 ]\nloudness: off')).cut.loudness).toBeNull();
  });

  test('come from a list of files, one for each', () => {
    const text = `params: { media: { type: array, items: { type: string }, default: [media/intro.mp4, media/tall.mp4] } }\n${film('clips: [ { from: "${{ params.media }}", out: 1s } ]')}`;
    expect(cutOf(text).cut.shots.map(({ frames, name }) => [name, frames])).toEqual([
      ['clip 1', 24],
      ['clip 2', 24],
    ]);
  });

  test('too short for their fades, or for a frame, are told', () => {
    expect(problems(film('clips: [ { from: media/intro.mp4, out: 1s, fade_in: 1s, fade_out: 1s } ]'))).toEqual([
      'clip 1 is 1 s long, and is to fade for 2 s in all; shorten its fades',
    ]);
    expect(problems(film('clips: [ { title: Fox, for: 10ms } ]'))).toEqual([
      'clip 1 is shorter than one frame; give it more',
    ]);
  });
});

describe('music', () => {
  test('is cut to the film, or to its own length, or begins again', () => {
    const music = (options: string) =>
      cutOf(film(`clips: [ { title: Fox, for: 15s } ]\nmusic: { from: media/bed.mp3${options} }`)).cut.sounds[0];
    expect(music('')).toMatchObject({ role: 'music', at: 0, frames: 240, level: 0 });
    expect(music(', loop: true, level: -18, duck: true, fade_out: 2s')).toMatchObject({
      ...{ frames: 360, loop: true, duck: true, level: -18, fadeOut: 48 },
    });
    expect(music(', in: 4s')).toMatchObject({ frames: 144, in: 4 });
  });

  test('that begins after its end is told', () => {
    expect(problems(film('clips: [ media/intro.mp4 ]\nmusic: { from: media/bed.mp3, in: 12s }'))).toEqual([
      'the music: `in` is 12 s, and the clip ends at 10 s; begin before that',
    ]);
  });
});

describe('what lies over the picture', () => {
  test('lies there for its time, in a clip or in the film', () => {
    const { cut } = cutOf(
      film(`clips:
  - media/intro.mp4
  - { from: media/intro.mp4, over: { text: Ende, in: 1s, for: 2s, at: top } }
over: [ { from: media/fox.png, size: 8% }, { text: a fox, in: 7s, for: 9s } ]`),
    );
    expect(cut.overlays).toMatchObject([
      { is: 'text', text: 'Ende', at: 120, frames: 48, place: 'top', fadeIn: 6, fadeOut: 6 },
      { is: 'picture', at: 0, frames: 192, place: 'top right', size: 0.08 },
      { is: 'text', text: 'a fox', at: 168, frames: 24, place: 'bottom', fadeIn: 6 },
    ]);
    expect(cut.overlays[1]).not.toHaveProperty('fadeIn');
  });

  test('comes and goes with its clip where that dissolves', () => {
    const { cut } = cutOf(
      film(`clips:
  - { from: media/intro.mp4, over: { text: one } }
  - { from: media/intro.mp4, over: { text: two } }
join: { dissolve: 0.5s }`),
    );
    expect(cut.overlays).toMatchObject([
      { text: 'one', at: 0, frames: 96, fadeOut: 12 },
      { text: 'two', at: 84, frames: 96, fadeIn: 12 },
    ]);
  });

  test('and comes in after the end is told', () => {
    expect(problems(film('clips: [ media/intro.mp4 ]\nover: { text: late, in: 9s }'))).toEqual([
      'what lies over the picture would come in after 9 s, and what it lies on ends after 4 s; let it come in earlier',
    ]);
  });
});

describe('the key of a cut', () => {
  const base = () => cutOf(film('clips: [ media/intro.mp4, { from: media/fox.png, for: 2s } ]')).fingerprint;

  test('is what is seen, not how the file says it, nor where files lie', () => {
    const same = film(
      'clips: [ { from: media/intro.mp4, in: 0, out: 4s }, { from: media/fox.png, for: 2000ms } ]\njoin: cut\nsize: 1280x720\nfps: 24/1',
    );
    expect(cutOf(same).fingerprint).toBe(base());
    const moved = { files: { ...FILES, 'media/other.mp4': FILES['media/intro.mp4']! } };
    expect(cutOf(film('clips: [ media/other.mp4, { from: media/fox.png, for: 2s } ]'), moved).fingerprint).toBe(base());
  });

  test.each([
    'size: 640x360',
    'codec: h265',
    'fps: 25',
    'loudness: -14',
    'join: { dissolve: 0.1s }',
    'over: { text: a }',
  ])('is another with `%s`', line => {
    expect(cutOf(film(`clips: [ media/intro.mp4, { from: media/fox.png, for: 2s } ]\n${line}`)).fingerprint).not.toBe(
      base(),
    );
  });
});

test('is owned with its clips', () => {
  const owned = new Shelf();
  const text = `
steps:
  shot: { matrix: { n: [1, 2] }, model: V-T2V-A, with: { prompt: "a fox \${{ matrix.n }}" } }
  film: { cut: { clips: [ "\${{ steps.shot }}" ] } }
`;
  owned.make(planOf(text, { ...world, owned }), world);
  expect(decisions(planOf(text, { ...world, owned }))).toEqual([
    'shot[n=1]: hit, unchanged',
    'shot[n=2]: hit, unchanged',
    'film: hit, unchanged',
  ]);
});

describe('a cut inside a used file', () => {
  const INNER = `shotlist: 1
name: spot
params: { idea: { type: string }, intro: { type: string } }
steps:
  shot: { matrix: { n: [1, 2] }, model: V-T2V-A, with: { prompt: "\${{ params.idea }} \${{ matrix.n }}", duration: 5 } }
  film: { cut: { clips: [ "\${{ params.intro }}", { each: "\${{ steps.shot }}", over: { text: "\${{ matrix.n }}" } }, { from: logo.png, for: 1s } ], size: 640x360 } }
outputs: { film: { from: "\${{ steps.film }}", to: out/spot.mp4 } }
`;
  const FILM = `shotlist: 1
name: film
steps:
  spot: { matrix: { idea: [a fox, an owl] }, uses: ./parts/spot.yaml, with: { idea: "\${{ matrix.idea }}", intro: media/intro.mp4 } }
  both: { cut: { clips: [ { each: "\${{ steps.spot }}", from: "\${{ each.outputs.film }}" } ] } }
`;
  const files = { ...FILES, 'parts/logo.png': FILES['media/fox.png']! };
  const made = (inner: string) =>
    plan(compiledProject({ 'film.yaml': FILM, 'parts/spot.yaml': inner }), contextOf({ files }));

  test('follows the clips of its own instance, and its files lie beside its own file', () => {
    const { plan: all } = made(INNER);
    const inside = all?.instances.get('spot[idea="a fox"]/film' as InstanceKey);
    expect(inside).toMatchObject({
      request: { clips: ['clip', 'spot[idea="a fox"]/shot[n=1]', 'spot[idea="a fox"]/shot[n=2]', 'logo.png'] },
      facts: { width: 640, height: 360 },
    });
    expect(all?.instances.get('both' as InstanceKey)?.request).toEqual({
      clips: ['spot[idea="a fox"]', 'spot[idea="an owl"]'],
    });
  });
});

test('a thousand clips are planned in a moment, and end where their sum does', () => {
  const clips = Array.from({ length: 1_000 }, () => '  - { from: media/intro.mp4, out: 1.34s }').join('\n');
  const { cut } = cutOf(film(`clips:\n${clips}`));
  expect(cut.frames).toBe(Math.round(1_340 * 24));
});
