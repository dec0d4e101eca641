/** `shotlist why` as a process of its own: what it is asked, what it prints, and how it ends. */
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { ends } from './ended.ts';
import { Stage } from './stage.ts';

const FILM = `shotlist: 1
name: film
env: [HOUSE_TOKEN]
params: { word: { type: string, default: fox } }
steps:
  say:
    matrix: { beat: [1, 2, 3], tone: [low, high] }
    run: [sh, -c, "printf '%s' \\"$0 $1\\" > said.txt", "\${{ params.word }}", "\${{ matrix.tone }}"]
    env: { TOKEN: "\${{ env.HOUSE_TOKEN }}" }
    creates: { said: said.txt }
  join:
    run: [cat]
    files: { first: "\${{ steps.say[0].files.said.file }}" }
`;
const TOKEN = 'hunter2-hunter2';

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
  onTestFinished(() => stage.dispose());
  stage.env = { HOUSE_TOKEN: TOKEN };
  stage.write('film.yaml', FILM);
});

/** In the process of the test; the first question is asked by a process of its own. */
const shotlist = (...args: readonly string[]) => stage.run(...args);

test('tells why before and after a run, in words and as JSON, and never the secret', async () => {
  expect(await stage.run('why', 'film.yaml', 'join')).toMatchObject({
    exit: 0,
    stderr: '',
    stdout: expect.stringContaining('join: new, may be made: free\n'),
  });
  await ends(shotlist('run', 'film.yaml'), 0);
  const owned = await shotlist('why', 'film.yaml', 'join');
  expect(owned.stdout).toMatch(
    /^join: owned\n {2}made on \d{4}-\d\d-\d\d \d\d:\d\d UTC in run [\da-f]{8}, for nothing; the lock has it too\n$/,
  );
  const edited = await shotlist('why', 'film.yaml', 'say[beat=2]', '--param', 'word=wolf');
  expect(edited.stdout).toContain(
    'say × 2: would be made again: free\n  say[beat=2,tone=low], say[beat=2,tone=high]\n',
  );
  expect(edited.stdout).toContain('`run[3]` changed (it reads params.word)\n      was «fox»\n      now «wolf»\n');
  const json = JSON.parse((await shotlist('why', 'film.yaml', '--json', '--param', 'word=wolf')).stdout);
  expect(json).toMatchObject({ version: 1, service: 'studio', pipeline: 'film.yaml' });
  expect(json.instances).toHaveLength(7);
  expect(json.instances[0].changes).toMatchObject([{ field: 'run[3]', was: 'fox', now: 'wolf' }]);
  const lock = stage.read('film.lock.yaml');
  expect(lock).toContain('        env.TOKEN: $HOUSE_TOKEN\n');
  for (const text of [lock, JSON.stringify(json), edited.stdout]) expect(text).not.toContain(TOKEN);
});

test.each([
  ['sayy', 'there is no step `sayy`; did you mean say?'],
  ['sayy[beat=2]', "there is no step `sayy`; did you mean 'say[beat=2]'?"],
  ['elsewhere', 'there is no step `elsewhere`; there are say and join'],
  ['say[beat=2,tone=hihg]', "'say[beat=2,tone=hihg]' matches no instance; did you mean 'say[beat=2,tone=high]'?"],
  ['say[', "'say[' is not written like a selector; write a step, `say`, or instances of it"],
])('%s picks nothing, and says what is near', async (selector, message) => {
  expect(await shotlist('why', 'film.yaml', selector)).toMatchObject({
    exit: 2,
    stdout: '',
    stderr: expect.stringContaining(message),
  });
});

test('what is no film, or a film with mistakes, is said as anywhere else', async () => {
  await ends(shotlist('why'), 2, 'which file?');
  await ends(shotlist('why', 'nowhere.yaml'), 2, 'no such file');
  stage.write('film.yaml', FILM.replace('params.word }}"', 'params.wrod }}"'));
  await ends(shotlist('why', 'film.yaml', 'join'), 2, 'wrod');
});
