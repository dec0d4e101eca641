/** Reports of runs with something to them: choices, cuts, other files, rounds, failures, ends that nobody planned. */

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Redactor } from '../../../src/machine/redactor.ts';
import type { InstanceKey } from '../../../src/model/run/key.ts';
import { filmStatus } from '../../../src/show/text/status/film-status.ts';
import { chatAnswer } from '../../run/fake-service.ts';
import { deciding } from '../../run/people.ts';
import { RunRig } from '../../run/rig.ts';
import { compiledProject } from '../../support/project-files.ts';
import { bars, instanceLines, newestReport } from './report-of.ts';

let rig: RunRig;
beforeEach(() => {
  rig = new RunRig();
  rig.service.isQuick = true;
  rig.facts = { kind: 'video', format: 'mp4', width: 1280, height: 720, duration: 5, fps: 24, audio_codec: null };
});
afterEach(() => rig.dispose());

const HEAD = 'shotlist: 1\nname: film\n';
const ran = async (text: string, params = {}) => rig.runToEnd(await rig.start(text, params));
const stateOf = (key: string) => newestReport(rig).instances.find(one => one.key === (key as InstanceKey))?.state;

const PICK = `${HEAD}steps:
  shot: { model: V-T2V-A, takes: 3, with: { prompt: a fox, duration: 5 } }
  best: { pick: "\${{ steps.shot }}" }
  told: { run: [echo, "\${{ steps.best.sha256 }}"] }
outputs:
  film: { from: "\${{ steps.best }}", to: out/best.mp4 }
`;

describe('a pick', () => {
  test('that nobody has decided asks, and names what there is to choose from', async () => {
    await ran(PICK);
    const report = newestReport(rig);
    expect(report.run).toMatchObject({ outcome: 'waiting', command: 'shotlist run film.yaml' });
    expect(instanceLines(report)).toEqual([
      'shot[take=1] made',
      'shot[take=2] made',
      'shot[take=3] made',
      'best asks',
      'told not_run',
    ]);
    expect(report.questions).toMatchObject([
      { key: 'best', is: 'pick', ask: 'which one is best?', count: 1, decided: null, isOpen: false },
    ]);
    const options = report.questions[0]?.options ?? [];
    expect(options.map(({ key }) => key)).toEqual(['shot[take=1]', 'shot[take=2]', 'shot[take=3]']);
    expect(options.every(({ id }) => /^[\da-f]{64}$/.test(id ?? ''))).toBe(true);
    expect(report.film).toBeNull();
  });

  test('that a person decides while it runs tells who, the losers, and how long everything waited for them', async () => {
    let answer: (take: string) => void = () => {};
    rig.decider = {
      choose: async () => undefined,
      decide: question =>
        new Promise(resolve => {
          answer = key => {
            const id = question.options.find(option => option.key === (key as InstanceKey))?.id ?? '';
            resolve({ chosen: [id], by: 'person', who: 'Ada', note: 'it breathes' });
          };
        }),
    };
    const film = await rig.start(PICK);
    const done = rig.runToEnd(film);
    for (const take of [1, 2, 3]) await film.happened('succeeded', `shot[take=${take}]`);
    expect(stateOf('best')).toBe('asks');
    expect(newestReport(rig).run).toMatchObject({ outcome: 'running', ended: null });
    rig.clock.tick(60_000);
    answer('shot[take=2]');
    await done;
    const report = newestReport(rig);
    expect(instanceLines(report).slice(3)).toEqual(['best made', 'told made']);
    expect(report.instances.map(({ chosenBy, lost }) => [chosenBy.join(), lost]).slice(0, 3)).toEqual([
      ['', true],
      ['best', false],
      ['', true],
    ]);
    expect(report.questions[0]?.decided).toMatchObject({ who: 'Ada', note: 'it breathes', chosen: ['shot[take=2]'] });
    expect(report.run.waitedForPeople).toBeGreaterThanOrEqual(60);
    expect(report.film).toMatchObject({ key: 'best', path: 'out/best.mp4' });
  });

  test('that was picked anew since leaves no question about what followed from the old one', async () => {
    rig.decider = deciding(({ is, options }) => (is === 'pick' ? { chosen: [options[0]?.id ?? ''] } : undefined));
    await ran(PICK.replace('outputs:', '  ok: { approve: "${{ steps.told }}" }\noutputs:'));
    const asked = () => filmStatus(newestReport(rig), [], '').questions.map(({ command }) => command);
    expect(asked()).toEqual(['shotlist review film.yaml']);
    const [{ choice } = {}] = rig.journal.choices.of(rig.film).flatMap(row => ('choice' in row ? [row] : []));
    if (!choice) throw new Error('it was picked');
    await rig.journal.decide({ fingerprint: '' }, () =>
      rig.journal.choices.add({ ...choice, chosen: choice.from.slice(1, 2), at: choice.at + 1 }),
    );
    expect(asked()).toEqual([]);
  });
});

test('a cut tells what is seen when, also where it was owned before', async () => {
  const film = (out: string) => `${HEAD}steps:
  shot: { matrix: { n: [1, 2] }, model: V-T2V-A, with: { prompt: "fox \${{ matrix.n }}", duration: 5 } }
  film: { cut: { clips: [ { title: Fox, for: 2s }, { each: "\${{ steps.shot }}", out: 4s } ], join: { dissolve: 0.5s } } }
  more: { run: [echo, ${out}] }
outputs:
  film: { from: "\${{ steps.film }}", to: out/fox.mp4 }
`;
  await ran(film('one'));
  const shots = [
    { at: 0, for: 2, key: null, name: 'title' },
    { at: 1.5, for: 4, key: 'shot[n=1]', name: 'shot[n=1]' },
    { at: 5, for: 4, key: 'shot[n=2]', name: 'shot[n=2]' },
  ];
  expect(newestReport(rig).film).toMatchObject({ key: 'film', path: 'out/fox.mp4', shots });
  await ran(film('two'));
  expect(stateOf('film')).toBe('reused');
  expect(newestReport(rig).film).toMatchObject({ key: 'film', shots });
});

test('rounds: those that were made, the one that is taken, and those that were not needed', async () => {
  rig.service.chatAnswers.push(chatAnswer('{"score":3}'), chatAnswer('{"score":9}'));
  await ran(`${HEAD}steps:
  draft:
    model: C-B
    with: { prompt: "\${{ has(previous.json) ? 'mend it' : 'write' }}" }
    schema: { type: object, required: [score], properties: { score: { type: integer } } }
    until: { holds: "\${{ this.json.score >= 8 }}", max: 3 }
  told: { run: [echo, "\${{ steps.draft.json.score }}"] }
`);
  const report = newestReport(rig);
  expect(instanceLines(report)).toEqual([
    'draft[round=1] made',
    'draft[round=2] made',
    'draft[round=3] left_out',
    'draft made',
    'told made',
  ]);
  const [, second, , taken] = report.instances;
  expect(second).toMatchObject({ prompt: 'mend it', text: '{"score":9}', kind: 'chat' });
  expect(taken).toMatchObject({ kind: 'until', text: '{"score":9}' });
  expect(report.critical).toEqual(['draft[round=1]', 'draft[round=2]', 'told']);
});

test('another file: its steps have their places in it, and what uses it is gathered', async () => {
  await rig.runToEnd(
    await rig.start(
      compiledProject({
        'film.yaml': `${HEAD}steps:
  cleaned: { matrix: { n: [1, 2] }, uses: ./parts/clean.yaml, with: { clip: "\${{ string(matrix.n) }}" } }
  told: { run: [echo, "\${{ steps.cleaned[1].outputs.words.sha256 }}"] }
`,
        'parts/clean.yaml': `shotlist: 1
name: clean
params: { clip: { type: string } }
steps:
  said: { run: [sh, -c, "echo $0 > w.mp4", "\${{ params.clip }}"], creates: { w: w.mp4 } }
outputs:
  words: { from: "\${{ steps.said.files.w }}", to: out/w.mp4 }
`,
      }),
    ),
  );
  const report = newestReport(rig);
  expect(report.steps.map(({ name, kind, by, place }) => [name, kind, by, place?.file, place?.line])).toEqual([
    ['cleaned/said', 'run', '2', 'parts/clean.yaml', 5],
    ['cleaned', 'uses', '2', null, 4],
    ['told', 'run', null, null, 5],
  ]);
  expect(instanceLines(report)).toEqual([
    'cleaned[n=1]/said made',
    'cleaned[n=2]/said made',
    'cleaned[n=1] made',
    'cleaned[n=2] made',
    'told made',
  ]);
  expect(report.run.isEdited).toBe(true);
});

test('a step that is fanned out on the way is told with its instances', async () => {
  rig.service.chatAnswers.push(chatAnswer('{"beats":["one","two"]}'));
  await ran(
    `${HEAD}steps:
  script: { model: C-D, with: { prompt: beats }, schema: { type: object, required: [beats], properties: { beats: { type: array, items: { type: string } } } } }
  still: { matrix: { beat: "\${{ steps.script.json.beats }}" }, max: 5, run: [echo, "\${{ matrix.beat }}"] }
outputs: {}
`.replace('outputs: {}\n', ''),
  );
  const report = newestReport(rig);
  expect(instanceLines(report).slice(1)).toEqual(['still[beat=one] made', 'still[beat=two] made']);
  expect(report.steps.map(({ name, by }) => [name, by])).toEqual([
    ['script', null],
    ['still', '2'],
  ]);
});

describe('what came to nothing', () => {
  const FILM = `${HEAD}steps:
  shot: { matrix: { n: [1, 2] }, model: V-T2V-A, with: { prompt: "fox \${{ matrix.n }}", duration: 5 } }
  framed: { each: "\${{ steps.shot }}", model: V-RF, with: { input_video: "\${{ each.result_url }}", aspect_ratio: "9:16", prompt: snow } }
outputs:
  film: { from: "\${{ steps.framed }}", to: "out/{n}.mp4" }
`;

  test('tells the failure, its cost and the command; what was blocked by it; which films are missing', async () => {
    rig.service.isQuick = false;
    const film = await rig.start(FILM);
    const done = rig.runToEnd(film);
    await film.happened('submit_accepted', 'shot[n=2]');
    rig.service.fail('gen-1', 'content refused\u001b[2J \u202eevil');
    rig.service.finish('gen-2');
    await film.happened('submit_accepted', 'framed[n=2]');
    rig.service.finish('gen-3');
    await done;
    const report = newestReport(rig);
    expect(instanceLines(report)).toEqual([
      'shot[n=1] failed',
      'shot[n=2] made',
      'framed[n=1] blocked',
      'framed[n=2] made',
    ]);
    expect(report.instances[0]?.failure).toEqual({
      ...{ code: 'generation_failed', message: 'content refused evil', cost: null },
      ...{ first: 'mend step shot in film.yaml', command: 'shotlist run film.yaml' },
    });
    expect(report.instances[0]?.attempts).toMatchObject([
      { is: 'failed', generation: 'gen-1', reason: 'content refused evil' },
    ]);
    expect(report.instances[2]?.why.verdict).toBe('it needs shot[n=1], which came to nothing');
    expect(report.outputs.map(({ path, failed }) => [path, failed])).toEqual([
      ['out/1.mp4', 'framed[n=1] is blocked'],
      ['out/2.mp4', null],
    ]);
  });

  test('a command that failed tells its last words, the lines before them and the file of all of them', async () => {
    const film = `${HEAD}steps:
  encode: { run: "echo '1 of 1'; echo 'prores4444: no such codec' >&2; exit 3" }
`;
    await ran(film);
    const [encode] = newestReport(rig).instances;
    expect(encode?.failure?.message).toBe('the command ended with exit code 3: prores4444: no such codec');
    expect(encode?.log).toMatchObject({ lines: ['1 of 1', 'prores4444: no such codec'] });
    expect(filmStatus(newestReport(rig), [], '').failed).toMatchObject([{ message: encode?.failure?.message }]);
    expect([...(await rig.start(film)).plan.instances].map(({ decision }) => decision.why)).toEqual([
      'its last try failed',
    ]);
  });

  test('a run that died was cut off: what was under way is told as unknown, and the next run takes it up', async () => {
    rig.service.isQuick = false;
    const film = await rig.start(FILM);
    await film.happened('submit_accepted', 'shot[n=2]');
    expect(newestReport(rig).run.outcome).toBe('running');
    await rig.kill();
    const again = await rig.start(FILM);
    const before = newestReport(rig, undefined, 0);
    expect(before.run).toMatchObject({ outcome: 'cut_off', command: 'shotlist run film.yaml' });
    expect(before.run).toMatchObject({ spent: 0, in_flight: { requests: 2, usd: null } });
    expect(instanceLines(before).slice(0, 2)).toEqual(['shot[n=1] not_run', 'shot[n=2] not_run']);
    expect(before.instances[0]).toMatchObject({
      attempts: [{ is: 'running', ended: null, generation: 'gen-1' }],
      why: { verdict: 'the run ended before it did; the next one takes it up' },
    });
    const done = rig.runToEnd(again);
    rig.service.isQuick = true;
    rig.service.finish('gen-1');
    rig.service.finish('gen-2');
    await done;
    expect(newestReport(rig).instances[0]).toMatchObject({
      state: 'made',
      attempts: [{ generation: 'gen-1', is: 'made' }],
    });
  });

  test('what was selected away is left out, and so are its films', async () => {
    rig.selection = { only: ['shot[n=2]'] } as never;
    await ran(FILM);
    const report = newestReport(rig);
    expect(instanceLines(report)).toEqual([
      'shot[n=1] left_out',
      'shot[n=2] made',
      'framed[n=1] left_out',
      'framed[n=2] left_out',
    ]);
    expect(report.outputs).toEqual([]);
  });
});

test('a profile is told, and a run in it is found beside those of the real film', async () => {
  const film = `${HEAD}profiles: { draft: { models: { film: V-T2V-C } } }
models: { film: V-T2V-A }
steps:
  shot: { model: film, with: { prompt: a fox } }
`;
  await ran(film);
  rig.profile = 'draft';
  await ran(film);
  expect(newestReport(rig).run.profile).toBe('draft');
  expect(newestReport(rig).steps[0]?.model).toBe('V-T2V-C');
  expect(newestReport(rig, undefined, 1).run.profile).toBe('final');
});

describe('the world', () => {
  const ONE = `${HEAD}params: { token: { type: string, secret: true } }
steps:
  words: { model: C-D, with: { prompt: "say \${{ params.token }}" } }
  shot: { needs: [words], model: V-T2V-A, with: { prompt: a fox, duration: 5 } }
`;

  test('a clock that is set back in the middle makes no bar of negative length', async () => {
    rig.service.isQuick = false;
    rig.service.chatAnswers.push(chatAnswer('so'));
    const film = await rig.start(ONE, { token: 'tok_59cf1a2b77e0' });
    const done = rig.runToEnd(film);
    await film.happened('submit_accepted', 'shot');
    rig.clock.tick(2_000);
    rig.clock.tick(-3_600_000);
    rig.service.finish('gen-1');
    await done;
    const report = newestReport(rig);
    const [bar = ''] = bars(report, 'shot');
    const times = [...bar.matchAll(/ (-?[\d.]+)/g)].map(([, time]) => Number(time));
    expect(times.every((time, at) => at === 0 || time >= (times[at - 1] ?? 0))).toBe(true);
    expect(report.run.ended).toBeGreaterThanOrEqual(report.run.began);
  });

  test('a secret stands nowhere in a report', async () => {
    rig.secrets = new Redactor([['$token', 'tok_59cf1a2b77e0']]);
    rig.service.chatAnswers.push(chatAnswer('it is tok_59cf1a2b77e0'));
    await ran(ONE, { token: 'tok_59cf1a2b77e0' });
    const text = JSON.stringify(newestReport(rig));
    expect(text).not.toContain('tok_59cf1a2b77e0');
    expect(text).toContain('$token');
  });

  test('hostile texts are clean, and a prompt of a megabyte is cut, also where it is kept', async () => {
    const hostile = `\u001b]0;x\u0007\u202e<script>${'x'.repeat(1_000_000)}`;
    rig.service.chatAnswers.push(chatAnswer(`\u001b[31mred\u202e ${'y'.repeat(100_000)}`));
    await ran(`${HEAD}description: ${JSON.stringify('two\u202e\u001b[1m')}
steps:
  words: { model: C-D, with: { prompt: ${JSON.stringify(hostile)}, max_tokens: 5 } }
`).catch(() => undefined);
    const text = JSON.stringify(newestReport(rig));
    expect(text).not.toMatch(/[\u001b\u202e\u0007]|\\u001b|\\u202e/);
    expect(text.length).toBeLessThan(200_000);
    const database = new DatabaseSync(join(rig.folder, 'journal.db'));
    expect(Number(database.prepare('SELECT sum(length(body)) AS n FROM run_plan').get()?.n)).toBeLessThan(20_000);
    database.close();
  });

  test('damaged rows and a plan that was never kept leave what the rest tells', async () => {
    rig.service.chatAnswers.push(chatAnswer('so'));
    await ran(ONE, { token: 'tok_59cf1a2b77e0' });
    const database = new DatabaseSync(join(rig.folder, 'journal.db'));
    database.exec("UPDATE event SET body = 'x' WHERE key = 'words' AND type = 'succeeded'");
    const damaged = newestReport(rig);
    expect(damaged.run.isWhole).toBe(false);
    expect(instanceLines(damaged)).toEqual(['words not_run', 'shot made']);
    database.exec('DELETE FROM run_plan');
    const old = newestReport(rig);
    expect(old.run).toMatchObject({ isWhole: false, outcome: 'done', name: 'film', isEdited: false });
    expect(old.steps.map(({ name, kind, place }) => [name, kind, place])).toEqual([
      ['words', 'model', null],
      ['shot', 'video', null],
    ]);
    expect(old.instances[1]?.why.verdict).toBe('never run');
    // Its tables cannot be compared with a log that is damaged.
    database.exec('DELETE FROM event; DELETE FROM submission; DELETE FROM charge');
    database.close();
  });

  test('two films of a project that run at once are told apart', async () => {
    rig.service.isQuick = false;
    const beside = new RunRig(rig);
    beside.film = 'other';
    const film = (name: string) =>
      `${HEAD}steps:\n  ${name}: { model: V-T2V-A, with: { prompt: ${name}, duration: 5 } }\n`;
    const [one, other] = [await rig.start(film('shot')), await beside.start(film('still'))];
    await Promise.all([one.happened('submit_accepted'), other.happened('submit_accepted')]);
    rig.service.finish('gen-1');
    await rig.runToEnd(one);
    // It is read now and then how far the other is.
    while (!other.events.some(({ type }) => type === 'progress')) await rig.clock.advance(rig.clock.sleeping[0] ?? 0);
    expect(instanceLines(newestReport(rig))).toEqual(['shot made']);
    expect(newestReport(beside).run.outcome).toBe('running');
    expect(newestReport(beside).instances).toMatchObject([{ key: 'still', state: 'running' }]);
    await beside.kill();
    rig.film = 'other';
    expect(newestReport(rig).run.outcome).toBe('cut_off');
  });
});
