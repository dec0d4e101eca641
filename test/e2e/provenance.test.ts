/** A run that is handed on: its crate, its sidecars, its signed films; and its steps as a picture. */
import { chmodSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { instance } from '@viz-js/viz';
import { beforeAll, expect, test } from 'vitest';
import { crateMistakes } from '../support/crate-rules.ts';
import { crateFindings } from '../support/crate-validator.ts';
import { ends, openStage } from './ended.ts';

const FILM = `shotlist: 1
name: spot
steps:
  shot:
    model: I-GEN-A
    matrix: { beat: [1, 2] }
    with: { prompt: "a fox, \${{ matrix.beat }}" }
  film:
    cut: { clips: [{ each: "\${{ steps.shot }}", for: 0.5s }], size: 128x72 }
    save: out/film.mp4
`;

const stage = openStage();
beforeAll(async () => {
  stage.env = { SHOTLIST_STUDIO_SPEED: 'draft' };
  stage.write('spot.yaml', FILM);
  stage.write('shotlist.config.yaml', 'provenance: { sidecars: true, c2pa: [./sign.sh] }\n');
  stage.write('sign.sh', '#!/bin/sh\ngrep -q \'"componentOf"\' "$2" && cp "$1" "$3" && echo signed >> "$3"\n');
  chmodSync(stage.at('sign.sh'), 0o755);
  await ends(stage.run('run', 'spot.yaml'), 0);
});

const filesIn = (folder: string): readonly string[] =>
  readdirSync(stage.at(folder), { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name).slice(stage.at(folder).length + 1))
    .sort();

test('a sidecar stands beside the film, and says what it was made from', () => {
  const sidecar = JSON.parse(stage.read('out/draft/film.mp4.provenance.json'));
  expect(sidecar).toMatchObject({
    shotlist_provenance: 1,
    path: 'out/draft/film.mp4',
    media_type: 'video/mp4',
    made: { key: 'film' },
  });
  expect(sidecar.from.map((one: { key: string; prompt: string }) => [one.key, one.prompt])).toEqual([
    ['shot[beat=1]', 'a fox, 1'],
    ['shot[beat=2]', 'a fox, 2'],
  ]);
});

test('somebody else’s file in its place is left, and told', async () => {
  stage.write('out/draft/film.mp4.provenance.json', '{"mine": true}\n');
  const { stderr } = await ends(stage.run('run', 'spot.yaml'), 0);
  expect(stderr).toContain('out/draft/film.mp4.provenance.json is not a file of shotlist');
  expect(stage.read('out/draft/film.mp4.provenance.json')).toBe('{"mine": true}\n');
});

test('a crate holds the pipeline, the lock, the film and where it comes from, signed, and keeps every rule of its profiles', async () => {
  const { exit, stdout, stderr } = await stage.run(
    'provenance spot.yaml --out handed/on --license https://creativecommons.org/licenses/by/4.0/',
  );
  expect([exit, stdout], stderr).toEqual([0, 'handed/on/ro-crate-metadata.json\n']);
  const files = filesIn('handed/on');
  expect(files).toEqual([
    ...[
      'out/draft/film.mp4',
      'out/draft/film.mp4.c2pa.json',
      'out/draft/film.mp4.provenance.json',
      'out/draft/film.signed.mp4',
    ],
    ...['ro-crate-metadata.json', 'spot.lock.yaml', 'spot.yaml'],
  ]);
  expect(crateMistakes(JSON.parse(stage.read('handed/on/ro-crate-metadata.json')), files)).toEqual([]);
  expect(await crateFindings(stage.at('handed/on'), files)).toEqual([]);
  // Once more: a crate of ours is replaced whole.
  await ends(stage.run('provenance', 'spot.yaml', '--out', 'handed/on'), 0);
  expect(readdirSync(stage.at('handed'))).toEqual(['on']);
});

test('the validator of others sees what is missing in a crate', async () => {
  await ends(stage.run('provenance', 'spot.yaml', '--out', 'spoilt'), 0);
  const folder = stage.at('spoilt');
  const whole = filesIn('spoilt');
  expect(await crateFindings(folder, whole)).toEqual([]);
  expect(
    await crateFindings(folder, [...whole.filter(file => file !== 'out/draft/film.mp4'), 'out/draft/stray.mp4']),
  ).toEqual([
    'error: Data Entity refers to a local file path or directory that does not exist (out/draft/film.mp4)',
    'warning: Path in crate directory does not have a corresponding Data Entity in the crate (out/draft/stray.mp4)',
  ]);
  const metadata = JSON.parse(stage.read('spoilt/ro-crate-metadata.json'));
  const root = metadata['@graph'].find((one: { '@id': string }) => one['@id'] === './');
  delete root.license;
  stage.write('spoilt/ro-crate-metadata.json', JSON.stringify(metadata));
  expect(await crateFindings(folder, whole)).toEqual(['error: Missing required property: license']);
});

test('a folder of somebody’s is never replaced', async () => {
  stage.write('mine/notes.txt', 'x');
  const { exit, stderr } = await stage.run('provenance', 'spot.yaml', '--out', 'mine');
  expect(exit).not.toBe(0);
  expect(stderr).toContain('holds files that are no crate of Shotlist');
  expect(filesIn('mine')).toEqual(['notes.txt']);
});

test('a film that is not signed is told, with why', async () => {
  stage.write('sign.sh', '#!/bin/sh\necho no key >&2; exit 4\n');
  const { stderr } = await ends(stage.run('provenance', 'spot.yaml', '--out', 'unsigned'), 1);
  expect(stderr).toContain('out/draft/film.mp4 is not signed: ./sign.sh ended with exit code 4: no key');
  expect(stage.has('unsigned/ro-crate-metadata.json')).toBe(true);
});

test('the steps of a film as Mermaid, DOT and SVG', async () => {
  const { stdout } = await stage.run('graph', 'spot.yaml');
  expect(stdout).toBe(`flowchart LR
  n0["shot<br>I-GEN-A<br>× beat"]
  n1["film<br>cut"]
  n0 --> n1
  classDef paid stroke-width:3px
  class n0 paid
`);
  const drawn = (await instance()).renderJSON((await stage.run('graph', 'spot.yaml', '--format', 'dot')).stdout);
  expect(drawn).toMatchObject({ name: 'spot', objects: [{ name: 'n0' }, { name: 'n1' }], edges: [{}] });
  const svg = (await stage.run('graph', 'spot.yaml', '--format', 'svg')).stdout;
  expect(svg).toMatch(/^<\?xml[^>]*>\n<svg xmlns/);
  expect(svg).not.toMatch(/href|<script|url\(http/);
  await ends(stage.run('graph', 'spot.yaml', '--format', 'svq'), 2, 'did you mean svg?');
});
