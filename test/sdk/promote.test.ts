/** What was picked in one profile, made in another, by a program; and files of this machine for a service on another. */
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, onTestFinished, test } from 'vitest';
import { definePipeline, plan, run, SettingError, type StepDefinition, serveStudio } from '../../src/sdk/index.ts';
import { temporaryFolder } from '../support/temp.ts';

const environment = { PATH: process.env.PATH, HOME: process.env.HOME };
/** The rule takes the second; each says whether it was made. */
const film = (best: StepDefinition) =>
  definePipeline({
    shotlist: 1,
    name: 'spot',
    params: { look: { type: 'string', default: 'fine' } },
    profiles: { draft: { params: { look: 'rough' } } },
    steps: {
      shot: {
        matrix: { seed: [1, 2, 3] },
        run: 'echo "$LOOK $SEED" >> "$SHOTLIST_PROJECT/made"; echo "$SEED"',
        env: { LOOK: '${{ params.look }}', SEED: '${{ string(matrix.seed) }}' },
      },
      best,
      told: { run: ['echo', '${{ steps.best.stdout }}'] },
    },
  });
const RULED = film({ pick: '${{ steps.shot }}', rule: '${{ candidate.matrix.seed == 2 ? 1 : 0 }}' });

test('what was picked in a draft is made in the real film, and nothing of what lost', async () => {
  const folder = await temporaryFolder();
  const made = () => readFileSync(join(folder, 'made'), 'utf8').split('\n').filter(Boolean).sort();
  expect((await run(RULED, { folder, environment, profile: 'draft' }).outcome).is).toBe('done');
  expect(made()).toEqual(['rough 1', 'rough 2', 'rough 3']);
  const planned = await plan(RULED, { folder, environment, promote: 'draft' });
  expect(planned).toMatchObject({ is: 'planned', text: expect.stringContaining('shot[seed=2] was picked in draft') });
  const final = await run(RULED, { folder, environment, promote: 'draft' }).outcome;
  expect(final.is).toBe('done');
  expect(made()).toEqual(['fine 2', 'rough 1', 'rough 2', 'rough 3']);
  // From then on it is a choice like any other.
  expect((await run(RULED, { folder, environment }).outcome).is).toBe('done');
  expect(made()).toHaveLength(4);
});

test('what cannot be promoted is a value: nobody has picked, or it is the same profile, or there is none', async () => {
  const folder = await temporaryFolder();
  const open = film({ pick: '${{ steps.shot }}' });
  expect((await run(open, { folder, environment, profile: 'draft' }).outcome).is).toBe('waiting');
  const told = async (options: object) => {
    const outcome = await run(open, { folder, environment, ...options }).outcome;
    const planned = await plan(open, { folder, environment, ...options });
    const mistakes = (one: typeof outcome | typeof planned) =>
      one.is === 'mistaken' ? one.mistakes.map(({ message }) => message) : [one.is];
    expect(mistakes(planned)).toEqual(mistakes(outcome));
    return mistakes(outcome);
  };
  expect(await told({ promote: 'draft' })).toEqual([
    'in draft it is not decided yet: best; and takes that were not picked are not made',
  ]);
  expect(await told({ promote: 'final' })).toEqual([
    'what is picked in final is made there already: name two profiles',
  ]);
  expect(await told({ promote: 'draf' })).toEqual([expect.stringContaining('draft')]);
});

test('how files are published is checked as in the settings', async () => {
  const folder = await temporaryFolder();
  const service = { baseUrl: 'https://house.test', key: 'k' };
  const wrong = { ...service, publish: { s3: { bucket: 'no bucket', expires: '1s' } } };
  await expect(plan(RULED, { folder, service: wrong })).rejects.toThrow(SettingError);
  await expect(plan(RULED, { folder, service: wrong })).rejects.toThrow(
    /bucket of publish\.s3 in the options is `no bucket`.*expires of publish\.s3 in the options/,
  );
});

test('what would be published is told by the plan: how many files, how large, and where to', async () => {
  const folder = await temporaryFolder();
  const studio = await serveStudio({ folder: join(folder, 'studio'), key: 'k', speed: 'draft' });
  onTestFinished(() => studio.close());
  const photo = await sharp({ create: { width: 640, height: 360, channels: 3, background: 'orange' } })
    .png()
    .toBuffer();
  await writeFile(join(folder, 'fox.png'), photo);
  const film = definePipeline({
    shotlist: 1,
    name: 'spot',
    steps: { shot: { model: 'V-I2V-A', with: { prompt: 'a fox', input_image: 'fox.png', duration: '5s' } } },
  });
  const command = ['./publish.sh'] as const;
  const service = { name: 'near', baseUrl: studio.url, key: 'k', remote: true, publish: { command } } as const;
  expect(await plan(film, { folder, environment, service })).toMatchObject({
    is: 'planned',
    plan: { published: { to: './publish.sh', files: 1, bytes: photo.length, unmeasured: 0 } },
    text: expect.stringMatching(/^published +1 file \([\d.]+ k?B\) to \.\/publish\.sh/m),
  });
  const { publish: _, ...alone } = service;
  const unpublished = await plan(film, { folder, environment, service: alone });
  expect(unpublished.is === 'mistaken' && unpublished.mistakes[0]?.message).toContain('publish');
});
