/** `until` in a run: round after round, each with the criticism of the one before, until one holds; nothing is made or paid behind that. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { InstanceKey } from '../../src/domain/key.ts';
import type { Outcome } from '../../src/run/run.ts';
import { compiledProject } from '../support/project-files.ts';
import { chatAnswer, eventLines, RunRig, type StartedRun } from './rig.ts';

let rig: RunRig;
beforeEach(() => {
  rig = new RunRig();
  rig.service.isQuick = true;
});
afterEach(() => rig.dispose());

const FILM = `shotlist: 1
name: film
steps:
  draft:
    model: C-B
    with: { prompt: "\${{ has(previous.json) ? 'mend: ' + previous.json.notes : 'write' }}" }
    schema: { type: object, required: [score, notes], properties: { score: { type: integer }, notes: { type: string } } }
    until: { holds: "\${{ this.json.score >= 8 }}", max: 3 }
  told: { run: [echo, "\${{ steps.draft.json.score }}"] }
`;
const said = (score: number, notes = `notes of ${score}`) => chatAnswer(JSON.stringify({ score, notes }));
async function ran(text = FILM): Promise<{ readonly film: StartedRun; readonly outcome: Outcome }> {
  const film = await rig.start(text);
  return { film, outcome: await rig.runToEnd(film) };
}
const stdoutOf = ({ results }: Outcome, key: string) => {
  const result = results.get(key as InstanceKey)?.result;
  return result?.is === 'command' ? result.stdout.trim() : undefined;
};
const failures = ({ events }: StartedRun) =>
  events.flatMap(event => (event.type === 'failed' ? [`${event.key}: ${event.failure.message}`] : []));
const ended = ({ events }: StartedRun) =>
  eventLines(events).filter(line => /succeeded|reused|skipped|failed|blocked|left_out/.test(line));
const asked = () => rig.service.calls.map(call => JSON.stringify(call));

describe('rounds', () => {
  test('are made with the criticism until one holds; nothing is asked behind it, and again nothing is paid', async () => {
    rig.service.chatAnswers.push(said(4), said(9));
    const { film, outcome } = await ran();
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
    const again = await ran();
    expect([again.outcome.is, rig.service.calls.length]).toEqual(['done', 2]);
    await rig.cloneAfresh();
    const cloned = await ran();
    expect([cloned.outcome.is, rig.service.calls.length, stdoutOf(cloned.outcome, 'told')]).toEqual(['done', 2, '9']);
  });

  test('the first holds: one round', async () => {
    rig.service.chatAnswers.push(said(8));
    const { film, outcome } = await ran();
    expect([outcome.is, rig.service.calls.length, stdoutOf(outcome, 'told')]).toEqual(['done', 1, '8']);
    expect(ended(film).filter(line => line.includes('skipped'))).toEqual([
      'draft[round=2] skipped',
      'draft[round=3] skipped',
    ]);
  });

  test('none holds: the step fails with what it came to, nothing follows, and a raised `max` goes on from there', async () => {
    rig.service.chatAnswers.push(said(1), said(2), said(3), said(8));
    const { film, outcome } = await ran();
    expect(outcome.is).toBe('failed');
    expect(failures(film)).toEqual([
      expect.stringMatching(/^draft: none of its 3 rounds holds; of the last, this\.json\.score is 3$/),
    ]);
    expect(ended(film).at(-1)).toBe('told blocked');
    const again = await ran();
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
  const project = (film = USING, clean = CLEAN) => compiledProject({ 'film.yaml': film, 'clean.yaml': clean });
  const run = async (film = project()) => {
    const started = await rig.start(film);
    return { film: started, outcome: await rig.runToEnd(started) };
  };

  test('each coordinate has rounds of its own, and what others read is the one that holds', async () => {
    rig.service.chatAnswers.push(said(4), said(9), said(8));
    const { film, outcome } = await run();
    expect([outcome.is, failures(film)]).toEqual(['done', []]);
    const scores = ['told[beat=a]', 'told[beat=b]'].map(key => stdoutOf(outcome, key)?.split(' ')[1]);
    expect([scores.sort(), rig.service.calls.length, stdoutOf(outcome, 'all')]).toEqual([['8', '9'], 3, '2']);
    // Two shots, three repairs.
    expect(rig.service.posts.length).toBe(5);
    expect(ended(film)).toEqual(expect.arrayContaining(['cleaned[beat=a,round=3]/repair skipped']));
    expect([...film.plan.instances].map(({ key }) => key).filter(key => key.includes('round=1'))).toEqual([
      'cleaned[beat=a,round=1]/repair',
      'cleaned[beat=b,round=1]/repair',
      'cleaned[beat=a,round=1]/always',
      'cleaned[beat=b,round=1]/always',
      'cleaned[beat=a,round=1]/score',
      'cleaned[beat=b,round=1]/score',
      'cleaned[beat=a,round=1]',
      'cleaned[beat=b,round=1]',
    ]);
    await rig.cloneAfresh();
    const again = await run();
    expect([again.outcome.is, rig.service.calls.length, rig.service.posts.length]).toEqual(['done', 3, 5]);
  });

  test('a round that fails fails the step', async () => {
    rig.service.chatAnswers.push(chatAnswer('no'), chatAnswer('no'), said(8));
    const { film, outcome } = await run(project(USING.replace('[a, b]', '[a]')));
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
