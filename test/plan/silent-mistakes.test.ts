/** What a file may say without a word of complaint, and what would be paid for nothing. */
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { missingPrograms } from '../../src/app/film/missing-programs.ts';
import { formatDiagnostics } from '../../src/language/yaml/excerpt.ts';
import { temporaryFolder } from '../support/temp.ts';
import { planned, planOf } from './support.ts';

const said = (film: string): string => formatDiagnostics(planned(film).diagnostics ?? []).split('\n', 1)[0] ?? '';

test('an instance that a fan-out has not is a mistake, unless a condition asks before', () => {
  const film = (address: string) => `
steps:
  still: { matrix: { n: [1, 2] }, model: I-GEN-A, with: { prompt: "x \${{ matrix.n }}" } }
  one: { model: V-I2V-A, with: { prompt: x, input_image: "\${{ ${address} }}" } }
`;
  expect(said(film('steps.still[9].result_url'))).toContain(
    'error: `steps.still[9]` is asked for, and `still` has 2 instances: the last is `steps.still[1]`',
  );
  expect(said(film('steps.still[1].result_url'))).toBe('');
  expect(said(film('size(steps.still) > 9 ? steps.still[9].result_url : steps.still[0].result_url'))).toBe('');
});

test('an empty cell is no prompt, and no name of a file', () => {
  const film = (rows: string) => `
steps:
  still:
    matrix: { scene: ${rows} }
    model: I-GEN-A
    with: { prompt: "\${{ matrix.scene.look }}" }
    save: out/{scene.slug}.webp
`;
  expect(said(film('[{ slug: a, look: red }, { slug: b, look: "" }]'))).toContain(
    'error: `prompt` of still[scene=2] is empty; give it a text, or leave the instance out with `if:`',
  );
  expect(said(film('[{ slug: a, look: red }, { slug: "", look: blue }]'))).toContain(
    'error: `{scene.slug}` is empty for still[scene=2], and its file needs a name',
  );
  expect(said(film('[{ slug: a, look: red }, { slug: b, look: blue }]'))).toBe('');
});

test('programs that are not on this machine are told before anything is paid', async () => {
  const root = await temporaryFolder();
  writeFileSync(join(root, 'tool.sh'), '#!/bin/sh\n');
  const film = planOf(`
steps:
  still: { model: I-GEN-A, with: { prompt: x } }
  a: { needs: [still], run: [nosuchprog, -x] }
  b: { run: [./tool.sh] }
  c: { run: [cat, README.md] }
  d: { run: "nosuchtoo | cat" }
`);
  const found = () =>
    missingPrograms(film.pipeline.steps, film.pipeline, { root, path: '/usr/bin:/bin' }, 'error').map(
      ({ severity, message }) => `${severity}: ${message}`,
    );
  const nowhere = 'error: there is no program `nosuchprog` on this machine: install it, or correct the name';
  expect(found()).toEqual([
    nowhere,
    "error: there is no program at `./tool.sh`, from the project's root, that may be executed: write the file, or `chmod +x` it",
  ]);
  chmodSync(join(root, 'tool.sh'), 0o755);
  expect(found()).toEqual([nowhere]);
});
