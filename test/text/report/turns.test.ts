/** A run that several leads had, one after the other, told as one. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Choice } from '../../../src/model/run/choice.ts';
import type { RecordedEvent } from '../../../src/model/run/event.ts';
import type { GenerationId, InstanceKey, RunId } from '../../../src/model/run/key.ts';
import type { RunReport } from '../../../src/model/run/run-report.ts';
import { asOneRun } from '../../../src/records/views/merged-turns.ts';
import { AllTurns } from '../../../src/records/views/turn-states.ts';
import { runReport } from '../../../src/show/text/report/report.ts';
import { runTally } from '../../../src/show/text/status/run-tally.ts';
import { RunRig } from '../../run/rig.ts';
import { instanceLines, newestReport } from './report-of.ts';

let rig: RunRig;
beforeEach(() => {
  rig = new RunRig();
  rig.service.isQuick = true;
  rig.facts = { kind: 'video', format: 'mp4', width: 1280, height: 720, duration: 5, fps: 24, audio_codec: null };
});
afterEach(() => rig.dispose());

const FILM = `shotlist: 1
name: film
steps:
  shot: { model: V-T2V-A, takes: 2, with: { prompt: a fox, duration: 5 } }
  best: { pick: "\${{ steps.shot }}" }
  told: { run: [echo, "\${{ steps.best.sha256 }}"] }
`;

const PLAIN = FILM.replace(/ {2}best.*\n/, '').replace('steps.best.', 'steps.shot[0].');

/** Of a person, while nobody ran it. */
const decided: readonly Choice[] = [];

/** All turns that have left a trace, as one run. */
function asOne(at: 'running' | 'over' = 'over'): RunReport {
  const turns = rig.journal.views.runs.of(rig.film, 'all').toReversed();
  const { events, plan } = asOneRun(
    turns.map(({ run }) => ({ events: rig.journal.read(run).events, plan: rig.journal.views.runs.planOf(run) })),
    decided,
  );
  const [first] = turns;
  if (!first) throw new Error('no run has left a trace');
  const report = runReport({
    ...{ run: first.run, file: 'film.yaml', events, plan, isRunning: at === 'running', choices: [], isEdited: false },
    resultOf: fingerprint => rig.journal.views.owned.find(fingerprint)?.result,
    askedBefore: rig.journal.views.runs.askedBefore(first.run, rig.film),
    logOf: () => undefined,
  });
  // What `status` of a team's run reads says the same of its money and its end.
  const kept = new AllTurns();
  for (const { run } of turns) for (const event of rig.journal.read(run).events) kept.apply(event);
  expect(kept.spent).toBeCloseTo(report.run.spent, 9);
  expect([kept.began, at === 'over' ? (kept.outcome ?? 'cut_off') : 'running']).toEqual([
    report.run.began,
    report.run.outcome,
  ]);
  return report;
}

test.each(['in the turn that downloads it', 'in the turn after'])(
  'a bill for what another run had made changes nothing of this one: %s',
  when => {
    const shot = 'shot' as InstanceKey;
    const id = 'gen-1' as GenerationId;
    const fingerprint = 'f';
    const media = { kind: 'video', format: 'mp4', width: 1280, height: 720, duration: 5, fps: 24, audio_codec: null };
    const result = { is: 'media', generation_id: id, result_url: 'u', sha256: 'a', bytes: 1, cost: 0.5, media };
    const bill = { type: 'billed', key: shot, generation_id: id, cost: 0.01, estimate: 0.5, fingerprint };
    const turn = (run: string, ...happened: readonly object[]) =>
      [
        {
          ...{ type: 'run_started', run, pipeline: 'f', name: 'f', service: 'house', resumed: false, usd: null },
          instances: [{ key: shot, model: 'V', needs: [], price: 0.5 }],
        },
        ...happened,
        { type: 'run_finished', outcome: 'done', usd: 0, results: 1 },
      ].map((event, n) => ({ ...event, seq: n + 1, at: n + 1 })) as unknown as readonly RecordedEvent[];
    const first = turn(
      'r1',
      { type: 'taken_up', key: shot, nonce: 'n', fingerprint, generation_id: id, made: true },
      { type: 'generated', key: shot, generation_id: id, result_url: 'u', cost: 0.5 },
      { type: 'succeeded', key: shot, fingerprint, result },
      ...(when === 'in the turn that downloads it' ? [bill] : []),
    );
    const second = turn(
      'r2',
      { type: 'reused', key: shot, fingerprint, from: 'journal', result },
      ...(when === 'in the turn after' ? [bill] : []),
    );
    const kept = new AllTurns();
    for (const event of [...first, ...second]) kept.apply(event);
    const { events } = asOneRun(
      [first, second].map(events => ({ events, plan: undefined })),
      [],
    );
    expect([kept.spent, events.find(({ type }) => type === 'run_finished')]).toEqual([
      0,
      expect.objectContaining({ usd: 0, estimated: 0, unpriced: 0 }),
    ]);
  },
);

test('what is kept for `status` of a large run is bounded, and its counts are whole', () => {
  const turns = new AllTurns();
  const all = (name: string) => Array.from({ length: 1_000 }, (_, n) => `${name}[n=${n}]` as InstanceKey);
  const instances = [
    ...all('frame').map(key => ({ key, model: 'run', needs: [], price: 0 })),
    ...all('shot').map((key, n) => ({ key, model: 'V', needs: [`frame[n=${n}]` as InstanceKey], price: 0 })),
  ];
  const started = {
    type: 'run_started',
    run: 'r' as RunId,
    pipeline: 'f',
    name: 'f',
    service: 's',
    resumed: false,
  } as const;
  turns.apply({ ...started, instances, usd: null, seq: 1, at: 1 });
  for (const key of all('frame').slice(0, 300))
    turns.apply({
      type: 'failed',
      key,
      failure: { code: 'input_changed', message: 'no' },
      seq: 2,
      at: 2,
    });
  const { counts, failed, waiting } = runTally(turns);
  expect([counts, failed.length]).toEqual([{ failed: 300, waiting: 1_700 }, 100]);
  expect(waiting.length).toBeLessThanOrEqual(102);
  expect(waiting.reduce((sum, { count }) => sum + count, 0)).toBe(1_700);
  expect(waiting.at(-1)).toEqual({ step: 'shot', for: null, count: 602 });
});

test('what a person decided between two turns goes on: all of it is made by this run, and paid for by it', async () => {
  await rig.runToEnd(await rig.start(FILM));
  expect(asOne()).toEqual({ ...newestReport(rig), run: { ...newestReport(rig).run, isEdited: false } });
  const waiting = asOne();
  expect(waiting.run.outcome).toBe('waiting');
  rig.decider = { choose: async () => undefined, decide: async ({ options: [one] }) => one && byAda(one.id) };
  await rig.runToEnd(await rig.start(FILM));
  const alone = newestReport(rig);
  expect(instanceLines(alone).slice(0, 2)).toEqual(['shot[take=1] reused', 'shot[take=2] reused']);
  const all = asOne();
  expect(instanceLines(all)).toEqual([...instanceLines(waiting).slice(0, 2), 'best made', 'told made']);
  expect(all.run).toMatchObject({ outcome: 'done', began: waiting.run.began, ended: alone.run.ended, saved: 0 });
  expect(all.run.spent).toBe(waiting.run.spent);
  expect(all.run.unpriced).toBe(waiting.run.unpriced);
  expect(all.run.isWhole).toBe(true);
  expect(all.instances.map(({ why }) => why).slice(0, 2)).toEqual(waiting.instances.map(({ why }) => why).slice(0, 2));
});

test('a turn that was cut off is told by what it had under way, and its money counts once', async () => {
  rig.service.isQuick = false;
  const film = await rig.start(FILM);
  await film.happened('submit_accepted', 'shot[take=1]');
  await film.happened('submit_accepted', 'shot[take=2]');
  await rig.kill();
  const again = await rig.start(FILM);
  const done = rig.runToEnd(again);
  rig.service.isQuick = true;
  rig.service.finish('gen-1');
  rig.service.finish('gen-2');
  await done;
  const all = asOne();
  expect(all.run.outcome).toBe('waiting');
  expect(instanceLines(all).slice(0, 2)).toEqual(instanceLines(newestReport(rig)).slice(0, 2));
  expect(all.run.spent).toBe(newestReport(rig).run.spent);
});

test('what a later turn learns of the cost of what an earlier one made is an expense of the run', async () => {
  rig.service.isQuick = false;
  const film = await rig.start(PLAIN);
  await film.happened('submit_accepted', 'shot[take=2]');
  rig.service.finish('gen-1');
  await film.happened('succeeded', 'shot[take=1]');
  await rig.kill();
  rig.service.costs = { 'gen-1': '0.25', 'gen-2': '0.5' };
  const again = await rig.start(PLAIN);
  const done = rig.runToEnd(again);
  rig.service.finish('gen-2');
  await done;
  expect(asOne().run).toMatchObject({ spent: 0.75, estimated: 0, unpriced: 0 });
  expect(newestReport(rig).run.spent).toBe(0.5);
});

test('what failed in one turn and was made in the next is made; while that goes on it waits', async () => {
  rig.service.isQuick = false;
  const first = await rig.start(PLAIN);
  const ended = rig.runToEnd(first);
  await first.happened('submit_accepted', 'shot[take=2]');
  rig.service.fail('gen-1', 'content refused');
  rig.service.finish('gen-2');
  await ended;
  expect(instanceLines(asOne()).slice(0, 2)).toEqual(['shot[take=1] failed', 'shot[take=2] made']);
  const second = await rig.start(PLAIN);
  const done = rig.runToEnd(second);
  await second.happened('submit_accepted', 'shot[take=1]');
  expect(instanceLines(asOne('running')).slice(0, 2)).toEqual(['shot[take=1] queued', 'shot[take=2] made']);
  rig.service.isQuick = true;
  rig.service.finish('gen-3');
  await done;
  const all = asOne();
  expect(instanceLines(all)).toEqual(['shot[take=1] made', 'shot[take=2] made', 'told made']);
  expect(all.instances[0]?.attempts.map(({ is }) => is)).toEqual(['failed', 'made']);
});

const byAda = (id: string) => ({ chosen: [id], by: 'person' as const, who: 'Ada' });
