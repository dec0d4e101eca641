/** A film that is cut for real: animatics of the studio, titles, a dissolve, the author's own logo; its timeline, and nothing made twice. */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { probe } from '../../src/media/probe.ts';
import { ends, openStage } from './ended.ts';

const FILM = `shotlist: 1
name: fox
steps:
  shot: { matrix: { n: [1, 2] }, model: V-T2V-C, with: { prompt: "a red fox, \${{ matrix.n }}", duration: 4, resolution: 480p } }
  still: { model: I-GEN-A, with: { prompt: a frozen river } }
  film:
    cut:
      clips:
        - { title: The Frozen River, for: 1s }
        - { each: "\${{ steps.shot }}", out: 2s, over: { text: "shot \${{ matrix.n }}", at: bottom } }
        - { from: "\${{ steps.still }}", for: 1s, move: push_in }
        - { from: "\${{ steps.shot[0].last_frame }}", for: voice, voice: { from: "\${{ steps.shot[1].sound }}", level: -6 } }
      join: { dissolve: 0.25s }
      size: 320x180
outputs:
  film: { from: "\${{ steps.film }}", to: out/fox.mp4 }
  line: { from: "\${{ steps.film }}", as: otio, to: out/fox.otio }
  poster: { from: "\${{ steps.film.frame_at('0.5s') }}", to: out/fox.png }
  river: { from: "\${{ steps.still }}", to: out/river.webp }
`;

const stage = openStage();
stage.env = { SHOTLIST_STUDIO_SPEED: 'draft' };
writeFileSync(stage.at('fox.yaml'), FILM);

test('becomes one film, to the frame, with a timeline whose media are where it says', async () => {
  await ends(stage.run('run', 'fox.yaml'), 0);
  // 24 + 2 × 48 + 24 frames and a frame for as long as a sound of 4 s: 6 + 96 + 12; four times 6 are seen twice.
  expect(await probe(stage.at('out/draft/fox.mp4'))).toMatchObject({
    ...{ kind: 'video', format: 'mp4', width: 320, height: 180, fps: 24, duration: 9.75 },
    ...{ video_codec: 'h264', audio_codec: 'aac' },
  });
  const line = stage.at('out/draft/fox.otio');
  const text = readFileSync(line, 'utf8');
  expect(JSON.parse(text)).toMatchObject({ OTIO_SCHEMA: 'Timeline.1', name: 'film' });
  const urls = [...text.matchAll(/"target_url": "([^"]+)"/g)].map(([, url = '']) => decodeURIComponent(url));
  // What no output holds is in a folder beside it; nothing leads into the store.
  expect([...new Set(urls)].map(url => url.replace(/[0-9a-f]{12}/, 'PART')).sort()).toEqual([
    ...['fox.media/PART.png', 'fox.media/PART.wav', 'fox.media/shot-n-1.mp4', 'fox.media/shot-n-2.mp4', 'river.webp'],
  ]);
  for (const url of urls) expect((await probe(resolve(dirname(line), url))).kind).toMatch(/video|image|audio/);
});

test('is not cut again', async () => {
  const before = readFileSync(stage.at('out/draft/fox.mp4'));
  const { stderr } = await ends(stage.run('run', 'fox.yaml'), 0);
  expect(stderr).toContain('4 already here, nothing spent');
  // Each with what it is itself.
  expect(stderr).toMatch(
    /draft\/fox\.mp4 {2}320×180, 9\.8s, .*\n {2}out\/draft\/fox\.otio\n {2}out\/draft\/fox\.png {2}320×180$/m,
  );
  expect(readFileSync(stage.at('out/draft/fox.mp4')).equals(before)).toBe(true);
});
