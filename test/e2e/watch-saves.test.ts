/** What may be saved while a film is written, and what becomes of what was made: whole processes, real saves, films of commands. */
import { readdirSync, rmSync, unlinkSync } from 'node:fs';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/temp.ts';
import { ends } from './ended.ts';
import { Stage, type Started } from './stage.ts';
import { endWatching, type Since, saveIn, since, watchFilm } from './watching.ts';

let stage: Stage;
/** One for the films that need no options of their own. */
let watching: Started;
beforeAll(async () => {
  stage = new Stage();
  stage.write('two.yaml', 'shotlist: 1\nname: two\nsteps:\n  begun: { run: "true" }\n');
  watching = await watchFilm(stage);
});
afterAll(async () => {
  try {
    await endWatching(watching);
  } finally {
    stage.dispose();
  }
});

/** Saves a file, and waits until the watch answers with this. */
const save = (watching: Started, path: string, content: string | Buffer, answer?: RegExp): Promise<Since> =>
  saveIn(stage, watching, path, content, answer);
/** Saves the film, and waits until it is finished. */
const saved = (film: string): Promise<Since> => save(watching, 'two.yaml', film);

const at = (path: string) => stage.at(path);
const picture = (colour: string) =>
  sharp({ create: { width: 64, height: 36, channels: 3, background: colour } })
    .png({ compressionLevel: 0 })
    .toBuffer();

test('a file that is used, and one that it uses, are saved', async () => {
  const word = (text: string) =>
    `shotlist: 1\nname: word\nsteps:\n  text: { run: "printf ${text} >text.txt", creates: { text: text.txt } }\noutputs:\n  text: { from: "\${{ steps.text.files.text }}", to: word.txt }\n`;
  stage.write('parts/deep/word.yaml', word('fox'));
  stage.write(
    'parts/middle.yaml',
    'shotlist: 1\nname: middle\nsteps:\n  word: { uses: ./deep/word.yaml }\noutputs:\n  text: { from: "${{ steps.word.outputs.text }}", to: middle.txt }\n',
  );
  await saved(
    `shotlist: 1
name: two
steps:
  middle: { uses: ./parts/middle.yaml }
  same: { run: "printf same >same.txt", creates: { text: same.txt } }
outputs:
  text: { from: "\${{ steps.middle.outputs.text }}", to: out/text.txt }
`,
  );
  expect(stage.read('out/draft/text.txt')).toBe('fox');
  const next = await save(watching, 'parts/deep/word.yaml', word('wolf'));
  expect(next.said()).toMatch(/^\nsaved word\.yaml\n +\S+ {2}to draw: middle\/word\/text\b.*; 1 as it was\n/);
  expect(stage.read('out/draft/text.txt')).toBe('wolf');
  const broken = await save(
    watching,
    'parts/deep/word.yaml',
    word('wolf').replace('run:', 'runn:'),
    /the next save is tried/,
  );
  expect(broken.said()).toMatch(/parts\/deep\/word\.yaml:4:\d+: error: /);
  await save(watching, 'parts/deep/word.yaml', word('owl'));
  expect(stage.read('out/draft/text.txt')).toBe('owl');
});

describe('a media file of the author', () => {
  const film = `shotlist: 1
name: two
steps:
  seen: { files: { photo: photo.png }, run: "cksum <$photo >sum.txt", creates: { text: sum.txt } }
  same: { run: "printf same >same.txt", creates: { text: same.txt } }
outputs:
  text: { from: "\${{ steps.seen.files.text }}", to: out/sum.txt }
`;

  test('has other bytes under the same name, of the same size', async () => {
    const [red, blue] = [await picture('#f00'), await picture('#00f')];
    expect(red.length).toBe(blue.length);
    stage.write('photo.png', red);
    await saved(film);
    const before = stage.read('out/draft/sum.txt');
    const next = await save(watching, 'photo.png', blue);
    expect(next.said()).toMatch(/^\nsaved photo\.png\n +\S+ {2}to draw: seen; 1 as it was\n/);
    const after = stage.read('out/draft/sum.txt');
    expect(after).not.toBe(before);
    // As it was: what was made of it then is still there.
    const back = await save(watching, 'photo.png', red);
    expect(back.said()).toMatch(/nothing to draw; 2 as they were/);
    expect(stage.read('out/draft/sum.txt')).toBe(before);
  });

  test('is gone, is no picture for a moment, and is back', async () => {
    const red = await picture('#f00');
    stage.write('photo.png', red);
    await saved(`${film}# once more\n`);
    const gone = since(watching);
    unlinkSync(at('photo.png'));
    await gone.line(/the next save is tried/);
    expect(gone.said()).toMatch(/two\.yaml:4:\d+: error: .*photo\.png/);
    const back = await save(watching, 'photo.png', red);
    expect(back.said()).toMatch(/nothing to draw; 2 as they were/);
  });
});

test('a file of params is saved, with a mistake, and mended', async () => {
  stage.write('params.yaml', 'who: fox\n');
  stage.write(
    'params-film.yaml',
    `shotlist: 1
name: two
params: { who: { type: string }, how: { type: string, default: slow } }
steps:
  text:
    env: { WHO: "\${{ params.who }}", HOW: "\${{ params.how }}" }
    run: printf "$WHO $HOW" >text.txt
    creates: { text: text.txt }
outputs:
  text: { from: "\${{ steps.text.files.text }}", to: out/text.txt }
`,
  );
  const watching = await watchFilm(stage, 'params-film.yaml', '--param', 'params.yaml', '--param', 'how=fast');
  expect(stage.read('out/draft/text.txt')).toBe('fox fast');
  const next = await save(watching, 'params.yaml', 'who: wolf\nhow: never\n');
  expect(next.said()).toMatch(/^\nsaved params\.yaml\n/);
  expect(stage.read('out/draft/text.txt')).toBe('wolf fast');
  const broken = await save(watching, 'params.yaml', 'who: [wolf\n', /the next save is tried/);
  expect(broken.said()).toMatch(/--param params\.yaml: /);
  const wrong = await save(watching, 'params.yaml', 'whom: wolf\n', /the next save is tried/);
  expect(wrong.said()).toMatch(/whom/);
  await save(watching, 'params.yaml', 'who: owl\n');
  expect(stage.read('out/draft/text.txt')).toBe('owl fast');
  await endWatching(watching);
});

describe('what a person has decided', () => {
  const film = (word: string, title: string) => `shotlist: 1
name: two
steps:
  take:
    takes: 3
    env: { N: "\${{ take.number }}" }
    run: printf "${word} $N" >text.txt
    creates: { text: text.txt }
  best: { pick: "\${{ steps.take }}" }
  fine: { approve: "\${{ steps.best }}", ask: "is it fine?" }
  title:
    needs: fine
    files: { best: "\${{ steps.best.files.text }}" }
    run: (cat $best; printf ' ${title}') >text.txt
    creates: { text: text.txt }
outputs:
  text: { from: "\${{ steps.title.files.text }}", to: out/text.txt }
`;

  test('is kept across saves, as long as what it was decided of is the same', async () => {
    stage.write('decided.yaml', film('fox', 'one'));
    const watching = stage.start('run', '--watch', 'decided.yaml', '--as', 'Ada');
    await watching.line(/best {2}waits for you: .*\n +shotlist review decided\.yaml --draft\n/);
    const picked = since(watching);
    await ends(stage.run('pick', '--draft', 'decided.yaml', 'best', 'take=2'), 0);
    await picked.line(/fine {2}waits for you: is it fine\?/);
    const approved = since(watching);
    await ends(stage.run('approve', '--draft', 'decided.yaml', 'fine'), 0);
    await approved.line(/two is finished/);
    expect(stage.read('out/draft/text.txt')).toBe('fox 2 one');
    // Another step: nobody is asked again.
    const next = await save(watching, 'decided.yaml', film('fox', 'two'));
    expect(next.said()).not.toMatch(/waits for you/);
    expect(stage.read('out/draft/text.txt')).toBe('fox 2 two');
    // Other takes: what was picked is no more.
    const other = await save(watching, 'decided.yaml', film('wolf', 'two'), /best {2}waits for you/);
    await other.line(/take\[take=1\][\s\S]*take\[take=3\]|take\[take=3\][\s\S]*take\[take=1\]/);
    await other.line(/take\[take=2\] {2}/);
    expect(other.said()).not.toMatch(/two is finished/);
    expect(other.said().match(/best {2}waits for you/g)).toHaveLength(1);
    // As it was: the choice is the one that was made of it.
    const back = await save(watching, 'decided.yaml', film('fox', 'two'));
    expect(back.said()).not.toMatch(/waits for you/);
    await endWatching(watching);
  });
});

test('a mistake is saved while something is made: that goes on, and the mended film takes it', async () => {
  const film = (word: string) => `shotlist: 1
name: two
steps:
  slow: { run: "until [ -e '${at('go')}' ]; do sleep 0.05; done; printf slow >text.txt", creates: { text: text.txt } }
  text: { run: "printf ${word} >text.txt", creates: { text: text.txt } }
outputs:
  text: { from: "\${{ steps.text.files.text }}", to: out/text.txt }
`;
  await save(watching, 'two.yaml', film('hare'), /wrote out\/draft\/text\.txt/);
  const broken = await save(
    watching,
    'two.yaml',
    film('bear').replace('creates', 'makes'),
    /what is being drawn goes on; the next save is tried/,
  );
  expect(broken.said()).toMatch(/two\.yaml:4:\d+: error: /);
  expect(broken.said()).toMatch(/makes[\s\S]*\^/);
  stage.write('go', '');
  await broken.line(/slow {2}/);
  await broken.line(/two is finished/);
  const mended = await save(watching, 'two.yaml', film('bear'));
  expect(mended.said()).toMatch(/to draw: text; 1 as it was/);
  expect(stage.read('out/draft/text.txt')).toBe('bear');
});

test('a film that another process runs is told once, and is gone on with when that has ended', async () => {
  const film = `shotlist: 1
name: two
steps:
  text: { run: "until [ -e '${at('ended')}' ]; do sleep 0.05; done; printf fox >text.txt", creates: { text: text.txt } }
outputs:
  text: { from: "\${{ steps.text.files.text }}", to: out/text.txt }
`;
  stage.write('busy.yaml', film);
  const first = stage.start('run', '--watch', 'busy.yaml');
  await first.line(/to draw: text/);
  const second = stage.start('run', '--watch', 'busy.yaml');
  await second.line(/it is tried again until that has ended/);
  // It is tried at each save as well: at the second, what came of the first has been told. A save that one of the tries in between
  // reads already is not announced; then the next one is.
  let save = 0;
  for (const _ of [1, 2]) {
    const next = since(second);
    const saves = () => {
      stage.write('busy.yaml', `${film}# ${++save}\n`);
      return next.said();
    };
    await expect.poll(saves, { interval: 500 }).toMatch(/saved busy\.yaml/);
  }
  expect(second.stderr.match(/another shotlist is running this pipeline/g)).toHaveLength(1);
  stage.write('ended', '');
  await first.line(/two is finished/);
  await endWatching(first);
  await second.line(/two is finished/);
  expect(second.stderr).toMatch(/nothing to draw; 1 as it was/);
  await endWatching(second);
});

describe("a team's store", () => {
  const film = `shotlist: 1
name: two
steps:
  fox: { model: I-GEN-A, with: { prompt: a red fox, seed: 4 } }
  text: { run: "od -An -N8 -tx1 /dev/urandom >text.txt", creates: { text: text.txt } }
outputs:
  text: { from: "\${{ steps.text.files.text }}", to: out/text.txt }
`;
  const settings = (team: string) => `store: ${JSON.stringify(team)}\n`;

  test('has what a colleague has drawn: it is not drawn again, and nothing is sent there', async () => {
    const team = await temporaryFolder();
    const [ours, theirs] = [new Stage(), new Stage()];
    // An early picture tells that something is drawn.
    theirs.films = 'drawn anew';
    try {
      ours.write('two.yaml', film);
      ours.write('shotlist.config.yaml', settings(team));
      await ends(ours.run('run', '--draft', 'two.yaml', '--ui', 'plain'), 0);
      for (const file of ['two.yaml', 'two.lock.yaml', 'shotlist.config.yaml']) theirs.write(file, ours.read(file));
      const watching = await watchFilm(theirs);
      expect(watching.stderr).toMatch(/nothing to draw; 2 made before, to be fetched/);
      expect(watching.stderr).not.toMatch(/first frame/);
      expect(theirs.read('out/draft/text.txt')).toBe(ours.read('out/draft/text.txt'));
      const kept = readdirSync(team, { recursive: true }).length;
      const next = await saveIn(theirs, watching, 'two.yaml', film.replace('seed: 4', 'seed: 5'));
      expect(next.said()).toMatch(/to draw: fox; 1 as it was/);
      await endWatching(watching);
      expect(readdirSync(team, { recursive: true }).length).toBe(kept);
    } finally {
      ours.dispose();
      theirs.dispose();
    }
  });

  test('that is not there is told once, and everything is drawn', async () => {
    const team = await temporaryFolder();
    const [ours, theirs] = [new Stage(), new Stage()];
    try {
      ours.write('two.yaml', film);
      ours.write('shotlist.config.yaml', settings(team));
      await ends(ours.run('run', '--draft', 'two.yaml', '--ui', 'plain'), 0);
      for (const file of ['two.yaml', 'two.lock.yaml', 'shotlist.config.yaml']) theirs.write(file, ours.read(file));
      rmSync(team, { recursive: true });
      const watching = await watchFilm(theirs);
      await saveIn(theirs, watching, 'two.yaml', film.replace('seed: 4', 'seed: 5'));
      const all = await endWatching(watching);
      expect(all.match(/the folder is not there/g)).toHaveLength(1);
      expect(theirs.read('out/draft/text.txt')).not.toBe('');
    } finally {
      ours.dispose();
      theirs.dispose();
    }
  });
});
