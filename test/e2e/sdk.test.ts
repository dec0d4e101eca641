/** What a program gets from `import … from 'shotlist'`: types that its compiler accepts, and a service that answers. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { PATIENCE } from '../support/patience.ts';

const run = promisify(execFile);
const project = mkdtempSync(join(tmpdir(), 'shotlist-sdk-'));
afterAll(() => rmSync(project, { recursive: true, force: true }));

const PROGRAM = `
import {
  type ChatRequest,
  compile,
  connect,
  definePipeline,
  isTerminal,
  modelLibrary,
  plan,
  run,
  serveStudio,
  validateRequest,
} from 'shotlist';

const studio = await serveStudio({ folder: 'state', key: 'local', speed: 'draft' });
const service = connect({ name: 'studio', baseUrl: studio.url, key: 'local' });
const soon = AbortSignal.timeout(${PATIENCE});

const ask: ChatRequest = { model: 'C-D', messages: [{ role: 'user', content: 'a title for a film about a fox' }], max_tokens: 40 };
const answer = await service.chat(ask, soon);
console.log(answer.is, answer.is === 'answered' && answer.text.length > 0);

const sent = await service.enqueue({ model: 'I-GEN-A', prompt: 'a fox in the snow' }, soon);
if (sent.is !== 'accepted') throw new Error(sent.message);
for (;;) {
  const read = await service.generation(sent.id, soon);
  if (read.is !== 'ok') throw new Error(read.message);
  if (!isTerminal(read.value.status)) {
    await new Promise(resolve => setTimeout(resolve, 50));
    continue;
  }
  console.log(read.value.status, read.value.result_url?.startsWith(studio.url));
  break;
}

const model = modelLibrary.get('V-T2V-A');
if (model) console.log(validateRequest(model, { prompt: 'x', duration: 99 }).map(reason => reason.message).join());
const { diagnostics } = compile({ path: 'film.yaml', text: 'shotlist: 1\\nname: x\\nsteps: {}\\n' }, modelLibrary);
console.log(diagnostics.map(diagnostic => diagnostic.message).join());

await service.close();
await studio.close();

const film = definePipeline({
  shotlist: 1,
  name: 'fox',
  steps: { still: { model: 'I-GEN-A', with: { prompt: 'a fox in the snow' }, save: 'out/fox.webp' } },
});
const options = { folder: 'films', service: { studio: 'draft' } } as const;
const planned = await plan(film, options);
console.log(planned.is, planned.is === 'planned' && planned.text.includes('still'));
const making = run(film, options);
const seen: string[] = [];
for await (const event of making) if ('key' in event && event.type !== 'progress') seen.push(event.type);
console.log(seen.join());
const outcome = await making.outcome;
console.log(outcome.is, outcome.is !== 'mistaken' && outcome.outputs.map(({ path }) => path).join());
`;

test('a typed program talks to the studio and reads pipeline files', async () => {
  mkdirSync(join(project, 'node_modules/@types'), { recursive: true });
  symlinkSync(resolve('.'), join(project, 'node_modules/shotlist'));
  symlinkSync(resolve('node_modules/@types/node'), join(project, 'node_modules/@types/node'));
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(project, 'program.ts'), PROGRAM);
  const options = ['--strict', '--target', 'es2024', '--module', 'nodenext', '--types', 'node', '--skipLibCheck'];
  const compiler = resolve('node_modules/typescript/bin/tsc');
  const compiled = await run(process.execPath, [compiler, ...options, 'program.ts'], { cwd: project }).catch(
    (error: { stdout: string }) => error,
  );
  expect(compiled.stdout).toBe('');
  const { stdout } = await run(process.execPath, ['program.js'], { cwd: project, env: { PATH: process.env.PATH } });
  expect(stdout).toMatchInlineSnapshot(`
    "answered true
    succeeded true
    duration must be at most 15, not 99
    \`steps\` is empty; write \`steps: { shot: { model: V-T2V-A, with: { … } } }\`
    planned true
    submit_intended,submit_accepted,generated,download_started,succeeded,output_written
    done out/draft/fox.webp
    "
  `);
});
