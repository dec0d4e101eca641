/** What a reader of the page on teams does: each block in its order, with workers as processes, a real database and a store. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type GuideAct, guidePages, shotlistWords } from '../support/guide-pages.ts';
import { onServer } from '../support/postgres.ts';
import { type ReadyStudio, readyStudio } from '../support/ready-studio.ts';
import { emptyDatabase } from '../team/test-database.ts';
import { runInProcess } from './in-process.ts';
import { Stage, type Started } from './stage.ts';

const page = guidePages().find(({ path }) => path === 'guide/many-machines.md')!;

/** A film for the sections that need another one than the section before. */
const FILMS: Readonly<Record<string, string>> = {
  'submit-a-film': `  voice: { matrix: { beat: [3] }, run: 'echo "a fox"' }
  shot: { needs: voice, model: I-GEN-A, with: { prompt: a fox } }
outputs: { shot: { from: "\${{ steps.shot }}", to: out/shot.webp } }
`,
  'a-person-decides': `  still: { takes: 2, model: I-GEN-A, with: { prompt: a hare } }
  best: { pick: "\${{ steps.still }}" }
profiles: { draft: { budget: { usd: 8 } } }
`,
  operation: '  shot: { matrix: { beat: [3] }, model: I-GEN-A, with: { prompt: a heron } }\n',
};

let stage: Stage;
let service: ReadyStudio;
let url: string;
const workers: Started[] = [];
let named = 0;
/** What the page calls `film-7k3m9q`. */
let run = '';
let generation = '';
beforeAll(async () => {
  stage = new Stage();
  service = await readyStudio();
  ({ url } = await emptyDatabase());
  mkdirSync(join(stage.folder, 'shared'));
  stage.env = { FARM_KEY: service.key, CDN_TOKEN: 'cdn' };
});
afterAll(async () => {
  stage.killAll();
  await service.close();
  stage.dispose();
});

test('is followed from its settings to its last command', async () => {
  const [seen, promised]: [string[], string[]] = [[], []];
  for (const act of page.acts) {
    if (act.is === 'section') await begin(act.anchor);
    if (act.is === 'file') stage.write(act.file.name, settingsHere(act.file.text));
    if (act.is !== 'line') continue;
    const { exit, said } = await typed(act);
    promised.push(`${act.line.typed}: ${act.line.exit}`);
    seen.push(`${act.line.typed}: ${exit}${exit === act.line.exit ? '' : `\n${said}`}`);
  }
  expect(seen).toEqual(promised);
  const before = await service.submits();
  await startWorker('team', 'worker', '--on', 'house');
  expect(await shotlist('team', 'watch', run, '--on', 'house')).toMatchObject({ exit: 0 });
  // What was attached is the film's: nothing is sent for it.
  expect(await service.submits()).toBe(before);
});

test('its statements are ones that the server takes', async () => {
  const statements = [...page.text.matchAll(/^```sql\n(.*?)^```$/gms)].map(([, block = '']) => block);
  expect(statements.length).toBe(2);
  const { pathname } = new URL(url);
  await onServer(url, async client => {
    await client.query('BEGIN');
    for (const block of statements)
      await client.query(
        block
          .replaceAll('DATABASE films', `DATABASE ${pathname.slice(1)}`)
          // Roles are the server's, which other tests use.
          .replaceAll(/ROLE (machines|anna)\b/g, 'ROLE $1_of_the_guide'),
      );
    await client.query('ROLLBACK');
  });
});

const settingsHere = (text: string): string =>
  `${text.replace(/postgres:.*/, url).replace(/s3:.*/, join(stage.folder, 'shared'))}
services: { render-farm: { url: "${service.url}", key_env: FARM_KEY } }
service: render-farm
history: trusted
`;

async function begin(section: string): Promise<void> {
  const steps = FILMS[section];
  if (steps !== undefined) stage.write('film.yaml', `shotlist: 1\nname: ${section}\nsteps:\n${steps}`);
  switch (section) {
    case 'a-person-decides':
      await submitted('--profile', 'draft', '--watch');
      return;
    case 'operation':
      for (const worker of workers.splice(0)) {
        worker.child.kill('SIGTERM');
        await worker.ended;
      }
      run = await submitted();
      generation = await made('a heron');
  }
}

async function startWorker(...words: readonly string[]): Promise<void> {
  const name = `worker-${++named}`;
  const started = stage.start(...words, '--folder', join(stage.folder, name), '--name', name);
  workers.push(started);
  await started.line(/^ready: /m);
}

async function submitted(...more: readonly string[]): Promise<string> {
  const { exit, stdout, stderr } = await shotlist('team', 'submit', 'film.yaml', '--on', 'house', ...more);
  expect([0, 5], stderr + stdout).toContain(exit);
  return stdout.trim();
}

const shotlist = (...words: readonly string[]) => runInProcess(stage, words);

/** By hand, outside of any film. */
async function made(prompt: string): Promise<string> {
  const answer = await fetch(`${service.url}/api/ai/queue`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'I-GEN-A', prompt }),
  });
  const { generations } = (await answer.json()) as { readonly generations: [{ readonly generation_id: string }] };
  return generations[0].generation_id;
}

async function typed({ line }: Extract<GuideAct, { is: 'line' }>): Promise<{ exit: number | null; said: string }> {
  const words = shotlistWords(line)?.map(word => word.replace('film-7k3m9q', run).replace('gen_123', generation));
  // A command of the repository, which has a test of its own.
  if (!words) return { exit: 0, said: '' };
  if (words[1] === 'worker') {
    await startWorker(...words);
    return { exit: 0, said: '' };
  }
  if (words[0] === 'review') {
    const started = stage.start(...words);
    await started.line(/http:/);
    started.interrupt();
    const { exit, signal, stderr } = await started.ended;
    return { exit: signal === 'SIGINT' ? 0 : exit, said: stderr };
  }
  const { exit, stdout, stderr } = await shotlist(...words);
  if (words[1] === 'submit') run = stdout.trim();
  return { exit, said: stderr + stdout };
}
