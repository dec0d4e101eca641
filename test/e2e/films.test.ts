/** What a new user does: an empty HOME, no account, no key, one command. The films are what the file asked for. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { probe } from '../../src/media/probe.ts';
import { Stage } from './stage.ts';

const film = (width: number, height: number, duration: number) => ({
  kind: 'video',
  format: 'mp4',
  width,
  height,
  duration: expect.closeTo(duration, 1),
  fps: 24,
  video_codec: 'h264',
  audio_codec: 'aac',
});

/** One of them in full, the other as `--draft` draws it. */
const FILMS: Readonly<Record<string, Readonly<Record<string, ReturnType<typeof film>>>>> = {
  teaser: { 'teaser-wide.mp4': film(1280, 720, 6), 'teaser.mp4': film(1080, 1920, 6) },
  journey: Object.fromEntries(
    ['forest-1', 'forest-2', 'river-1', 'river-2'].map(take => [`journey-${take}.mp4`, film(242, 136, 5)]),
  ),
  places: Object.fromEntries(
    ['frozen-river', 'snowy-forest'].map(place => [`places-the-${place}.mp4`, film(270, 480, 5)]),
  ),
  portrait: { 'portrait-16x9.mp4': film(480, 270, 5), 'portrait-9x16.mp4': film(270, 480, 5) },
};
const DRAFTS: readonly string[] = ['portrait', 'journey', 'places'];

describe.each(Object.keys(FILMS))('pipelines/%s.yaml', name => {
  let stage: Stage;
  beforeAll(() => {
    stage = new Stage();
    if (DRAFTS.includes(name)) stage.env = { SHOTLIST_STUDIO_SPEED: 'draft' };
  });
  afterAll(() => stage.dispose());

  test('becomes films of the documented size, length, codec and sound', { timeout: 600_000 }, async () => {
    const { exit, stderr } = await stage.run('run', `pipelines/${name}.yaml`);
    expect(exit, stderr).toBe(0);
    const made = Object.fromEntries(
      await Promise.all(
        readdirSync(join(stage.project, 'out')).map(async file => [
          file,
          await probe(join(stage.project, 'out', file)),
        ]),
      ),
    );
    expect(made).toEqual(FILMS[name]);
  });

  test('a second run spends nothing and says so', async () => {
    const { exit, stderr, stdout } = await stage.run('run', `pipelines/${name}.yaml`);
    expect(exit, stderr).toBe(0);
    expect(stderr).toContain('nothing spent');
    expect(stdout.trim().split('\n').sort()).toEqual(
      Object.keys(FILMS[name] ?? {})
        .map(file => `out/${file}`)
        .sort(),
    );
  });

  test('the lock file says what every instance gave', () => {
    const lock = readFileSync(join(stage.project, 'pipelines', `${name}.lock.yaml`), 'utf8');
    expect(lock.match(/^ {4}\S.*:$/gm)).toMatchSnapshot();
    expect(lock).not.toMatch(/http|\/home|\/tmp/);
  });
});
