/** `until` in a run: round after round, each with the criticism of the one before, until one holds; nothing is made or paid behind that. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { reject } from '../../src/app/choices/choose.ts';
import type { InstanceKey } from '../../src/model/run/key.ts';
import { formatUsd } from '../../src/model/text/format.ts';
import { LockFile } from '../../src/records/lock/lock-file.ts';
import { compiledProject } from '../support/project-files.ts';
import { chatAnswer } from './fake-service.ts';
import { deciding, verdictOn } from './people.ts';
import { eventLines, failures, ran, rig, type StartedRun, stdoutOf, withQuickRig } from './rig.ts';

withQuickRig();

const FILM = `steps:
  draft:
    model: C-B
    with: { prompt: "\${{ has(previous.json) ? 'mend: ' + previous.json.notes : 'write' }}" }
    schema: { type: object, required: [score, notes], properties: { score: { type: integer }, notes: { type: string } } }
    until: { holds: "\${{ this.json.score >= 8 }}", max: 3 }
  told: { run: [echo, "\${{ steps.draft.json.score }}"] }
`;
const said = (score: number, notes = `notes of ${score}`) => chatAnswer(JSON.stringify({ score, notes }));
const ended = ({ events }: StartedRun) =>
  eventLines(events).filter(line => /succeeded|reused|skipped|failed|blocked|left_out/.test(line));
const over = ({ events }: StartedRun) =>
  events.flatMap(event =>
    event.type === 'round_over' ? [`${event.key} ${event.round} of ${event.of} ${event.holds} ${event.said}`] : [],
  );
const asked = () => rig.service.calls.map(call => JSON.stringify(call));

test('what a person has against a round is `previous.note` of the next, also where the lock alone knows it', async () => {
  const film = (max: number) => `shotlist: 1
name: film
steps:
  draft:
    model: C-B
    with: { prompt: "\${{ has(previous.note) ? 'mend: ' + previous.note : 'write' }}" }
    until: { holds: "\${{ this.text == 'gold' }}", max: ${max}, otherwise: last }
  cleaned: { uses: clean.yaml, with: { words: "\${{ has(previous.note) ? previous.note : 'none' }}" }, until: { holds: "\${{ this.outputs.best.media.duration > 99.0 }}", max: ${Math.min(max, 2)}, otherwise: last } }
`;
  const CLEAN = `shotlist: 1
name: clean
params: { words: { type: string } }
steps:
  line: { takes: 2, model: V-T2V-A, with: { prompt: "a fox, \${{ params.words }}", duration: 5 } }
  best: { pick: "\${{ steps.line }}", rule: "\${{ candidate.matrix.take }}" }
outputs: { best: { from: "\${{ steps.best }}", to: out/best.mp4 } }
`;
  const project = (max: number) => compiledProject({ 'film.yaml': film(max), 'clean.yaml': CLEAN });
  const run = async (max: number) => (await ran(project(max))).outcome;
  rig.service.chatAnswers.push(chatAnswer('lead'), chatAnswer('gold'));
  const first = await run(1);
  const disk = {
    read: async () => rig.lockText ?? null,
    write: async () => {
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    },
    writeAside: async () => '',
  };
  const lock = LockFile.open(rig.lockText, 'house', 'film.lock.yaml', false);
  for (const [name, note] of [
    ['draft[round=1]', 'too dark'],
    ['cleaned[round=1]/line[take=2]', 'red, please'],
  ] as const) {
    const key = name as InstanceKey;
    const id = first.results.get(key)?.fingerprint ?? '';
    const rejected = { key, who: 'Ada', at: 0, note };
    await expect(reject({ journal: rig.journal, lock, lockPath: '' }, { id, key }, rejected, disk)).rejects.toThrow(
      'ENOSPC',
    );
  }
  expect(rig.lockText).not.toContain('rejections');
  expect((await run(3)).is).toBe('done');
  expect(rig.lockText).toContain(
    '  rejections of house:\n    cleaned[round=1]/line[take=2]:\n      who: Ada\n      at: 1970-01-01T00:00:00.000Z\n      note: red, please\n      candidate: ',
  );
  expect(asked().at(-1)).toContain('mend: too dark');
  expect(rig.service.posts.map(post => JSON.stringify(post).match(/a fox, ([^"]*)/)?.[1])).toEqual([
    'none',
    'none',
    'red, please',
    'red, please',
  ]);
  await rig.cloneAfresh();
  const again = await run(3);
  expect([again.is, rig.service.calls.length, rig.service.posts.length]).toEqual(['done', 2, 4]);
});

describe('rounds', () => {
  test('are made with the criticism until one holds; nothing is asked behind it, and again nothing is paid', async () => {
    rig.service.chatAnswers.push(said(4), said(9));
    const { film, outcome } = await ran(FILM);
    expect([outcome.is, failures(film), stdoutOf(outcome, 'told')]).toEqual(['done', [], '9']);
    expect(asked()).toEqual([expect.stringContaining('write'), expect.stringContaining('mend: notes of 4')]);
    expect(ended(film)).toEqual([
      'draft[round=1] succeeded',
      'draft[round=2] succeeded',
      'draft[round=3] skipped',
      'draft succeeded',
      'told succeeded',
    ]);
    expect(outcome.counts).toMatchObject({ succeeded: 4, skipped: 0, left_out: 1 });
    expect(over(film)).toEqual([
      'draft[round=1] 1 of 3 false this.json.score is 4',
      'draft[round=2] 2 of 3 true this.json.score is 9',
    ]);
    expect(outcome.results.get('draft' as InstanceKey)?.result).toMatchObject({ is: 'round', round: 2 });
    const again = await ran(FILM);
    expect([again.outcome.is, rig.service.calls.length]).toEqual(['done', 2]);
    expect(rig.lockText).toContain('    draft[round=1]:\n');
    expect(rig.lockText).toContain('    draft[round=2]:\n');
    expect(rig.lockText).not.toContain('    draft:\n');
    await rig.cloneAfresh();
    const cloned = await ran(FILM);
    expect([cloned.outcome.is, rig.service.calls.length, stdoutOf(cloned.outcome, 'told')]).toEqual(['done', 2, '9']);
  });

  test('rounds that ask for the same as an earlier one are that result, and are counted as what was paid', async () => {
    rig.pricing = new Map([['C-B', { method: 'token', input_cost_per_token: 0.001, output_cost_per_token: 0.002 }]]);
    rig.service.chatAnswers.push(said(4), said(5));
    const { film, outcome } = await ran(
      FILM.replace("'mend: ' + previous.json.notes", "'mend'").replace('max: 3', 'max: 6'),
    );
    expect([outcome.is, rig.service.calls.length, outcome.usd > 0]).toEqual(['failed', 2, true]);
    expect(failures(film)).toEqual([expect.stringContaining(`they cost ${formatUsd(outcome.usd)}`)]);
  });

  test('none holds: the step fails with what it came to, nothing follows, and a raised `max` goes on from there', async () => {
    rig.service.chatAnswers.push(said(1), said(2), said(3), said(8));
    const { film, outcome } = await ran(FILM);
    expect(outcome.is).toBe('failed');
    expect(failures(film)).toEqual([
      expect.stringMatching(/^draft: none of its 3 rounds holds; of the last, this\.json\.score is 3$/),
    ]);
    expect(ended(film).at(-1)).toBe('told blocked');
    const again = await ran(FILM);
    expect([again.outcome.is, rig.service.calls.length, failures(again.film)]).toEqual(['failed', 3, failures(film)]);
    const raised = await ran(FILM.replace('max: 3', 'max: 5'));
    expect([raised.outcome.is, rig.service.calls.length, stdoutOf(raised.outcome, 'told')]).toEqual(['done', 4, '8']);
    const lowered = await ran(FILM.replace('max: 3', 'max: 2'));
    expect([lowered.outcome.is, rig.service.calls.length]).toEqual(['failed', 4]);
  });

  test.each([
    ['last', '2', 3],
    ['"${{ this.json.score }}"', '5', 3],
  ])('none holds, otherwise: %s', async (otherwise, taken, calls) => {
    rig.service.chatAnswers.push(said(1), said(5), said(2));
    const { film, outcome } = await ran(FILM.replace('max: 3', `max: 3, otherwise: ${otherwise}`));
    expect([outcome.is, failures(film)]).toEqual(['done', []]);
    expect([stdoutOf(outcome, 'told'), rig.service.calls.length]).toEqual([taken, calls]);
  });
});

describe('a file in rounds', () => {
  const CLEAN = `shotlist: 1
name: clean
params: { clip: { type: string }, notes: { type: string, default: '' } }
steps:
  repair: { model: V-V2V, with: { input_video: "\${{ params.clip }}", prompt: "clean it \${{ params.notes }}" } }
  always: { run: [echo, beside] }
  score:
    model: C-B
    needs: [repair]
    with: { prompt: "score \${{ steps.repair.sha256 }}" }
    schema: { type: object, required: [score, notes], properties: { score: { type: integer }, notes: { type: string } } }
outputs:
  film: { from: "\${{ steps.repair }}", to: out/clean.mp4 }
  score: { from: "\${{ steps.score }}", to: out/score.json }
`;
  const USING = `shotlist: 1
name: film
steps:
  shot: { matrix: { beat: [a, b] }, model: V-T2V-A, with: { prompt: "beat \${{ matrix.beat }}", duration: 5 } }
  cleaned:
    each: \${{ steps.shot }}
    uses: ./clean.yaml
    with: { clip: "\${{ each.result_url }}", notes: "\${{ has(previous.outputs) ? previous.outputs.score.json.notes : '' }}" }
    until: { holds: "\${{ this.outputs.score.json.score >= 8 }}", max: 3 }
  told: { each: "\${{ steps.cleaned }}", run: [echo, "\${{ matrix.beat }} \${{ each.outputs.score.json.score }} \${{ each.outputs.film.sha256 }}"] }
  all: { run: [echo, "\${{ size(steps.cleaned) }}"] }
outputs:
  film: { from: "\${{ steps.cleaned.outputs.film }}", to: "out/{beat}.mp4" }
`;
  const run = (film = USING) => ran(compiledProject({ 'film.yaml': film, 'clean.yaml': CLEAN }));

  test('each coordinate has rounds of its own, and what others read is the one that holds', async () => {
    rig.service.chatAnswers.push(said(4), said(9), said(8));
    const { film, outcome } = await run();
    expect([outcome.is, failures(film)]).toEqual(['done', []]);
    const scores = ['told[beat=a]', 'told[beat=b]'].map(key => stdoutOf(outcome, key)?.split(' ')[1]);
    expect([scores.sort(), rig.service.calls.length, stdoutOf(outcome, 'all')]).toEqual([['8', '9'], 3, '2']);
    // Two shots, three repairs.
    expect(rig.service.posts.length).toBe(5);
    expect(ended(film)).toEqual(expect.arrayContaining(['cleaned[beat=a,round=3]/repair skipped']));
    await rig.cloneAfresh();
    const again = await run();
    expect([again.outcome.is, rig.service.calls.length, rig.service.posts.length]).toEqual(['done', 3, 5]);
  });

  test('a round that fails fails the step', async () => {
    rig.service.chatAnswers.push(chatAnswer('no'), chatAnswer('no'), said(8));
    const { film, outcome } = await run(USING.replace('[a, b]', '[a]'));
    expect(outcome.is).toBe('failed');
    expect(ended(film).filter(line => /blocked|failed/.test(line))).toEqual(
      expect.arrayContaining([
        'cleaned[beat=a,round=1]/score failed',
        'cleaned[beat=a] blocked',
        'told[beat=a] blocked',
      ]),
    );
    expect(rig.service.calls.length).toBe(2);
  });
});

describe('a person in the round', () => {
  const project = () => compiledProject({ 'film.yaml': USING, 'clean.yaml': CLEAN });
  const CLEAN = `shotlist: 1
name: clean
params: { notes: { type: string, default: none } }
steps:
  mended: { run: 'echo "mended by $NOTES" > text.txt', env: { NOTES: "\${{ params.notes }}" }, creates: { text: text.txt } }
  ok: { approve: "\${{ steps.mended }}" }
outputs:
  text: { from: "\${{ steps.mended.files.text }}", to: out/text.txt }
  ok: { from: "\${{ steps.ok }}", to: out/ok.json }
`;
  const USING = `shotlist: 1
name: film
steps:
  cleaned:
    uses: ./clean.yaml
    with: { notes: "\${{ has(previous.outputs) ? previous.outputs.ok.note : 'nobody' }}" }
    until: { holds: "\${{ this.outputs.ok.approved }}", max: 3 }
  told: { run: ["cat", "\${{ steps.cleaned.outputs.text.file }}"] }
  by: { run: [echo, "\${{ steps.cleaned.outputs.ok.by }}"] }
`;

  test('nobody there: the run waits between its rounds, for days, and goes on in another process', async () => {
    expect((await ran(project())).outcome.is).toBe('waiting');
    rig.decider = deciding(() => ({ chosen: [], note: 'too dark' }));
    const second = await rig.start(project());
    rig.decider = undefined;
    expect((await rig.runToEnd(second)).is).toBe('failed');
    expect(failures(second)).toEqual([
      expect.stringContaining('none of its 3 rounds holds; of the last, this.outputs.ok.approved is false'),
    ]);
  });
});

describe('further vices', () => {
  test('`holds` that has no value for a round fails the step, with the round and what is missing', async () => {
    rig.service.chatAnswers.push(chatAnswer('{"score": 3, "notes": "a"}'), chatAnswer('{"score": 3, "notes": "b"}'));
    const { film, outcome } = await ran(
      FILM.replace('this.json.score >= 8', "8 / size(this.json.notes.replace('b', '')) > 9"),
    );
    expect([outcome.is, rig.service.calls.length]).toEqual(['failed', 2]);
    expect(failures(film)).toEqual([expect.stringMatching(/^draft: draft\[round=2\]: /)]);
  });

  test('killed between rounds, it goes on behind the last one that was made', async () => {
    const film = await rig.start(PICTURES);
    void rig.runToEnd(film).catch(() => {});
    await film.happened('submit_accepted', 'shot[round=2]');
    await rig.kill();
    const { outcome } = await ran(PICTURES);
    expect([outcome.is, rig.service.posts.length]).toEqual(['failed', 3]);
    // Where the model has a seed, each round has its own.
    expect(rig.service.posts.map(post => (post as unknown as { seed?: number }).seed)).toEqual([undefined, 2, 3]);
  });
});

const PICTURES = `steps:
  shot: { model: V-T2V-A, with: { prompt: a fox, duration: 5 }, until: { holds: "\${{ this.media.duration > 60 }}", max: 3 } }
`;

describe('with everything that makes instances', () => {
  test('a list that another step writes, takes, and a chain of `each`: each of them has rounds of its own', async () => {
    rig.service.chatAnswers.push(chatAnswer('{"beats":["a","b"]}'));
    const { film, outcome } = await ran(`steps:
  script:
    model: C-B
    with: { prompt: write }
    schema: { type: object, required: [beats], properties: { beats: { type: array, maxItems: 3, items: { type: string } } } }
  line:
    matrix: { beat: "\${{ steps.script.json.beats }}" }
    takes: 2
    max: 3
    run: [echo, "\${{ matrix.beat }}\${{ take.number }}\${{ has(previous.stdout) ? previous.stdout.trim() : '' }}"]
    until: { holds: "\${{ size(this.stdout.trim()) > 3 * take.number }}", max: 4 }
  said: { each: "\${{ steps.line }}", run: [echo, "\${{ each.stdout.trim() }}!"] }
  best: { each: "\${{ steps.said }}", pick: takes, rule: "\${{ size(candidate.stdout) }}" }
  all: { run: [echo, "\${{ steps.best.map(b, b.stdout.trim()).join(' ') }} \${{ size(steps.line) }}"] }
`);
    expect([outcome.is, failures(film)]).toEqual(['done', []]);
    expect(stdoutOf(outcome, 'all')).toBe('a2a2a2a2! b2b2b2b2! 4');
    expect(ended(film)).toEqual(
      expect.arrayContaining(['line[beat=a,take=1,round=3] skipped', 'line[beat=b,take=2] succeeded']),
    );
  });

  test('a step that is off has no rounds, and what stands in for it is taken as it is', async () => {
    const { outcome, film } = await ran(`params: { up: { type: boolean, default: false } }
steps:
  plain: { run: [echo, plain] }
  line:
    if: \${{ params.up }}
    else: \${{ steps.plain }}
    run: [echo, "\${{ has(previous.stdout) ? previous.stdout : 'up' }}"]
    until: { holds: "\${{ this.stdout == 'x' }}", max: 2 }
  told: { run: [echo, "\${{ steps.line.stdout.trim() }}"] }
`);
    expect([outcome.is, stdoutOf(outcome, 'told'), failures(film)]).toEqual(['done', 'plain', []]);
  });
});

test('rounds inside rounds: a file that is made again has a step of its own that is made again', async () => {
  const inner = `shotlist: 1
name: inner
params: { from: { type: integer } }
steps:
  count:
    run: [echo, "\${{ params.from }}\${{ has(previous.stdout) ? previous.stdout.trim() : '' }}"]
    until: { holds: "\${{ size(this.stdout.trim()) >= 2 }}", max: 3 }
  file: { run: "echo $N > n.txt", env: { N: "\${{ steps.count.stdout.trim() }}" }, creates: { n: n.txt } }
  ok: { approve: "\${{ steps.count }}" }
outputs:
  n: { from: "\${{ steps.file.files.n }}", to: out/n.txt }
  ok: { from: "\${{ steps.ok }}", to: out/ok.json }
`;
  const outer = `shotlist: 1
name: film
steps:
  all:
    uses: ./inner.yaml
    with: { from: "\${{ has(previous.outputs) ? 7 : 1 }}" }
    until: { holds: "\${{ this.outputs.ok.approved }}", max: 3 }
  told: { run: [cat, "\${{ steps.all.outputs.n.file }}"] }
outputs:
  n: { from: "\${{ steps.all.outputs.n }}", to: out/n.txt }
  ok: { from: "\${{ steps.all.outputs.ok }}", to: out/ok.json }
`;
  const answers = [false, true];
  rig.decider = deciding(question => verdictOn(question, answers.shift() === true));
  const project = () => compiledProject({ 'film.yaml': outer, 'inner.yaml': inner });
  const { film, outcome } = await ran(project());
  expect([outcome.is, failures(film), stdoutOf(outcome, 'told')]).toEqual(['done', [], '77']);
  expect(ended(film)).toEqual(
    expect.arrayContaining([
      'all[round=1]/count[round=2] succeeded',
      'all[round=2]/count[round=3] skipped',
      'all[round=3]/count[round=1] skipped',
      'all succeeded',
    ]),
  );
  expect(readFileSync(join(rig.folder, 'out/n.txt'), 'utf8')).toBe('77\n');
  expect(JSON.parse(readFileSync(join(rig.folder, 'out/ok.json'), 'utf8'))).toMatchObject({
    approved: true,
    by: 'Ada',
  });
  const again = await rig.start(project());
  expect(again.plan.totals).toMatchObject({ maybe: 0, run: 0 });
  expect((await rig.runToEnd(again)).is).toBe('done');
});
