import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { remoteServiceOf } from '../../src/cli/service/remote-service.ts';
import { temporaryFolder } from '../support/temp.ts';

const SETTINGS = `service: prod
services:
  prod: { url: "https://films.example/hub", key_env: NOBODY_SET_THIS_KEY }
  near: { url: "http://127.0.0.1:4000" }
`;

/** A film in a project whose settings name these services. */
async function film(settings: string): Promise<string> {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'shotlist.config.yaml'), settings);
  return join(folder, 'film.yaml');
}

test('check knows where a film would go, and needs no key to know it', async () => {
  const file = await film(SETTINGS);
  expect(await remoteServiceOf(file, undefined)).toBe('prod');
  expect(await remoteServiceOf(file, 'studio')).toBe(undefined);
});

test('a service on this machine reads its files', async () => {
  expect(await remoteServiceOf(await film(SETTINGS), 'near')).toBe(undefined);
});
