/** The cache changes no byte: a film and its lock are the same without it, with an empty one, and with one in which everything is. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ends } from './ended.ts';
import { Stage } from './stage.ts';

const FILM = `shotlist: 1
name: fox
steps:
  shot: { model: V-T2V-A, with: { prompt: a red fox in the snow, duration: 2, resolution: 720P, seed: 3 } }
  tall: { model: V-RF, with: { input_video: "\${{ steps.shot.result_url }}", prompt: a forest, aspect_ratio: "9:16", resolution: 540p } }
  still: { model: I-GEN-A, with: { prompt: a frozen river, seed: 3 } }
  relit: { model: I-EDIT-A, with: { input_image: ["\${{ steps.still.result_url }}"], prompt: relight at night, resolution: 0.1 MP } }
  alive: { model: V-I2V-D, with: { input_image: "\${{ steps.relit.result_url }}", prompt: slow push in, duration: 1 } }
outputs:
  tall: { from: "\${{ steps.tall }}", to: out/tall.mp4 }
  alive: { from: "\${{ steps.alive }}", to: out/alive.mp4 }
`;

async function made(env: Readonly<Record<string, string>>) {
  const stage = new Stage();
  onTestFinished(() => stage.dispose());
  stage.env = { SHOTLIST_STUDIO_SPEED: 'draft', ...env };
  stage.write('fox.yaml', FILM);
  await ends(stage.run('run', 'fox.yaml'), 0);
  const digests = ['out/draft/tall.mp4', 'out/draft/alive.mp4'].map(name => {
    const bytes = readFileSync(stage.at(name));
    return createHash('sha256').update(bytes).digest('hex');
  });
  // The studio names each generation anew.
  return { digests, lock: stage.shown(stage.read('fox.lock.yaml')) };
}

test('without a cache, into an empty one and out of it, the film and its lock are the same', async () => {
  const place = new Stage();
  onTestFinished(() => place.dispose());
  const cache = join(place.folder, 'cache');
  const entries = () =>
    readdirSync(cache)
      .filter(name => /^[\da-f]{64}$/.test(name))
      .map(name => [name, statSync(join(cache, name)).ctimeMs]);

  const plain = await made({ SHOTLIST_STUDIO_CACHE: '' });
  const cold = await made({ SHOTLIST_STUDIO_CACHE: cache });
  const kept = entries();
  expect(kept).toHaveLength(5);
  const warm = await made({ SHOTLIST_STUDIO_CACHE: cache });
  expect(cold).toEqual(plain);
  expect(warm).toEqual(plain);
  // Nothing was drawn into it again.
  expect(entries()).toEqual(kept);
});
