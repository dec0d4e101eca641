/** Commands at a service whose every text a terminal would obey: nothing of them is ever obeyed. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { modelWith, wrongFile } from '../cli/hostile-inputs.ts';
import { OBEYED, PAYLOADS } from '../support/payloads.ts';
import { stubServer } from '../support/stub-server.ts';
import { Stage } from './stage.ts';

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
});
afterEach(() => stage.dispose());

const ALL = PAYLOADS.join(' ');
const models = PAYLOADS.map(modelWith);

async function shotlist(...args: readonly string[]): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const service = await stubServer((response, { url = '', method }) => {
    response.setHeader('content-type', 'application/json');
    if (method !== 'GET') {
      response.statusCode = 400;
      response.end(JSON.stringify({ error: { message: ALL } }));
    } else if (/\/models\/.*NONE/.test(url)) {
      response.statusCode = 404;
      response.end(JSON.stringify({ error: { message: ALL } }));
    } else if (/\/models\/./.test(url)) response.end(JSON.stringify({ ...models[0], id: `new${ALL}` }));
    else response.end(JSON.stringify({ object: 'list', data: models }));
  });
  stage.write('wrong.yaml', wrongFile(PAYLOADS[5] ?? ''));
  stage.env = { SHOTLIST_BASE_URL: service.url, SHOTLIST_API_KEY: 'key-of-mine' };
  const { stdout, stderr } = await stage.run(...args);
  expect(stdout + stderr).not.toContain('key-of-mine');
  return { stdout, stderr };
}

/** What an argument may hold: the system takes no NUL. */
const TYPED = PAYLOADS.filter(payload => payload.isWellFormed() && !payload.includes('\0')).join(' ');

test.each([
  ['models'],
  ['models', '--json'],
  ['models', 'some'],
  ['models', 'some', '--json'],
  ['models', TYPED],
  ['models', 'V-NONE'],
  ['models', 'activate', 'fox-look'],
  ['models', 'deactivate', 'fox-look', '--json'],
  ['models', 'tokenize', 'a/b', TYPED],
  ['generate', 'I-GEN-A', 'prompt=a fox'],
  ['generate', 'I-GEN-A', `prompt=${TYPED}`, `nope=${TYPED}`],
  ['generate', 'V-NONE', 'prompt=a fox'],
  ['chat', 'C-D', 'who?'],
  ['chat', 'V-NONE', 'who?'],
  ['check', 'wrong.yaml'],
  ['check', TYPED.slice(0, 200)],
  ['run', 'wrong.yaml', '--param', TYPED],
  ['plan', 'wrong.yaml', `--${TYPED}`],
  ['cancel', 'wrong.yaml', TYPED],
  [TYPED],
  ['run', '--ui', TYPED],
])('command %#', async (...args) => {
  const { stdout, stderr } = await shotlist(...args);
  expect(stdout + stderr).not.toBe('');
  expect(OBEYED.exec(stdout + stderr)?.[0], JSON.stringify(stdout + stderr)).toBe(undefined);
  if (args.includes('--json') && stdout !== '') expect(() => JSON.parse(stdout)).not.toThrow();
});
