/** What is known of media flows along the graph, and the document's limits are held against it before anything is paid. */
import { expect, test } from 'vitest';
import type { InstanceKey } from '../../src/model/run/key.ts';
import { resolve } from '../../src/plan/values/resolve.ts';
import { clip, contextOf, media, planOf, shown } from './support.ts';

const facts = (steps: string, files = {}) =>
  Object.fromEntries([...planOf(steps, { files }).instances].map(instance => [instance.key, instance.facts]));

test('size, length, rate and format are known before anything exists', () => {
  const film = `
steps:
  shot:
    model: V-T2V-A
    with: { prompt: a fox, aspect_ratio: "9:16" }
  small:
    model: V-T2V-A
    with: { prompt: a fox, resolution: 720P, duration: 3 }
  framed:
    model: V-RF
    with: { input_video: "\${{ steps.small.result_url }}", prompt: forest, aspect_ratio: "21:9" }
  mended:
    model: V-RT
    with: { input_video: "\${{ steps.framed.result_url }}" }
  final:
    model: V-UP
    with: { input_video: "\${{ steps.mended.result_url }}", target_fps: 60 }
  still:
    model: I-GEN-A
    with: { prompt: a fox }
  alive:
    model: V-I2V-A
    with: { prompt: push in, input_image: "\${{ steps.still.result_url }}", duration: 10s, aspect_ratio: "1:1" }
`;
  expect(facts(film)).toStrictEqual({
    shot: { kind: 'video', width: 1080, height: 1920, duration: 5 },
    small: { kind: 'video', width: 1280, height: 720, duration: 3 },
    // Without a resolution the document does not say how large; its ratio is known all the same…
    framed: { kind: 'video', duration: 3 },
    // …and the retake, which is always 1080p, has a size again.
    mended: { kind: 'video', width: 2520, height: 1080, duration: 3 },
    final: { kind: 'video', duration: 3, fps: 60 },
    still: { kind: 'image', format: 'webp' },
    alive: { kind: 'video', width: 540, height: 540, duration: 10 },
  });
});

test('a codec that the document promises is known before anything exists', () => {
  const shot = (resolution: string) => `
steps:
  shot:
    model: V-I2V-C
    with: { prompt: push in, input_image: clips/a.png, resolution: ${resolution}, duration: 8s }
`;
  const files = {
    'clips/a.png': { sha256: 'a', url: 'file:///a.png', facts: { kind: 'image' as const, width: 1600, height: 900 } },
  };
  expect(facts(shot('1080p'), files)).toStrictEqual({
    shot: { kind: 'video', width: 1920, height: 1080, duration: 8, video_codec: 'hevc' },
  });
  expect(facts(shot('720p'), files)).toStrictEqual({ shot: { kind: 'video', width: 1280, height: 720, duration: 8 } });
});

test('a retake takes pictures up to 4K', () => {
  const retake = 'steps:\n  mended: { model: V-RT, with: { input_video: clips/a.mp4 } }\n';
  const sized = (width: number, height: number) => ({
    files: { 'clips/a.mp4': { ...clip(5), facts: { kind: 'video' as const, duration: 5, width, height } } },
  });
  expect(facts(retake, sized(4096, 2160).files)).toStrictEqual({
    mended: { kind: 'video', width: 2048, height: 1080, duration: 5 },
  });
  expect(shown(retake, sized(4320, 7680))).toBe(
    `film.yaml:4:47: error: input_video is 7680 pixels on its longer side; V-RT takes at most 4096
  4 |   mended: { model: V-RT, with: { input_video: clips/a.mp4 } }
    |                                               ^^^^^^^^^^^

1 error`,
  );
});

const reframe = (source: string) => `
steps:
  framed:
    model: V-RF
    with:
      input_video: ${source}
      aspect_ratio: "9:16"
      prompt: forest
`;

test('a 40 s clip is not sent to a reframe that takes 30', () => {
  expect(shown(reframe('clips/long.mp4'), { files: { 'clips/long.mp4': clip(40) } })).toBe(
    `film.yaml:7:20: error: input_video is 40 s long; V-RF takes at most 30 s
  7 |       input_video: clips/long.mp4
    |                    ^^^^^^^^^^^^^^

1 error`,
  );
});

test('30.04 s is 30 s: encoders pad', () => {
  expect(facts(reframe('clips/a.mp4'), { 'clips/a.mp4': clip(30.04) })).toStrictEqual({
    framed: { kind: 'video', duration: 30.04 },
  });
});

test('a path with nothing behind it is said once', () => {
  expect(shown(reframe('clips/lost.mp4'))).toBe(
    `film.yaml:7:20: error: input_video names "clips/lost.mp4", which is not there; give a path from the pipeline file's folder, or an address with https://
  7 |       input_video: clips/lost.mp4
    |                    ^^^^^^^^^^^^^^

1 error`,
  );
});

test('a path to something that is no file is said where it stands, for models and for commands', () => {
  const files = { 'clips/shots': { unusable: 'is a folder; name a file in it' } };
  expect(shown(reframe('clips/shots'), { files })).toBe(
    `film.yaml:7:20: error: input_video names "clips/shots", which is a folder; name a file in it
  7 |       input_video: clips/shots
    |                    ^^^^^^^^^^^

1 error`,
  );
  const cut = `
steps:
  cut:
    run: [cat, $clip]
    files: { clip: clips/shots }
`;
  expect(shown(cut, { files })).toContain(
    'error: files.clip names "clips/shots", which is a folder; name a file in it',
  );
});

test('an address of somebody else is believed: unknown facts raise no error', () => {
  expect(facts(reframe('https://clips.example/long.mp4'))).toStrictEqual({ framed: { kind: 'video' } });
});

const retake = (shot: string, section = '') => `
steps:
  shot:
    model: V-T2V-A
    with: { prompt: a fox, ${shot} }
  framed:
    model: V-RF
    with: { input_video: "\${{ steps.shot.result_url }}", aspect_ratio: "1:1", prompt: forest }
  mended:
    model: V-RT
    with:
      input_video: \${{ steps.framed.result_url }}
      ${section}
`;

test('a 2 s shot is too short for a retake, also through a reframe that does not exist yet', () => {
  expect(shown(retake('duration: 2'))).toBe(
    `film.yaml:13:20: error: input_video (from framed) is 2 s long; V-RT takes at least 3 s
 13 |       input_video: \${{ steps.framed.result_url }}
    |                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

1 error`,
  );
});

test('a retake section past the end is seen before the clip exists', () => {
  expect(shown(retake('duration: 6', 'retake_start_time: 5\n      retake_duration: 2'))).toBe(
    `film.yaml:14:26: error: the section to retake is 5 s to 7 s, but the clip (from framed) is 6 s long; choose a section within it
 14 |       retake_start_time: 5
    |                          ^

1 error`,
  );
  expect(planOf(retake('duration: 7', 'retake_start_time: 5\n      retake_duration: 2')).totals.maybe).toBe(2);
});

test('a length that hangs on the run raises no error', () => {
  expect(
    facts(`
steps:
  say:
    run: [echo, "2"]
  shot:
    model: V-T2V-A
    with: { prompt: "a fox, \${{ steps.say.stdout }}" }
  mended:
    model: V-RT
    with: { input_video: "\${{ steps.shot.result_url }}" }
`),
  ).toMatchObject({ mended: { kind: 'video', duration: 5, width: 1920, height: 1080 } });
});

test('driving audio: format, length, kind and size', () => {
  const film = `
steps:
  shot:
    model: V-T2V-A
    with:
      prompt: a fox
      audio_url: music/theme.ogg
`;
  const theme = (facts: object, bytes: number) => ({
    'music/theme.ogg': { sha256: 'a', url: 'file:///theme.ogg', facts: { kind: 'audio' as const, ...facts }, bytes },
  });
  const said = (files: ReturnType<typeof theme>) => shown(film, { files }).split('\n')[0];
  expect(said(theme({ format: 'ogg', duration: 31 }, 100))).toBe(
    'film.yaml:8:18: error: audio_url is ogg; V-T2V-A takes wav or mp3 there',
  );
  expect(said(theme({ format: 'mp3', duration: 31 }, 100))).toBe(
    'film.yaml:8:18: error: audio_url is 31 s long; V-T2V-A takes at most 30 s',
  );
  expect(said(theme({ format: 'wav', duration: 20 }, 16 * 1024 * 1024))).toBe(
    'film.yaml:8:18: error: audio_url is 16 MB; V-T2V-A takes at most 15 MB there',
  );
  expect(said(theme({ format: 'wav', duration: 20 }, 15 * 1024 * 1024))).toBe(
    'film  1 instance on studio, free: prices are list prices',
  );
});

test('a matrix value out of range is found although the file alone does not tell', () => {
  expect(
    shown(
      `
params:
  longest: { type: integer, default: 15 }
steps:
  shot:
    model: V-T2V-A
    with:
      prompt: a fox
      duration: \${{ params.longest }}
`,
      { params: { longest: '20' } },
    ),
  ).toBe(
    `film.yaml:10:17: error: duration must be at most 15, not 20
 10 |       duration: \${{ params.longest }}
    |                 ^^^^^^^^^^^^^^^^^^^^^

1 error`,
  );
});

test('at run time the real media are held against the same limits', () => {
  const plan = planOf(retake('duration: 6'));
  const mended = plan.instances.get('mended' as InstanceKey)!;
  const lookup = (key: InstanceKey) => media(key, { kind: 'video', duration: key === 'framed' ? 2.5 : 6 });
  const resolved = resolve(plan, mended, lookup, contextOf());
  expect(resolved).toMatchObject({
    is: 'invalid',
    failure: {
      code: 'request_invalid',
      message: 'input_video (from framed) is 2.5 s long; V-RT takes at least 3 s',
    },
  });
});
