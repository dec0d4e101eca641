/** What a reader of the guide does: saves a block, and runs it, small and quick, with an empty HOME and without a network. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type GuideFile, guidePages, isFilm } from '../support/guide-pages.ts';
import { runInProcess } from './in-process.ts';
import { Stage } from './stage.ts';

const pages = guidePages();

interface Film {
  readonly steps: { readonly [name: string]: { readonly [key: string]: unknown } };
  readonly outputs?: { readonly [name: string]: unknown };
}

/** A film whose question only a person answers ends with it. */
const asks = ({ steps }: Film): boolean =>
  Object.values(steps).some(
    step => 'approve' in step || ('pick' in step && step.rule === undefined && step.judge === undefined),
  );

for (const page of pages.filter(({ files }) => files.some(isFilm)))
  describe(page.path, () => {
    // One project for the page: what two of its films ask for alike is made once.
    let stage: Stage;
    beforeAll(() => {
      stage = new Stage();
      for (const file of page.files) stage.write(file.name, file.text);
    });
    afterAll(() => stage.dispose());

    test.each(page.files.filter(isFilm))('$name becomes a film', async ({ name, text }: GuideFile) => {
      // Settings of the page name a service; this is the studio.
      const { exit, stdout, stderr } = await runInProcess(stage, ['run', name, '--draft', '--service', 'studio']);
      const isAsking = asks(parse(text));
      expect(exit, stderr).toBe(isAsking ? 5 : 0);
      const made = stdout.trim().split('\n').filter(Boolean);
      if (!isAsking) expect(made.length, stderr).toBeGreaterThan(0);
      for (const path of made) expect(existsSync(join(stage.project, path)), path).toBe(true);
    });
  });

describe('a program of the guide', () => {
  const programs = pages.flatMap(({ path, programs }) => programs.map((text, at) => ({ path, at: at + 1, text })));
  test.each(programs)('$path, number $at, runs', async ({ text }) => {
    const stage = new Stage();
    try {
      const sdk = pathToFileURL(resolve('dist/sdk.js')).href;
      // A server that nobody closes goes on; a reader's program would, too.
      stage.write('program.mjs', `${text.replace("'shotlist'", `'${sdk}'`)}\nprocess.exit(0);\n`);
      const ended = await execa(process.execPath, ['program.mjs'], {
        ...{ cwd: stage.project, env: stage.environment, extendEnv: false, reject: false },
      });
      expect(ended.exitCode, ended.stderr).toBe(0);
      expect(ended.stdout.trim().split('\n').at(-1)).toMatch(/^(done|taken|accepted|sent|ok)$/);
    } finally {
      stage.dispose();
    }
  });
});
