/** A cut in a run: made of what is there when it is there, known by its content, and never half a film. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { DiskError } from '../../src/machine/files/disk-error.ts';
import type { Cut } from '../../src/model/media/cut.ts';
import type { InstanceKey } from '../../src/model/run/key.ts';
import { failuresWithCode, quickCut, ran, rig, type StartedRun, withQuickRig } from './rig.ts';

const key = (name: string) => name as InstanceKey;

withQuickRig(() => {
  rig.facts = { kind: 'video', format: 'mp4', width: 1280, height: 720, duration: 5, fps: 24, audio_codec: null };
  const sound = { kind: 'audio', format: 'wav', duration: 3, audio_codec: 'pcm' } as const;
  rig.factsOf = path => (path.endsWith('.wav') ? sound : undefined);
});

const FILM = `
steps:
  shot:
    matrix: { n: [1, 2, 3] }
    model: V-T2V-A
    with: { prompt: "a fox, \${{ matrix.n }}", duration: 5 }
  film:
    cut:
      clips:
        - { title: The Frozen River, for: 2s }
        - { each: "\${{ steps.shot }}", out: 4s, over: { text: "\${{ matrix.n }}" } }
      join: { dissolve: 0.5s }
outputs:
  film: { from: "\${{ steps.film }}", to: out/fox.mp4 }
`;

const types = ({ events }: StartedRun, of: string) =>
  events.filter(event => 'key' in event && event.key === of).map(({ type }) => type);
/** What was rendered, cut by cut. */
const cuts: Cut[] = [];
beforeEach(() => {
  cuts.length = 0;
  rig.renderCut = order => {
    cuts.push(order.cut);
    return quickCut(order);
  };
});

describe('a cut', () => {
  test('has no voice where its row says that there is none', async () => {
    const { outcome } = await ran(`steps:
  shot: { matrix: { n: [1, 2] }, model: V-T2V-A, with: { prompt: "a fox, \${{ matrix.n }}", duration: 5 } }
  voice: { matrix: { n: [1, 2] }, if: "\${{ matrix.n == 1 }}", run: "echo hm > line.wav", creates: { line: line.wav } }
  film:
    cut:
      clips:
        - each: { shot: "\${{ steps.shot }}", voice: "\${{ steps.voice }}" }
          from: "\${{ each.shot.result_url }}"
          voice: "\${{ each.voice.files.line }}"
`);
    expect(outcome).toMatchObject({ is: 'done', counts: { succeeded: 4, skipped: 1 } });
    expect(cuts[0]?.sounds.map(({ role, at }) => [role, at])).toEqual([['voice', 0]]);
  });

  test('is made when the last of its clips is there, told while it is made, and placed', async () => {
    const { film, outcome } = await ran(FILM);
    expect(failuresWithCode(film)).toEqual([]);
    expect(outcome.is).toBe('done');
    expect(types(film, 'film')).toEqual(['command_started', 'progress', 'progress', 'succeeded', 'output_written']);
    expect(cuts).toHaveLength(1);
    const [cut] = cuts;
    expect(cut).toMatchObject({ size: { width: 1280, height: 720 }, rate: { frames: 24, seconds: 1 }, frames: 300 });
    expect(cut?.shots.map(({ name, at, frames, dissolve }) => [name, at, frames, dissolve])).toEqual([
      ['title', 0, 48, 0],
      ['shot[n=1]', 36, 96, 12],
      ['shot[n=2]', 120, 96, 12],
      ['shot[n=3]', 204, 96, 12],
    ]);
    expect(cut?.overlays).toMatchObject([
      { text: '1', at: 36, frames: 96 },
      { text: '2', at: 120 },
      { text: '3', at: 204 },
    ]);
    const result = outcome.results.get(key('film'))?.result;
    expect(result).toMatchObject({ is: 'media', generation_id: null, cost: 0, extension: '.mp4' });
    expect(readFileSync(join(rig.folder, 'out/fox.mp4'), 'utf8')).toContain('shot[n=1]');
  });

  test('is owned the next time, in a clone with the lock and the store, and where it is called or said otherwise', async () => {
    await ran(FILM);
    expect((await ran(FILM)).outcome.counts).toMatchObject({ reused: 4 });
    const said = FILM.replace('film:\n    cut', 'spot:\n    cut')
      .replace('steps.film', 'steps.spot')
      .replace('out: 4s', 'out: 4000ms, in: 0s, speed: 1')
      .replace('for: 2s', 'for: 2');
    const again = await ran(said);
    expect(again.outcome.counts).toMatchObject({ reused: 4, succeeded: 0 });
    expect(cuts).toHaveLength(1);
    expect(rig.lockText).toContain('model: cut');
    expect(rig.lockText).toContain('generation: null');
  });

  test('is cut again where its bytes are gone, and nothing of it is paid for', async () => {
    const first = await ran(FILM);
    const made = first.outcome.results.get(key('film'))?.result;
    if (made?.is !== 'media') throw new Error('no film');
    const store = join(rig.folder, 'store');
    for (const path of readdirSync(store, { recursive: true, encoding: 'utf8' }))
      if (path.includes(made.sha256.slice(4))) rmSync(join(store, path));
    const { outcome } = await ran(FILM);
    expect(outcome.counts).toMatchObject({ reused: 3, succeeded: 1 });
    expect(outcome.results.get(key('film'))?.result).toMatchObject({ sha256: made.sha256 });
    expect(rig.service.posts).toHaveLength(3);
  });

  test('for each ratio takes the clips of its ratio', async () => {
    const text = `
steps:
  shot: { matrix: { n: [1, 2] }, model: V-T2V-A, with: { prompt: "a fox \${{ matrix.n }}" } }
  framed:
    each: \${{ steps.shot }}
    matrix: { ratio: [16:9, 9:16] }
    model: V-RF
    with: { input_video: "\${{ each.result_url }}", prompt: wide, aspect_ratio: "\${{ matrix.ratio }}" }
  film:
    matrix: { ratio: [16:9, 9:16] }
    cut: { clips: [ "\${{ steps.framed }}" ] }
`;
    const { film, outcome } = await ran(text);
    expect(failuresWithCode(film)).toEqual([]);
    expect(outcome.is).toBe('done');
    expect(cuts.map(({ shots }) => shots.map(({ name }) => name)).toSorted()).toEqual([
      ['framed[n=1,ratio=16:9]', 'framed[n=2,ratio=16:9]'],
      ['framed[n=1,ratio=9:16]', 'framed[n=2,ratio=9:16]'],
    ]);
    const planned = film.plan.instances.get(key('film[ratio=9:16]'));
    expect(planned?.needs).toEqual(['framed[n=1,ratio=9:16]', 'framed[n=2,ratio=9:16]']);
  });
});

const SPOKEN = `
steps:
  shot: { matrix: { n: [1, 2] }, model: V-T2V-A, with: { prompt: "a fox \${{ matrix.n }}" } }
  voice:
    each: \${{ steps.shot }}
    run: [ sh, -c, 'echo "$0" > line.wav', "\${{ matrix.n }}" ]
    creates: { line: line.wav }
  words: { run: [ echo, '{"segments":[{"start":0.5,"end":2,"text":"a fox"}]}' ] }
  film:
    cut:
      clips:
        - each: { shot: "\${{ steps.shot }}", voice: "\${{ steps.voice }}" }
          from: \${{ each.shot }}
          out: 2s
          voice: \${{ each.voice.files.line }}
          subtitles: \${{ steps.words.json }}
        - \${{ steps.shot[0] }}
`;

test('a voice is heard to its end: the last picture waits for it, with a breath behind', async () => {
  const { film } = await ran(SPOKEN);
  expect(failuresWithCode(film)).toEqual([]);
  const [cut] = cuts;
  expect(cut?.shots.map(({ name, at, frames }) => [name, at, frames])).toEqual([
    ['shot[n=1]', 0, 84],
    ['shot[n=2]', 84, 84],
    ['shot', 168, 120],
  ]);
  expect(cut?.shots[0]?.picture).toMatchObject({ is: 'video', in: 0, out: 2 });
  expect(cut?.sounds.map(({ role, at, frames }) => [role, at, frames])).toEqual([
    ['voice', 0, 72],
    ['voice', 84, 72],
  ]);
  expect(cut?.captions?.cues).toEqual([
    { start: 0.5, end: 2, text: 'a fox' },
    { start: 4, end: 5.5, text: 'a fox' },
  ]);
});

test('words may be a list alone; where a command printed none, the film is not made without a word', async () => {
  const list = SPOKEN.replace(
    '{"segments":[{"start":0.5,"end":2,"text":"a fox"}]}',
    '[{"start":0.5,"end":2,"text":"a fox"}]',
  );
  await ran(list);
  expect(cuts[0]?.captions?.cues[0]).toEqual({ start: 0.5, end: 2, text: 'a fox' });
  const { film } = await ran(SPOKEN.replace(/'\{"segments.*\}'/, 'nothing was heard'));
  expect(failuresWithCode(film)).toEqual([expect.stringContaining('there are no words with times in it')]);
});

describe('what may become of a cut', () => {
  test('a clip that failed blocks it, and the next run makes both', async () => {
    rig.service.isQuick = false;
    const film = await rig.start(FILM);
    await rig.service.arrived(3);
    rig.service.finish('gen-1');
    rig.service.finish('gen-2');
    rig.service.fail('gen-3', 'out of memory');
    const outcome = await rig.runToEnd(film);
    expect(outcome).toMatchObject({ is: 'failed', counts: { failed: 1, blocked: 1, succeeded: 2 } });
    expect(cuts).toEqual([]);
    rig.service.isQuick = true;
    expect((await ran(FILM)).outcome.is).toBe('done');
    expect(cuts).toHaveLength(1);
  });

  test('what does not fit once its clips are there is told before anything is rendered', async () => {
    // The model promised five seconds, and gave three.
    rig.facts = { ...rig.facts, duration: 3 };
    const { film, outcome } = await ran(FILM);
    expect(outcome.is).toBe('failed');
    expect(failuresWithCode(film)[0]).toContain(
      'film: request_invalid: clip 2 (shot[n=1]): `out` is 4 s, and the clip ends at 3 s; give at most that',
    );
    expect(cuts).toEqual([]);
  });

  test('a renderer that cannot go on says why, and nothing of the film is left', async () => {
    rig.renderCut = async ({ to }) => {
      writeFileSync(to, 'half a film');
      return {
        is: 'failed',
        message: 'shot[n=2]: it is broken after 2.1 s; make it again, or leave it out of the cut',
      };
    };
    const { film, outcome } = await ran(FILM);
    expect(outcome.is).toBe('failed');
    expect(failuresWithCode(film)).toEqual([
      'film: cut_failed: shot[n=2]: it is broken after 2.1 s; make it again, or leave it out of the cut',
    ]);
    expect(filesIn('work/commands')).toEqual([]);
  });

  test('a full disk fails it with what to do, and the next run cuts it', async () => {
    rig.renderCut = async () => {
      throw new DiskError('ENOSPC', 'the disk is full: make room, then run again', undefined);
    };
    const { film, outcome } = await ran(FILM);
    expect(outcome.is).toBe('failed');
    expect(failuresWithCode(film)[0]).toContain('film: cut_failed: the disk is full: make room, then run again');
    rig.renderCut = quickCut;
    expect((await ran(FILM)).outcome).toMatchObject({ is: 'done', counts: { reused: 3, succeeded: 1 } });
  });

  test('killed while it renders, the next run begins it again: no half film is ever kept', async () => {
    const begun = Promise.withResolvers<void>();
    rig.renderCut = async ({ to }) => {
      writeFileSync(to, 'half a film');
      begun.resolve();
      return new Promise(() => {});
    };
    const film = await rig.start(FILM);
    film.done.catch(() => {});
    void rig.runToEnd(film).catch(() => {});
    await begun.promise;
    await rig.kill();
    rig.renderCut = quickCut;
    const { outcome } = await ran(FILM);
    expect(outcome).toMatchObject({ is: 'done', counts: { reused: 3, succeeded: 1 } });
    expect(readFileSync(join(rig.folder, 'out/fox.mp4'), 'utf8')).not.toContain('half');
    expect(filesIn('work/commands')).toEqual([]);
  });

  test('interrupted while it renders, it stops, and counts as not brought to an end', async () => {
    rig.renderCut = ({ signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
        film.run.detach();
      });
    const film = await rig.start(FILM);
    const outcome = await rig.runToEnd(film);
    expect(outcome).toMatchObject({ is: 'interrupted', counts: { unfinished: 1, succeeded: 3 } });
    expect(failuresWithCode(film)).toEqual([]);
  });

  test('a time limit ends it with words of its own', async () => {
    rig.renderCut = ({ signal }) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    const { film } = await ran(FILM.replace('    cut:\n      clips', '    timeout: 90s\n    cut:\n      clips'));
    expect(failuresWithCode(film)).toEqual([
      'film: timed_out: not rendered after 90000 ms; give it a longer `timeout`',
    ]);
  });

  test('a clip whose bytes went meanwhile is named', async () => {
    await ran(FILM);
    const store = join(rig.folder, 'store');
    const film = await rig.start(FILM.replace('out: 4s', 'out: 2s'));
    rmSync(store, { recursive: true, force: true });
    await rig.runToEnd(film);
    expect(failuresWithCode(film)).toEqual([
      expect.stringMatching(
        /^film: cut_failed: the file of shot\[n=1\] is not on this machine any more \(sha256 [\da-f]{12}…\); run again/,
      ),
    ]);
  });
});

const filesIn = (folder: string): readonly string[] =>
  readdirSync(join(rig.folder, folder), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(({ name }) => name);

describe("the author's own files in a cut", () => {
  const LOCAL = `
steps:
  film: { cut: { clips: [ media/intro.mp4, { title: Ende, for: 1s } ], music: media/bed.wav } }
`;
  beforeEach(() => {
    const own = (name: string, sha256: string, facts: object) => {
      const path = join(rig.folder, name);
      writeFileSync(path, name);
      return { sha256, url: `file://${path}`, bytes: 4, facts } as never;
    };
    rig.files = {
      'media/intro.mp4': own('intro.mp4', 'a'.repeat(64), rig.facts),
      'media/bed.wav': own('bed.wav', 'b'.repeat(64), { kind: 'audio', duration: 60 }),
    };
  });

  test('are read where they lie, and count by their content', async () => {
    const { film, outcome } = await ran(LOCAL);
    expect(failuresWithCode(film)).toEqual([]);
    expect(outcome.is).toBe('done');
    const [cut] = cuts;
    expect(JSON.stringify(cut)).not.toContain(rig.folder);
    expect(cut?.sounds).toMatchObject([{ role: 'music', at: 0, frames: 144 }]);
    rig.files = { 'media/intro.mp4': rig.files['media/intro.mp4']!, 'media/b.wav': rig.files['media/bed.wav']! };
    expect((await ran(LOCAL.replace('bed.wav', 'b.wav'))).outcome.counts).toMatchObject({ reused: 1 });
  });

  test('that have changed since the plan are not cut', async () => {
    rig.authorFiles = {
      load: async () => false,
      changed: async path => (path.endsWith('bed.wav') ? 'has changed' : undefined),
    };
    const { film } = await ran(LOCAL);
    expect(failuresWithCode(film)).toEqual([
      'film: input_changed: "media/bed.wav" has changed since this run was planned',
    ]);
    expect(cuts).toEqual([]);
  });
});

describe('a clip with an address', () => {
  const AT = `
steps:
  film: { cut: { clips: [ { from: "https://house.test/intro.mp4", out: 9s }, { title: Ende, for: 1s } ] } }
`;

  test('is fetched first, and measured then', async () => {
    const { film, outcome } = await ran(AT.replace(', out: 9s', ', out: 4s'));
    expect(failuresWithCode(film)).toEqual([]);
    expect(outcome.is).toBe('done');
    expect(cuts[0]?.shots.map(({ frames }) => frames)).toEqual([96, 24]);
    expect((await ran(AT.replace(', out: 9s', ', out: 4s'))).outcome.counts).toMatchObject({ reused: 1 });
  });

  test('that does not fit fails before anything is rendered', async () => {
    const { film } = await ran(AT);
    expect(failuresWithCode(film)[0]).toContain('cut_failed: clip 1: `out` is 9 s, and the clip ends at 5 s');
    expect(cuts).toEqual([]);
  });

  test('that cannot be fetched says so', async () => {
    rig.fetches.push({ is: 'failed', message: 'the server answered 503' });
    const { film } = await ran(AT);
    expect(failuresWithCode(film)).toEqual([
      'film: cut_failed: `from` of clip 1 could not be fetched from https://house.test/intro.mp4: the server answered 503',
    ]);
  });
});

describe('frames and sound of a video in a cut', () => {
  const STILL = FILM.replace(
    '      join: { dissolve: 0.5s }',
    '        - { from: "${{ steps.last.last_frame }}", for: 2s }\n      music: { from: "${{ steps.last.sound }}" }',
  ).replace('  film:\n    cut', '  last: { model: V-T2V-A, with: { prompt: the end } }\n  film:\n    cut');
  beforeEach(() => {
    rig.facts = { ...rig.facts, audio_codec: 'aac' };
  });

  test('are taken before it is rendered, by content; the next run has the film', async () => {
    const { film, outcome } = await ran(STILL);
    expect(failuresWithCode(film)).toEqual([]);
    expect(outcome.is).toBe('done');
    expect(rig.taken.toSorted()).toEqual(['last_frame', 'sound']);
    const [cut] = cuts;
    const picture = cut?.shots.at(-1)?.picture;
    expect(picture).toMatchObject({ source: { facts: { kind: 'image', format: 'png' } } });
    expect(cut?.sounds.some(({ source }) => source.facts.kind === 'audio')).toBe(true);
    expect((await ran(STILL)).film.plan.totals).toMatchObject({ run: 0, maybe: 0 });
    expect(cuts).toHaveLength(1);
  });

  test('that cannot be had fail it in words', async () => {
    rig.take = async () => ({ is: 'failed', message: 'it has no pictures' });
    const { film } = await ran(STILL);
    expect(failuresWithCode(film)).toEqual([
      expect.stringMatching(/^film: cut_failed: \w+ of \S+.* cannot be taken: it has no/),
    ]);
  });
});
