import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { emptyRunView, type RunView } from '../../../src/records/views/run-view.ts';
import { outputsOf } from '../../../src/show/text/report/reported-outputs.ts';
import { RunRig } from '../../run/rig.ts';
import { bars, instanceLines, newestReport } from './report-of.ts';

let rig: RunRig;
beforeEach(() => {
  rig = new RunRig();
  rig.service.isQuick = true;
  rig.pricing = new Map([['V-T2V-A', { method: 'per_video_output_second', cost_per_second: 0.1 }]]);
});
afterEach(() => rig.dispose());

const film = (idea = 'a fox') => `
shotlist: 1
name: fox
description: One shot, two takes.
steps:
  shot:
    description: The fox itself.
    model: V-T2V-A
    matrix: { seed: [1, 2] }
    with: { prompt: "${idea}, single shot", seed: "\${{ matrix.seed }}" }
  note:
    run: [ echo, "\${{ steps.shot[0].sha256 }}" ]
outputs:
  film: { from: "\${{ steps.shot }}", to: "out/{seed}.mp4" }
`;

describe('a first run', () => {
  test('tells the run, its steps with their places, and what leads to what', async () => {
    // The note reads both takes, so that it ends last whichever of them is there first.
    const both = film().replace('sha256 }}"', 'sha256 }}", "${{ steps.shot[1].sha256 }}"');
    await rig.runToEnd(await rig.start(both));
    const { run, steps, edges, critical, outputs, film: made } = newestReport(rig, both);
    expect(run).toMatchObject({
      ...{ name: 'fox', description: 'One shot, two takes.', file: 'film.yaml', service: 'house', isFree: false },
      ...{ outcome: 'done', command: null, saved: 0, isEdited: false, isWhole: true },
    });
    expect(steps).toMatchObject([
      { name: 'shot', kind: 'video', model: 'V-T2V-A', by: '2', description: 'The fox itself.', place: { line: 6 } },
      { name: 'note', kind: 'run', model: null, by: null, needs: ['shot'], place: { line: 11, column: 3 } },
    ]);
    expect(edges).toEqual([['shot', 'note']]);
    expect(critical).toEqual([expect.stringMatching(/^shot\[seed=[12]\]$/), 'note']);
    expect(outputs.map(({ path, failed }) => [path, failed])).toEqual([
      ['out/1.mp4', null],
      ['out/2.mp4', null],
    ]);
    expect(made).toMatchObject({ key: 'shot[seed=2]', path: 'out/2.mp4', shots: [] });
  });

  test('tells each instance: what it was asked for, what it gave, and each try as a bar', async () => {
    await rig.runToEnd(await rig.start(film()));
    const report = newestReport(rig, film());
    const [shot, , note] = report.instances;
    expect(shot).toMatchObject({
      ...{ key: 'shot[seed=1]', coordinates: { seed: '1' }, state: 'made', kind: 'video', model: 'V-T2V-A' },
      ...{ prompt: 'a fox, single shot', request: 'prompt: a fox, single shot\nseed: 1', seed: '1' },
      ...{ generation: 'gen-1', media: { facts: { kind: 'video' } }, why: { verdict: 'never run', fields: [] } },
    });
    expect(note).toMatchObject({
      ...{ state: 'made', kind: 'run', cost: 0, needs: ['shot[seed=1]'], why: { verdict: 'never run' } },
      prompt: expect.stringMatching(/^echo [\da-f]{64}$/),
      text: expect.stringMatching(/^[\da-f]{64}$/),
    });
    expect(bars(report, 'shot[seed=1]')).toEqual(['queued 0, running 0, fetching 1.001, made 1.001']);
  });
});

test('why something was made again is told field by field, against what it was asked for before that run', async () => {
  await rig.runToEnd(await rig.start(film()));
  await rig.runToEnd(await rig.start(film('a hare')));
  await rig.runToEnd(await rig.start(film('an owl')));
  const second = newestReport(rig, film('an owl'), 1);
  expect(second.instances[0]?.why).toEqual({
    verdict: 'prompt changed',
    fields: [
      { name: 'prompt', is: 'changed', was: 'a fox, single shot', now: 'a hare, single shot' },
      { name: 'model', is: 'same', was: 'V-T2V-A', now: 'V-T2V-A' },
      { name: 'seed', is: 'same', was: '1', now: '1' },
    ],
  });
  expect(second.instances[2]?.why.verdict).toBe('run changed');
  expect(second.run.isEdited).toBe(true);
  expect(newestReport(rig).run.isEdited).toBe(false);
});

test('what is reused is told with what it saved; a run that changes nothing has no report', async () => {
  await rig.runToEnd(await rig.start(film()));
  const more = film().replace('[1, 2]', '[1, 2, 3]');
  await rig.runToEnd(await rig.start(more));
  const report = newestReport(rig, more);
  expect(instanceLines(report).map(line => line.split(' ').slice(0, 2).join(' '))).toEqual([
    'shot[seed=1] reused',
    'shot[seed=2] reused',
    'shot[seed=3] made',
    'note reused',
  ]);
  expect(report.instances[0]?.media).not.toBeNull();
  // What a row says that it saved is what the run says.
  expect(report.instances.reduce((sum, { state, price }) => sum + (state === 'reused' ? (price ?? 0) : 0), 0)).toBe(
    report.run.saved,
  );
  expect(report.run.saved).toBeGreaterThan(0);
  await rig.runToEnd(await rig.start(more));
  expect(newestReport(rig).run.id).toBe(report.run.id);
});

test('what a clone knows of before, from the lock alone, is held against as well', async () => {
  await rig.runToEnd(await rig.start(film()));
  await rig.cloneAfresh();
  await rig.runToEnd(await rig.start(film('a hare')));
  expect(newestReport(rig).instances[0]?.why.fields.slice(0, 2)).toEqual([
    { name: 'prompt', is: 'changed', was: 'a fox, single shot', now: 'a hare, single shot' },
    { name: 'model', is: 'same', was: 'V-T2V-A', now: 'V-T2V-A' },
  ]);
});

test('the facts of a film are not those of a frame of it that an output is', async () => {
  await rig.runToEnd(await rig.start(film()));
  const { instances } = newestReport(rig, film());
  const key = instances[0]!.key;
  const poster = { name: 'poster', key, path: 'out/poster.png' };
  const written = { output: 'poster', key, path: 'out/poster.png', media: { kind: 'image' as const } };
  const of = (outputs: RunView['outputs']) =>
    outputsOf([poster], new Map(instances.map(one => [one.key, one])), { ...emptyRunView(), outputs });
  expect(of([written])).toMatchObject([{ path: 'out/poster.png', media: null, failed: null }]);
  const { media: _, ...whole } = written;
  expect(of([whole])).toMatchObject([{ media: { facts: { kind: 'video' } } }]);
});
