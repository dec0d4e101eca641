/** Frames and sound of videos in a run: made right before they are used, once, and handed on as content. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { InstanceKey } from '../../src/model/run/key.ts';
import { failureText } from '../../src/show/text/failure-text.ts';
import { failuresWithCode, RunRig, ran, rig, withRig } from './rig.ts';

withRig();

const WALK = `
steps:
  shot: { model: V-T2V-A, with: { prompt: a fox } }
  more: { model: V-I2V-A, with: { prompt: on, input_image: "\${{ steps.shot.last_frame }}" } }
`;

/** The run to its end; the service makes whatever it is asked for. */
async function made(text: string) {
  rig.service.isQuick = true;
  const { film, outcome } = await ran(text);
  return { film, outcome };
}

/** What lies at an address that was sent. */
const contentAt = (address: unknown): string => readFileSync(fileURLToPath(String(address)), 'utf8');

const FRAME = '{"is":"last_frame"} of the film at https://house.test/gen-1.mp4';

describe('a request', () => {
  test('is sent the frame itself, where it lies in the store', async () => {
    const { outcome } = await made(WALK);
    expect(outcome.is).toBe('done');
    const { input_image: image } = rig.service.posts[1]!;
    expect(image).toMatch(/^file:.*\.png$/);
    expect(contentAt(image)).toBe(FRAME);
  });

  test('made before, it is owned: nothing is taken and nothing is asked', async () => {
    await made(WALK);
    const { film } = await made(WALK);
    expect(rig.taken).toEqual(['last_frame']);
    expect(rig.service.posts).toHaveLength(2);
    expect([...film.plan.instances].map(({ decision }) => decision.is)).toEqual(['hit', 'hit']);
  });

  test('a frame that somebody deleted is taken again', async () => {
    await made(WALK);
    rmSync(fileURLToPath(String(rig.service.posts[1]?.input_image)));
    await made(WALK.replace('prompt: on', 'prompt: further on'));
    expect(rig.taken).toEqual(['last_frame', 'last_frame']);
    expect(contentAt(rig.service.posts[2]?.input_image)).toBe(FRAME);
  });

  test('a note of it that is broken counts as none', async () => {
    await made(WALK);
    const notes = join(rig.folder, 'store/derived');
    for (const file of readdirSync(notes, { recursive: true, encoding: 'utf8' }))
      if (file.endsWith('.json')) writeFileSync(join(notes, file), '{"v":1,"sha256":"../../etc');
    await made(WALK.replace('prompt: on', 'prompt: further on'));
    expect(rig.taken).toEqual(['last_frame', 'last_frame']);
  });

  test('nothing is asked for what cannot be taken, and it is said of which video', async () => {
    rig.take = async () => ({ is: 'failed', message: 'it has no pictures' });
    const { film, outcome } = await made(WALK);
    expect(failuresWithCode(film)).toEqual([
      'more: request_invalid: last_frame of shot cannot be taken: it has no pictures',
    ]);
    expect(rig.service.posts).toHaveLength(1);
    expect(outcome.is).toBe('failed');
  });

  test('a machine that cannot take it is told as that, and no step is to be mended for it', async () => {
    rig.take = async () => ({
      is: 'failed',
      message: 'the process that reads it was ended by SIGKILL, twice',
      here: true,
    });
    const { film } = await made(WALK);
    const { failure } = film.events.find(event => event.type === 'failed')!;
    const context = { pipeline: 'film.yaml', command: 'shotlist run film.yaml', service: 'house', price: 0, paid: 0 };
    expect(failureText(failure, 'more' as InstanceKey, context)).toEqual({
      what: 'it failed on this machine: last_frame of shot cannot be taken: the process that reads it was ended by SIGKILL, twice',
      cost: 'it cost nothing',
      first: null,
      command: 'shotlist run film.yaml',
    });
  });

  test('in a fresh clone its video is fetched first, and then the frame is taken of it', async () => {
    await made(WALK);
    const lock = rig.lockText;
    const { service } = rig;
    const clone = new RunRig();
    try {
      for (const [id, record] of service.records) clone.service.records.set(id, record);
      clone.lockText = lock;
      clone.service.isQuick = true;
      const again = await clone.start(WALK.replace('prompt: on', 'prompt: further on'));
      expect([...again.plan.instances].map(({ decision }) => decision.is)).toEqual(['fetch', 'run']);
      expect(clone.taken).toEqual([]);
      await clone.runToEnd(again);
      expect(clone.taken).toEqual(['last_frame']);
      expect(contentAt(clone.service.posts[0]?.input_image)).toBe(FRAME);
    } finally {
      await clone.dispose();
    }
  });
});

describe('a command', () => {
  const CUT = `
steps:
  shot: { model: V-T2V-A, with: { prompt: a fox } }
  cut:
    run: [ sh, -c, 'cat "$1" "$poster"; echo; cat "$clip"', sh, "\${{ steps.shot.last_frame }}" ]
    env: { poster: "\${{ steps.shot.first_frame }}" }
    files: { clip: "\${{ steps.shot.sound }}" }
`;
  test('reads them at real paths: as arguments, in its environment, as files', async () => {
    const { film, outcome } = await made(CUT);
    expect(failuresWithCode(film)).toEqual([]);
    expect(outcome.is).toBe('done');
    const succeeded = film.events.find(event => event.type === 'succeeded' && event.key === 'cut');
    const result = succeeded?.type === 'succeeded' && succeeded.result.is === 'command' ? succeeded.result.stdout : '';
    const of = 'of the film at https://house.test/gen-1.mp4';
    expect(result.trim()).toBe(`{"is":"last_frame"} ${of}{"is":"first_frame"} ${of}\n{"is":"sound"} ${of}`);
    expect(rig.taken.toSorted()).toEqual(['first_frame', 'last_frame', 'sound']);
    expect((await made(CUT)).film.plan.totals.hit).toBe(2);
  });

  test('does not begin where one cannot be taken', async () => {
    rig.take = async () => ({ is: 'failed', message: 'it has no sound' });
    const { film } = await made(CUT);
    expect(failuresWithCode(film)).toEqual([
      expect.stringMatching(/^cut: command_failed: \w+ of shot cannot be taken: it has no sound$/),
    ]);
    expect(film.events.some(({ type }) => type === 'command_started')).toBe(false);
  });
});

describe('a run that is cut off', () => {
  test('is killed half way: the next one takes the frame, and pays for nothing twice', async () => {
    const { take } = rig;
    const begun = Promise.withResolvers<void>();
    rig.take = (_path, _what, out) => {
      writeFileSync(out, 'half a frame');
      begun.resolve();
      return new Promise(() => {});
    };
    rig.service.isQuick = true;
    const film = await rig.start(WALK);
    void rig.runToEnd(film).catch(() => 'killed');
    await begun.promise;
    await rig.kill();
    rig.take = take;
    const again = await made(WALK);
    expect(again.outcome.is).toBe('done');
    expect(rig.service.posts).toHaveLength(2);
    expect(contentAt(rig.service.posts[1]?.input_image)).toBe(FRAME);
  });

  test('is interrupted: what is being taken is let go of, and nothing is sent', async () => {
    const begun = Promise.withResolvers<void>();
    rig.take = (_path, _what, _out, signal) =>
      new Promise(resolve => {
        begun.resolve();
        signal.addEventListener('abort', () => resolve({ is: 'stopped' }));
      });
    rig.service.isQuick = true;
    const film = await rig.start(WALK);
    const over = rig.runToEnd(film);
    await begun.promise;
    film.run.detach();
    await over;
    expect(rig.service.posts).toHaveLength(1);
    expect(failuresWithCode(film)).toEqual([]);
  });
});

describe('an output', () => {
  const POSTER = `
steps:
  shot: { model: V-T2V-A, with: { prompt: a fox } }
outputs:
  poster: { from: "\${{ steps.shot.frame_at('2.5s') }}", to: out/poster.png }
  bed: { from: "\${{ steps.shot.sound }}", to: out/bed }
`;
  const out = (name: string) => join(rig.folder, 'out', name);

  test('may be a frame or the sound of a video', async () => {
    await made(POSTER);
    expect(readFileSync(out('poster.png'), 'utf8')).toBe(
      '{"is":"frame_at","at":2.5} of the film at https://house.test/gen-1.mp4',
    );
    expect(readFileSync(out('bed.wav'), 'utf8')).toContain('{"is":"sound"} of');
  });

  test('that cannot be taken is told, and the others are there', async () => {
    const { take } = rig;
    rig.take = async (path, what, ...rest) =>
      what.is === 'sound' ? { is: 'failed', message: 'it has no sound' } : take(path, what, ...rest);
    const { film } = await made(POSTER);
    expect(existsSync(out('poster.png'))).toBe(true);
    expect(film.events.flatMap(event => (event.type === 'output_failed' ? [event.reason] : []))).toEqual([
      'sound of shot cannot be taken: it has no sound, then run again: nothing is paid for twice',
    ]);
  });
});
