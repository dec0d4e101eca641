/**
 * `until` in a film that is promoted. Whether a round holds is asked of what was made, and in another profile that is something else: so
 * rounds are made there as the file says, of what was picked alone; and what is asked word for word alike is made once.
 */
import { describe, expect, test } from 'vitest';
import { carriedIn, promotionLines } from '../../src/show/plan/promotion-text.ts';
import { compiledProject, type Texts } from '../support/project-files.ts';
import { chatAnswer } from './fake-service.ts';
import { deciding, verdictOn } from './people.ts';
import { type Made, made, picked, plannedAgain } from './profile-runs.ts';
import { failures, rig, stdoutOf, withQuickRig } from './rig.ts';

withQuickRig(() => {
  rig.pricing = new Map([
    ['V-T2V-A', { method: 'per_video_output_second', cost_per_second: 0.1 }],
    ['V-T2V-C', { method: 'per_video_output_second', cost_per_second: 0.01 }],
  ]);
});

/** What is shown before it is made: of these lines. */
async function shown(draft: Made, texts: Texts, label: RegExp): Promise<readonly string[]> {
  const planned = plannedAgain(draft);
  rig.profile = undefined;
  const { plan: final, context } = await rig.start(compiledProject(texts));
  const picks = rig.promotion?.picks ?? [];
  const lines = promotionLines({
    ...{ from: 'draft', to: 'final', picks, draft: planned, final, allTakes: final },
    becomes: new Map(picks.map(pick => [pick.key, carriedIn(final, context, pick)])),
    cameTo: { usd: 0.3, unknown: 0 },
  });
  await rig.kill();
  return lines.filter(line => label.test(line)).map(line => line.trim().replace(/ {2,}/g, ' '));
}
async function promotedFrom(texts: Texts): Promise<Made> {
  const draft = await made('draft', texts);
  expect([draft.outcome.is, failures(draft.film)]).toEqual(['done', []]);
  const { decided, open } = picked(draft);
  expect(open).toEqual([]);
  rig.promotion = { from: 'draft', picks: decided };
  return draft;
}
/** What it was planned to come to at most. */
const usdOf = ({ film: { plan } }: Made) => plan.totals.usd;
const said = (score: number, notes = `notes of ${score}`) => chatAnswer(JSON.stringify({ score, notes }));

const HEAD = `shotlist: 1
name: film
models: { film: V-T2V-A }
profiles:
  draft: { models: { film: V-T2V-C } }
`;

describe('a pick over what is made in rounds', () => {
  /** Each of the takes holds in its second round. */
  const FILM = `${HEAD}steps:
  shot:
    model: film
    takes: 3
    with: { prompt: "a fox\${{ has(previous.sha256) ? ', once more than ' + previous.sha256 : '' }}", duration: 5 }
    until: { holds: "\${{ this.request.prompt.contains('more') }}", max: 3 }
  best: { each: "\${{ steps.shot }}", pick: takes, rule: "\${{ candidate.matrix.take == 2 ? 1 : 0 }}" }
  told: { run: [echo, "\${{ steps.best.sha256 }}"] }
`;
  test('only what was picked goes in rounds, and a choice like any other is in the lock afterwards', async () => {
    const texts = { 'film.yaml': FILM };
    const draft = await promotedFrom(texts);
    expect(draft.sent).toEqual([1, 2, 3].flatMap(take => [1, 2].map(round => `shot[take=${take},round=${round}]`)));
    expect(rig.promotion?.picks).toMatchObject([{ key: 'best', chosen: ['shot[take=2]'] }]);
    expect(await shown(draft, texts, /^ {2}(rounds|final)/)).toEqual([
      'rounds shot[take=2]: round 2 held in draft; whether one holds is asked anew, of 3 at most',
      'final comes to up to $1.50',
    ]);
    const final = await made(undefined, texts);
    expect([final.outcome.is, failures(final.film), final.sent]).toEqual([
      'done',
      [],
      ['shot[take=2,round=1]', 'shot[take=2,round=2]'],
    ]);
    expect(carriedIn(final.film.plan, final.film.context, rig.promotion!.picks[0]!)).toBe('carried');
    // Three rounds of one take at most, of 5 s at $0.10.
    expect(usdOf(final)).toBeCloseTo(1.5);
    rig.promotion = undefined;
    expect((await made(undefined, texts)).sent).toEqual([]);
    await rig.cloneAfresh();
    expect((await made(undefined, texts)).sent).toEqual([]);
  });

  test('killed between its rounds, it goes on behind the last one that was made', async () => {
    const texts = { 'film.yaml': FILM };
    await promotedFrom(texts);
    rig.profile = undefined;
    const first = await rig.start(compiledProject(texts));
    void rig.runToEnd(first).catch(() => {});
    await first.happened('submit_accepted', 'shot[take=2,round=2]');
    await rig.kill();
    const final = await made(undefined, texts);
    expect([final.outcome.is, final.sent]).toEqual(['done', []]);
  });
});

describe('a file that is made in rounds', () => {
  const CLEAN = `shotlist: 1
name: clean
params: { clip: { type: string }, notes: { type: string, default: '' } }
steps:
  repair: { model: V-V2V, with: { input_video: "\${{ params.clip }}", prompt: "clean it \${{ params.notes }}" } }
  score:
    model: C-B
    with: { prompt: "score \${{ steps.repair.sha256 }}" }
    schema: { type: object, required: [score, notes], properties: { score: { type: integer }, notes: { type: string } } }
outputs:
  film: { from: "\${{ steps.repair }}", to: out/clean.mp4 }
  score: { from: "\${{ steps.score }}", to: out/score.json }
`;
  const TAKES = `${HEAD}steps:
  shot: { model: film, takes: 2, with: { prompt: a fox, duration: 5 } }
  cleaned:
    each: \${{ steps.shot }}
    uses: ./clean.yaml
    with: { clip: "\${{ each.result_url }}", notes: "\${{ has(previous.outputs) ? previous.outputs.score.json.notes : '' }}" }
    until: { holds: "\${{ this.outputs.score.json.score >= 8 }}", max: 3 }
  best: { pick: "\${{ steps.cleaned }}", rule: "\${{ candidate.outputs.score.json.score }}" }
  told: { run: [echo, "\${{ steps.best.outputs.score.json.notes }}"] }
`;
  test('what was picked of several is made again with the criticism of its own rounds', async () => {
    const texts = { 'film.yaml': TAKES, 'clean.yaml': CLEAN };
    rig.service.chatAnswers.push(said(4), said(5), said(8), said(9));
    const draft = await promotedFrom(texts);
    expect([draft.sent.length, rig.service.calls.length]).toEqual([6, 4]);
    const [{ chosen: [chosen = ''] = [] } = {}] = rig.promotion?.picks ?? [];
    const take = chosen.slice('cleaned['.length, -1);
    rig.service.chatAnswers.push(said(3, 'still grey'), said(10, 'clear'));
    const final = await made(undefined, texts);
    expect([final.outcome.is, failures(final.film), stdoutOf(final.outcome, 'told')]).toEqual(['done', [], 'clear']);
    expect(final.sent).toEqual([`cleaned[${take},round=1]/repair`, `cleaned[${take},round=2]/repair`, `shot[${take}]`]);
    expect(JSON.stringify(rig.service.posts.at(-1))).toContain('clean it still grey');
    rig.promotion = undefined;
    await rig.cloneAfresh();
    const again = await made(undefined, texts);
    expect([again.sent, rig.service.calls.length, stdoutOf(again.outcome, 'told')]).toEqual([[], 6, 'clear']);
  });

  test('where none holds in the real film it fails, and no take that lost is made in its place; more rounds go on from there', async () => {
    const texts = { 'film.yaml': TAKES, 'clean.yaml': CLEAN };
    rig.service.chatAnswers.push(said(9), said(8));
    await promotedFrom(texts);
    rig.service.chatAnswers.push(said(1), said(2), said(3));
    const final = await made(undefined, texts);
    expect([final.outcome.is, final.sent.length, failures(final.film)]).toEqual([
      'failed',
      4,
      [expect.stringMatching(/^cleaned\[take=\d\]: none of its 3 rounds holds/)],
    ]);
    rig.service.chatAnswers.push(said(9, 'at last'));
    const raised = await made(undefined, { ...texts, 'film.yaml': TAKES.replace('max: 3', 'max: 4') });
    expect([raised.outcome.is, raised.sent, stdoutOf(raised.outcome, 'told')]).toEqual([
      'done',
      [expect.stringMatching(/^cleaned\[take=\d,round=4\]\/repair$/)],
      'at last',
    ]);
  });

  test('nothing is picked of a draft of which no round holds', async () => {
    const texts = { 'film.yaml': TAKES, 'clean.yaml': CLEAN };
    for (let n = 0; n < 6; n++) rig.service.chatAnswers.push(said(n));
    const draft = await made('draft', texts);
    expect(draft.outcome.is).toBe('failed');
    expect(picked(draft)).toEqual({ decided: [], open: ['best'] });
  });
});

describe('a pick inside of the rounds', () => {
  const INNER = `shotlist: 1
name: inner
models: { film: V-T2V-A }
params: { notes: { type: string, default: '' } }
steps:
  shot: { model: V-T2V-A, takes: 2, with: { prompt: "a fox \${{ params.notes }}", duration: 5 } }
  best: { each: "\${{ steps.shot }}", pick: takes }
  score:
    model: C-B
    with: { prompt: "score \${{ steps.best.sha256 }}" }
    schema: { type: object, required: [score, notes], properties: { score: { type: integer }, notes: { type: string } } }
outputs:
  film: { from: "\${{ steps.best }}", to: out/best.mp4 }
  score: { from: "\${{ steps.score }}", to: out/score.json }
`;
  const OUTER = `shotlist: 1
name: film
params: { style: { type: string, default: fine } }
profiles: { draft: { params: { style: rough } } }
steps:
  whole:
    uses: ./inner.yaml
    with: { notes: "\${{ params.style }} \${{ has(previous.outputs) ? previous.outputs.score.json.notes : '' }}" }
    until: { holds: "\${{ this.outputs.score.json.score >= 8 }}", max: 3 }
  told: { run: [echo, "\${{ steps.whole.outputs.score.json.notes }}"] }
`;
  const texts = { 'film.yaml': OUTER, 'inner.yaml': INNER };
  const second = deciding(({ options }) => ({ chosen: options.slice(1, 2).map(({ id }) => id) }));

  test('each round has its own; a round that the draft never came to is asked of anew', async () => {
    rig.decider = second;
    rig.service.chatAnswers.push(said(4), said(9));
    const draft = await promotedFrom(texts);
    expect(draft.sent.length).toBe(4);
    expect(await shown(draft, texts, /best|rounds|final comes/)).toEqual([
      'picked whole[round=1]/best: whole[round=1]/shot[take=2]',
      'whole[round=2]/best: whole[round=2]/shot[take=2]',
      'rounds whole: round 2 held in draft; whether one holds is asked anew, of 3 at most',
      // One take of the first two rounds, both of the third.
      'final comes to up to $2.00, and 3 instances without a known price',
    ]);
    expect(rig.promotion?.picks).toMatchObject([
      { key: 'whole[round=1]/best', chosen: ['whole[round=1]/shot[take=2]'] },
      { key: 'whole[round=2]/best', chosen: ['whole[round=2]/shot[take=2]'] },
    ]);
    rig.decider = undefined;
    rig.service.chatAnswers.push(said(3), said(4));
    const final = await made(undefined, texts);
    // The third round is new: both takes of it are made, and nobody is there.
    expect([final.outcome.is, failures(final.film), final.sent]).toEqual([
      'waiting',
      [],
      [
        'whole[round=1]/shot[take=2]',
        'whole[round=2]/shot[take=2]',
        'whole[round=3]/shot[take=1]',
        'whole[round=3]/shot[take=2]',
      ],
    ]);
    rig.decider = second;
    rig.service.chatAnswers.push(said(8, 'good'));
    const end = await made(undefined, texts);
    expect([end.outcome.is, end.sent, stdoutOf(end.outcome, 'told')]).toEqual(['done', [], 'good']);
  });
});

test('what the profiles ask alike is made once: criticism of a text that both have is not gone through again', async () => {
  const texts = {
    'film.yaml': `${HEAD}steps:
  text:
    model: C-B
    with: { prompt: "\${{ has(previous.json) ? 'mend: ' + previous.json.notes : 'write' }}" }
    schema: { type: object, required: [score, notes], properties: { score: { type: integer }, notes: { type: string } } }
    until: { holds: "\${{ this.json.score >= 8 }}", max: 3 }
  shot: { model: film, takes: 2, with: { prompt: "\${{ steps.text.json.notes }}", duration: 5 } }
  best: { each: "\${{ steps.shot }}", pick: takes, rule: "\${{ candidate.matrix.take }}" }
  told: { run: [echo, "\${{ steps.best.request.prompt }}"] }
`,
  };
  rig.service.chatAnswers.push(said(4), said(9, 'a red fox'));
  await promotedFrom(texts);
  const final = await made(undefined, texts);
  expect([
    final.outcome.is,
    failures(final.film),
    final.sent,
    rig.service.calls.length,
    stdoutOf(final.outcome, 'told'),
  ]).toEqual(['done', [], ['shot[take=2]'], 2, 'a red fox']);
});

test('a profile may have fewer rounds', async () => {
  const texts = {
    'film.yaml': `shotlist: 1
name: film
params: { rounds: { type: integer, default: 3 } }
models: { film: V-T2V-A }
profiles: { draft: { models: { film: V-T2V-C }, params: { rounds: 1 } } }
steps:
  shot:
    model: film
    takes: 2
    with: { prompt: "a fox\${{ has(previous.file) ? ', ' + previous.request.prompt : '' }}", duration: 5 }
    until: { holds: "\${{ this.request.prompt.contains('fox, a fox') }}", max: "\${{ params.rounds }}", otherwise: last }
  best: { each: "\${{ steps.shot }}", pick: takes, rule: "\${{ candidate.matrix.take }}" }
  told: { run: [echo, "\${{ steps.best.request.prompt }}"] }
`,
  };
  const draft = await promotedFrom(texts);
  expect([draft.sent, stdoutOf(draft.outcome, 'told')]).toEqual([
    ['shot[take=1,round=1]', 'shot[take=2,round=1]'],
    'a fox',
  ]);
  const final = await made(undefined, texts);
  expect([final.outcome.is, final.sent, stdoutOf(final.outcome, 'told')]).toEqual([
    'done',
    ['shot[take=2,round=1]', 'shot[take=2,round=2]'],
    'a fox, a fox',
  ]);
});

describe('a person in the rounds', () => {
  const CLEAN = `shotlist: 1
name: clean
params: { notes: { type: string }, style: { type: string } }
steps:
  mended: { run: 'echo "$STYLE, mended by $NOTES" > text.txt', env: { NOTES: "\${{ params.notes }}", STYLE: "\${{ params.style }}" }, creates: { text: text.txt } }
  ok: { approve: "\${{ steps.mended }}" }
outputs:
  text: { from: "\${{ steps.mended.files.text }}", to: out/text.txt }
  ok: { from: "\${{ steps.ok }}", to: out/ok.json }
`;
  const USING = `shotlist: 1
name: film
params: { style: { type: string, default: fine } }
profiles: { draft: { params: { style: rough } } }
steps:
  cleaned:
    uses: ./clean.yaml
    with: { style: "\${{ params.style }}", notes: "\${{ has(previous.outputs) ? previous.outputs.ok.note : 'nobody' }}" }
    until: { holds: "\${{ this.outputs.ok.approved }}", max: 3 }
  told: { run: [cat, "\${{ steps.cleaned.outputs.text.file }}"] }
`;
  test('is asked again: an approval is of what was shown, and so is a no', async () => {
    const texts = { 'film.yaml': USING, 'clean.yaml': CLEAN };
    const answers: (string | undefined)[] = ['too dark', undefined];
    rig.decider = deciding(question => {
      const note = answers.shift();
      return verdictOn(question, note === undefined, note);
    });
    const draft = await promotedFrom(texts);
    expect([rig.promotion?.picks, stdoutOf(draft.outcome, 'told')]).toEqual([[], 'rough, mended by too dark']);
    expect(await shown(draft, texts, /rounds|asked again/)).toEqual([
      'rounds cleaned: round 2 held in draft; whether one holds is asked anew, of 3 at most',
      'asked again cleaned[round=1]/ok: an approval is of what was shown',
    ]);
    const { decider } = rig;
    rig.decider = undefined;
    expect((await made(undefined, texts)).outcome.is).toBe('waiting');
    rig.decider = decider;
    const final = await made(undefined, texts);
    expect([final.outcome.is, stdoutOf(final.outcome, 'told')]).toEqual(['done', 'fine, mended by nobody']);
  });
});
