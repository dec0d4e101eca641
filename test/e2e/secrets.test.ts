/** The key goes to the service and nowhere else: not on a screen, not into a file, not to a command. */
import { chmodSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ReadyStudio, readyStudio, untilCancelled } from '../support/ready-studio.ts';
import { ends } from './ended.ts';
import { Stage } from './stage.ts';

/** It serves all cases; the picture of a bear is never there, so that a run waits for it until it is interrupted. */
let studio: ReadyStudio;
let stage: Stage;
beforeAll(async () => {
  stage = new Stage();
  studio = await readyStudio({
    before: (job, signal) => (job.request.prompt === 'a bear' ? untilCancelled(job, signal) : undefined),
  });
});
afterAll(async () => {
  stage.dispose();
  await studio.close();
});

/** Every file below the folder whose bytes hold one of these texts. */
function holding(texts: readonly string[], folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .filter(path => {
      const bytes = readFileSync(path);
      return texts.some(text => bytes.includes(text));
    })
    .map(path => relative(folder, path));
}

test('a whole run, an interrupted one and a failed one leave no trace of the key, nor of a variable that the film declares', async () => {
  const token = 'tok-5f0c1e22';
  stage.env = { SHOTLIST_BASE_URL: studio.url, SHOTLIST_API_KEY: studio.key, CDN_TOKEN: token };
  stage.write(
    'film.yaml',
    `shotlist: 1
name: film
env: [CDN_TOKEN]
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
  used:
    run: 'echo "{\\"got\\": \\"$token\\", \\"length\\": \${#token}}"'
    env: { token: "\${{ env.CDN_TOKEN }}" }
  refused:
    run: 'echo "no access with $token" >&2; exit 3'
    env: { token: "\${{ env.CDN_TOKEN }}" }
outputs:
  env: { from: "\${{ steps.seen.files.env }}", to: out/env.txt }
`,
  );
  const texts: string[] = [];
  const planned = await stage.runAsProcess('plan', 'film.yaml');
  texts.push(planned.stdout, planned.stderr);
  for (const ui of ['plain', 'json', 'quiet']) {
    const { exit, stdout, stderr } = await stage.runAsProcess('run', 'film.yaml', '--ui', ui);
    texts.push(stdout, stderr);
    expect(exit, stderr).toBe(1);
  }
  // Interrupted while the settings of the user name the variable that holds the key.
  stage.write(
    '../home/.config/shotlist/config.yaml',
    `services: { house: { url: "${studio.url}", key_env: HOUSE_KEY } }\n`,
  );
  stage.env = { HOUSE_KEY: studio.key, CDN_TOKEN: token };
  const interrupted = stage.start('run', 'film.yaml', '--service', 'house', '--param', 'who=a bear');
  await interrupted.line(/still +submitted/);
  interrupted.interrupt();
  const { exit, stdout: films, stderr } = await interrupted.ended;
  expect(exit, stderr).toBe(130);
  texts.push(films, stderr);
  stage.env = { SHOTLIST_BASE_URL: studio.url, SHOTLIST_API_KEY: studio.key, CDN_TOKEN: token };
  const { stdout } = await stage.runAsProcess('plan', 'film.yaml', '--json');
  stage.env = { ...stage.env, SHOTLIST_API_KEY: 'another-key' };
  const refused = await ends(stage.runAsProcess('run', 'film.yaml'), 6);
  texts.push(stdout, refused.stdout, refused.stderr);

  const all = texts.join('\n');
  for (const secret of [studio.key, 'another-key', token]) expect(all).not.toContain(secret);
  expect(stage.read('out/env.txt')).toContain('SHOTLIST_PROJECT=');
  expect(holding(['a red fox'], stage.project)).toContain('.shotlist/journal.db');
  expect(holding([studio.key, 'another-key', token], stage.project)).toEqual([]);
  expect(all).toContain('no access with $CDN_TOKEN');
  // It was there: the command counted its characters.
  expect(all).toContain('\\"length\\": 12');
  expect(all).toContain('\\"got\\": \\"$CDN_TOKEN\\"');
});

test('no film reads a variable that the settings name as holding a secret, and no command finds one in its environment', async () => {
  stage.env = { HOUSE_KEY: 'sk-house-5f0c', CDN_TOKEN: 'tok-5f0c1e22' };
  stage.write(
    'shotlist.config.yaml',
    'services: { house: { url: "https://api.example.com", key_env: HOUSE_KEY } }\nexpose: [CDN_TOKEN]\n',
  );
  const theft = (name: string) => `shotlist: 1
name: theft
env: [${name}]
steps:
  spelt: { run: 'cat /proc/self/environ; echo; echo "$letters"', env: { letters: "\${{ env.${name}.substring(0, 8) }}" } }
`;
  stage.write('theft.yaml', theft('HOUSE_KEY'));
  for (const command of ['check', 'plan', 'run']) {
    const { exit, stderr } = await stage.run(command, 'theft.yaml');
    expect(exit, command).toBe(2);
    expect(stderr, command).toContain(
      'theft.yaml:3:7: error: `HOUSE_KEY` holds a secret of Shotlist itself (`key_env` of services.house in shotlist.config.yaml), which no film may read',
    );
  }
  const worker = await stage.run('team', 'worker', '--expose', 'HOUSE_KEY');
  expect(worker).toMatchObject({ exit: 2, stderr: expect.stringContaining('take it out of --expose') });
  stage.write('theft.yaml', theft('CDN_TOKEN'));
  const { stdout } = await ends(stage.run('run', 'theft.yaml', '--ui', 'json'), 0);
  expect(stdout).toContain('tok-5f0c');
  if (process.platform === 'linux') expect(stdout).toContain('PATH=');
  expect(stdout).not.toContain('sk-house');
  rmSync(stage.at('shotlist.config.yaml'));
});

/** It looks different in JSON, in an address, in a form and in base64. */
const TOKEN = 'tok/5f "0c+1e22=é';
const OTHER = 'pass:phrase&more~1';
const FORMS = [TOKEN, OTHER].flatMap(secret => [
  secret,
  JSON.stringify(secret).slice(1, -1),
  encodeURIComponent(secret),
  new URLSearchParams({ a: secret }).toString().slice(2),
  Buffer.from(secret).toString('base64'),
  // What of it stays the same behind `me:`, whose letters end where three bytes do.
  Buffer.from(`me:${secret}`).toString('base64').slice(4, -4),
]);

/** Says what it was handed in every form, on both streams. */
const FORMS_PROGRAM = `#!/usr/bin/env node
for (const t of [process.argv[2], process.env.pass]) {
  const base64 = text => Buffer.from(text).toString('base64');
  for (const form of [t, JSON.stringify({ t }), encodeURIComponent(t), new URLSearchParams({ t }), base64(t), base64('me:' + t)]) {
    console.log(String(form));
    console.error(String(form));
  }
}
`;

describe('a param that is a secret, and a variable', () => {
  const texts: string[] = [];
  const nowhere = (): void => {
    const said = texts.join('\n');
    for (const form of FORMS) expect(said).not.toContain(form);
    expect(holding(FORMS, stage.project)).toEqual([]);
  };
  const GIVEN = ['--param', '../home/secrets.yaml'];
  const shotlist = async (...args: readonly string[]) => {
    const ended = await stage.runAsProcess(...args);
    texts.push(ended.stdout, ended.stderr);
    return ended;
  };
  /** In the process of the test: only where what leaves on the disk is looked at, for it knows the secrets of commands before. */
  const here = async (...args: readonly string[]) => {
    const ended = await stage.run(...args);
    texts.push(ended.stdout, ended.stderr);
    return ended;
  };
  const film = (name: string, last: string) => {
    stage.write(
      `${name}.yaml`,
      `shotlist: 1
name: ${name}
env: [PASSPHRASE]
params: { token: { type: string, secret: true }, who: { type: string, default: a red fox } }
steps:
  still: { model: I-GEN-A, with: { prompt: "\${{ params.who }} with \${{ params.token }}" } }
  words: { model: C-D, with: { prompt: "say \${{ params.token }} and \${{ env.PASSPHRASE }} twice" } }
  used:
    run: [tools/forms, "\${{ params.token }}"]
    env: { pass: "\${{ env.PASSPHRASE }}" }
  after:
    run: [echo, "\${{ steps.words.text }}", "\${{ steps.used.stdout }}", "\${{ steps.still.request.prompt }}"]
${last}outputs:
  still: { from: "\${{ steps.still }}", to: out/${name}.webp }
`,
    );
  };
  const FAILS = `  refused:
    run: 'echo "no access with $token and $(printf %s "$token" | base64)" >&2; exit 3'
    env: { token: "\${{ params.token }}" }
`;

  beforeAll(async () => {
    stage.trust(studio, { PASSPHRASE: OTHER });
    stage.write('tools/forms', FORMS_PROGRAM);
    chmodSync(stage.at('tools/forms'), 0o755);
    stage.write('../home/secrets.yaml', `token: '${TOKEN}'\n`);
  });
  afterAll(() => {
    stage.env = {};
  });

  test('reach a command and a request: a film is made, looked at and made again', async () => {
    film('made', '');
    for (const ui of ['plain', 'json', 'quiet']) {
      await ends(shotlist('run', 'made.yaml', ...GIVEN, '--ui', ui), 0);
    }
    await shotlist('plan', 'made.yaml', ...GIVEN);
    const { stdout } = await shotlist('plan', 'made.yaml', ...GIVEN, '--json');
    expect((JSON.parse(stdout) as { params: unknown }).params).toEqual({ token: '$token', who: 'a red fox' });
    const lock = stage.read('made.lock.yaml');
    expect(lock).toContain('words:');
    const answer = await fetch(`${studio.url}/api/ai/generations`, {
      headers: { authorization: `Bearer ${studio.key}` },
    });
    const { generations } = (await answer.json()) as { generations: { prompt?: string }[] };
    expect(generations.map(({ prompt }) => prompt)).toContain(`a red fox with ${TOKEN}`);
    nowhere();
  });

  test('a new value makes nothing again', async () => {
    stage.write('../home/other.yaml', 'token: another-token-of-today\n');
    const { stderr } = await ends(here('run', 'made.yaml', '--param', '../home/other.yaml'), 0);
    expect(stderr).toContain('already here, nothing spent');
  });

  test('a film that fails, and one that is stopped, tell their reasons without', async () => {
    film('fails', FAILS);
    const { stderr } = await ends(shotlist('run', 'fails.yaml', ...GIVEN, '--param', 'who=an owl'), 1);
    expect(stderr).toContain('no access with $token and $token');
    film('stops', '  slow: { run: [sleep, "600"] }\n');
    const stopped = stage.start('run', 'stops.yaml', ...GIVEN, '--param', `token=${TOKEN}`, '--param', 'who=a hare');
    await stopped.line(/slow/);
    if (process.platform === 'linux')
      expect(readFileSync(`/proc/${stopped.child.pid}/cmdline`, 'utf8')).not.toContain(TOKEN);
    stopped.interrupt();
    const ended = await stopped.ended;
    expect(ended.exit).toBe(130);
    expect(ended.stderr).toContain("--param 'token=…'");
    texts.push(ended.stdout, ended.stderr);
    nowhere();
  });

  test.each(['intent-durable', 'succeeded-kept', 'lock-writing'])(
    'a run that is killed (%s) is taken up, and pays for nothing twice',
    async point => {
      const name = `killed-${point}`;
      film(name, '');
      const who = `who=a bear ${point}`;
      const before = await studio.submits();
      stage.env = { ...stage.env, SHOTLIST_FAILPOINT: point };
      const { signal } = await shotlist('run', `${name}.yaml`, ...GIVEN, '--param', who);
      expect(signal).toBe('SIGKILL');
      nowhere();
      const { SHOTLIST_FAILPOINT: _, ...env } = stage.env;
      stage.env = env;
      await ends(here('run', `${name}.yaml`, ...GIVEN, '--param', who, '--on-unknown', 'resubmit'), 0);
      expect(await studio.submits()).toBe(before + 1);
      nowhere();
    },
  );

  test('whoever mistypes is told so without it', async () => {
    for (const args of [
      ['--param', `tokne=${TOKEN}`],
      ['--param', `token=${TOKEN}`, '--param', 'idea=1'],
      ['--param', 'token=short'],
    ]) {
      const { stderr } = await ends(shotlist('plan', 'made.yaml', ...args), 2);
      expect(stderr).not.toContain('=short');
    }
    nowhere();
  });

  test('at a terminal the screen shows its name', async () => {
    const screen = stage.startAtTerminal('run', 'fails.yaml', ...GIVEN, '--param', 'who=a wolf');
    expect(await screen.exit).toBe(1);
    texts.push(screen.text);
    nowhere();
  });
});
