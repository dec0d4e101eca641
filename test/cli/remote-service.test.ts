import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { remoteServiceOf } from '../../src/cli/service/settings-of.ts';
import { temporaryFolder } from '../support/temp.ts';

const SETTINGS = `service: prod
services:
  prod: { url: "https://films.example/hub", key_env: NOBODY_SET_THIS_KEY }
  near: { url: "http://127.0.0.1:4000" }
`;

afterEach(() => void vi.unstubAllEnvs());

/** A film in a project whose settings name these services. */
async function film(settings: string): Promise<string> {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'shotlist.config.yaml'), settings);
  return join(folder, 'film.yaml');
}

test('check knows where a film would go, and needs no key to know it', async () => {
  const file = await film(SETTINGS);
  expect(await remoteServiceOf(file, undefined)).toEqual({ name: 'prod', inputs: 'stay here' });
  expect(await remoteServiceOf(file, 'studio')).toBe(undefined);
});

test('a service on this machine reads its files', async () => {
  expect(await remoteServiceOf(await film(SETTINGS), 'near')).toBe(undefined);
});

test('a tunnel to a service on another machine does not, and its inputs are published where that is set up', async () => {
  const tunnel = SETTINGS.replace('4000" }', '4000", remote: true }');
  expect(await remoteServiceOf(await film(tunnel), 'near')).toEqual({ name: 'near', inputs: 'stay here' });
  const published = `${tunnel}publish: { s3: { bucket: films } }\n`;
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'films');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'hush');
  expect(await remoteServiceOf(await film(published), 'near')).toEqual({ name: 'near', inputs: 'are published' });
});

test('where files are published and there is no key, it says what to set', async () => {
  const settings = `${SETTINGS.replace('4000" }', '4000", remote: true }')}publish: { s3: { bucket: films, key_env: A, key_id_env: B } }\n`;
  expect(await remoteServiceOf(await film(settings), 'near')).toMatchObject({
    withoutKey: {
      where: 'publish.s3 in shotlist.config.yaml',
      why: "the bucket's key is taken from B and A, which are not set; set them",
    },
  });
});
