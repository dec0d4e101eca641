/** The key goes to the service and nowhere else: not on a screen, not into a file, not to a command. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Stage } from './stage.ts';

let stage: Stage;
beforeAll(() => {
  stage = new Stage();
});
afterAll(() => stage.dispose());

/** Every file below the folder whose bytes hold the text. */
function holding(text: string, folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    path => statSync(join(folder, path)).isFile() && readFileSync(join(folder, path)).includes(text),
  );
}

test('a whole run, an interrupted one and a failed one leave no trace of the key', async () => {
  const studio = await stage.studio();
  stage.env = { SHOTLIST_BASE_URL: studio.url, SHOTLIST_API_KEY: studio.key };
  stage.write(
    'film.yaml',
    `shotlist: 1
name: film
params:
  who: { type: string, default: a red fox }
steps:
  still:
    model: I-GEN-A
    with: { prompt: "\${{ params.who }}" }
  seen:
    run: 'env >env.txt; echo "\${SHOTLIST_API_KEY-no key here}"'
    creates: { env: env.txt }
  wide:
    model: V-UP
    with: { input_video: https://127.0.0.1:9/clip.mp4 }
outputs:
  env: { from: "\${{ steps.seen.files.env }}", to: out/env.txt }
`,
  );
  const texts: string[] = [];
  for (const ui of ['plain', 'json', 'quiet']) {
    const { exit, stdout, stderr } = await stage.run('run', 'film.yaml', '--ui', ui);
    texts.push(stdout, stderr);
    expect(exit, stderr).toBe(1);
  }
  // Interrupted while the settings of the user name the variable that holds the key.
  stage.write(
    '../home/.config/shotlist/config.yaml',
    `services: { house: { url: "${studio.url}", key_env: HOUSE_KEY } }\n`,
  );
  stage.env = { HOUSE_KEY: studio.key };
  const interrupted = stage.start('run', 'film.yaml', '--service', 'house', '--param', 'who=a bear');
  await interrupted.line(/still {2}submitted/);
  interrupted.interrupt();
  const { exit, stdout: films, stderr } = await interrupted.ended;
  expect(exit, stderr).toBe(130);
  texts.push(films, stderr);
  stage.env = { SHOTLIST_BASE_URL: studio.url, SHOTLIST_API_KEY: studio.key };
  const { stdout } = await stage.run('plan', 'film.yaml', '--json');
  stage.env = { ...stage.env, SHOTLIST_API_KEY: 'another-key' };
  const refused = await stage.run('run', 'film.yaml');
  expect(refused.exit).toBe(6);
  texts.push(stdout, refused.stdout, refused.stderr);

  expect(texts.join('\n')).not.toContain(studio.key);
  expect(texts.join('\n')).not.toContain('another-key');
  expect(stage.read('out/env.txt')).toContain('SHOTLIST_PROJECT=');
  expect(holding('a red fox', stage.project)).toContain('.shotlist/journal.db');
  expect(holding(studio.key, stage.project)).toEqual([]);
  expect(holding('another-key', stage.project)).toEqual([]);
});

test('a variable that a film declares is used, and neither shown nor kept', async () => {
  const token = 'tok-5f0c1e22';
  stage.env = { SHOTLIST_STUDIO_SPEED: 'draft', CDN_TOKEN: token };
  stage.write(
    'declared.yaml',
    `shotlist: 1
name: declared
env: [CDN_TOKEN]
steps:
  used:
    run: 'echo "{\\"got\\": \\"$token\\", \\"length\\": \${#token}}"'
    env: { token: "\${{ env.CDN_TOKEN }}" }
  refused:
    run: 'echo "no access with $token" >&2; exit 3'
    env: { token: "\${{ env.CDN_TOKEN }}" }
`,
  );
  const texts: string[] = [];
  for (const args of [['plan'], ['plan', '--json'], ['run'], ['run', '--ui', 'json'], ['run', '--ui', 'quiet']]) {
    const [command = '', ...rest] = args;
    const { stdout, stderr } = await stage.run(command, 'declared.yaml', ...rest);
    texts.push(stdout, stderr);
  }
  const all = texts.join('\n');
  expect(all).toContain('no access with (CDN_TOKEN)');
  // It was there: the command counted its characters.
  expect(all).toContain('\\"length\\": 12');
  expect(all).toContain('\\"got\\": \\"(CDN_TOKEN)\\"');
  expect(all).not.toContain(token);
  expect(holding(token, stage.project)).toEqual([]);
});
