/** A chain of clips, each going on from the last frame of the one before: what a person gets from the built-in studio, measured in pixels. */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { beforeAll, expect, test } from 'vitest';
import { probe } from '../../src/media/probe.ts';
import { psnr } from '../media/footage.ts';
import { ends, openStage } from './ended.ts';

const stage = openStage();
beforeAll(() => {
  stage.films = 'drawn once';
  stage.env = { SHOTLIST_STUDIO_SPEED: 'draft' };
  stage.write('film.yaml', FILM);
});
const run = (...args: readonly string[]) => stage.run(...args);

const FILM = `shotlist: 1
name: walk
steps:
  hero:
    model: I-GEN-A
    with: { prompt: a red fox in the snow }
  walk:
    matrix: { part: 1..3 }
    model: V-I2V-A
    with:
      prompt: the fox walks on, part \${{ matrix.part }}
      input_image: '\${{ has(previous.file) ? previous.last_frame : steps.hero.result_url }}'
      duration: 5s
  length:
    each: \${{ steps.walk }}
    run: [ wc, -c, "\${{ each.sound }}" ]
outputs:
  film: { from: "\${{ steps.walk }}", to: "out/walk-{part}.mp4" }
  first: { from: "\${{ steps.walk.first_frame }}", to: "out/first-{part}.png" }
  last: { from: "\${{ steps.walk.last_frame }}", to: "out/last-{part}.png" }
  poster: { from: "\${{ steps.walk.frame_at('-1s') }}", to: "out/poster-{part}.png" }
  bed: { from: "\${{ steps.walk.sound }}", to: "out/bed-{part}.wav" }
`;

const out = (name: string) => stage.at('out/draft', name);
const pixels = async (name: string) => new Uint8Array(await sharp(out(name)).removeAlpha().raw().toBuffer());

test('each part begins with the picture that the one before has ended with', async () => {
  await ends(stage.run('run', 'film.yaml', '--ui', 'plain'), 0);
  for (const part of [1, 2]) {
    const [last, next, begun] = await Promise.all(
      [`last-${part}.png`, `first-${part + 1}.png`, `first-${part}.png`].map(pixels),
    );
    // Encoded once more in between; and it is the last one, for it is not the first.
    expect(psnr(last!, next!)).toBeGreaterThan(32);
    expect(psnr(last!, next!) - psnr(last!, begun!)).toBeGreaterThan(6);
  }
  const film = await probe(out('walk-1.mp4'));
  expect(await probe(out('poster-1.png'))).toMatchObject({ kind: 'image', width: film.width, height: film.height });
  expect(await probe(out('bed-1.wav'))).toMatchObject({ kind: 'audio', format: 'wav', duration: film.duration });
});

test('a second run has nothing to take and nothing to ask for, and a deleted output is laid down again', async () => {
  const before = await pixels('last-2.png');
  rmSync(out('last-2.png'));
  const { stderr } = await ends(run('run', 'film.yaml', '--ui', 'plain'), 0);
  expect(stderr).toContain('nothing spent');
  expect(await pixels('last-2.png')).toEqual(before);
});

test('a fresh clone plans the same by the lock alone', async () => {
  const plan = async () => JSON.parse((await run('plan', 'film.yaml', '--json')).stdout);
  const keys = (planned: { instances: { key: string; fingerprint: string }[] }) =>
    planned.instances
      .filter(({ key }) => key.startsWith('walk'))
      .map(({ key, fingerprint }) => `${key} ${fingerprint}`);
  const before = await plan();
  const kept = stage.at('.shotlist/store');
  expect(existsSync(kept)).toBe(true);
  for (const folder of readdirSync(kept)) rmSync(join(kept, folder), { recursive: true, force: true });
  expect(keys(await plan())).toEqual(keys(before));
});
