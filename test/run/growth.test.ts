/** Steps whose lists other steps write, in a run: they are fanned out as soon as the list is there. */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Counts } from '../../src/model/run/event.ts';
import { growing } from '../plan/growing.ts';
import { compiled } from '../plan/support.ts';
import { comingUp } from './custom-service.ts';
import { chatAnswer } from './fake-service.ts';
import { blocked, eventLines, failures, quickCut, ran, rig, type StartedRun, stdoutOf, withQuickRig } from './rig.ts';

/** `script` writes the beats, each becomes a shot and a final; `cut` reads all of them, `other` none. */
const BEATS = `
params: { list: { type: array, default: [x] } }
steps:
  script:
    model: C-D
    with: { prompt: beats about a fox, max_tokens: 100 }
    schema: { type: object }
  shot:
    matrix: { beat: "\${{ params.list }}" }
    model: V-T2V-A
    with: { prompt: "\${{ matrix.beat }}", duration: 5 }
  final:
    each: "\${{ steps.shot }}"
    model: V-UP
    with: { input_video: "\${{ each.result_url }}" }
  cut:
    run: [echo, "\${{ string(size(steps.final)) }} finals"]
outputs:
  beat: { from: "\${{ steps.final }}", to: "out/{beat}.mp4" }
`;
const beats = (text = BEATS) => growing(text, { shot: 'steps.script.json.beats' });
const saying = (...list: readonly unknown[]) => chatAnswer(JSON.stringify({ beats: list }));

/** Another step beside `script`, as a line of the file. */
const withStep = (line: string, text = BEATS) => text.replace('outputs:', `${line}\noutputs:`);
/** A script that writes this as soon as there is a file at `path`. */
const listWhen = (path: string, list: string) => `until test -e '${path}'; do sleep 0.02; done; echo '${list}'`;
/** `shot` is fanned out at once, and `final` when `sizes` writes a list, which it does when there is a file at `path`. */
const beatsBySize = (path: string) =>
  growing(
    byCommand('echo \'{"beats":["a","b"]}\'')
      .replace('each: "${{ steps.shot }}"', 'each: "${{ steps.shot }}"\n    matrix: { size: "${{ params.list }}" }')
      .replace(/ {2}cut:[\s\S]*/, `  sizes: { run: ${JSON.stringify(listWhen(path, '{"sizes":[1]}'))} }\n`),
    { shot: 'steps.script.json.beats', final: 'steps.sizes.json.sizes' },
  );
/** A command that writes the list, instead of a chat model. */
const byCommand = (script: string, text = BEATS) =>
  text.replace(/ {2}script:\n(?: {4}.*\n)+/, `  script: { run: ${JSON.stringify(script)} }\n`);

withQuickRig();

const counts = (some: Partial<Counts>): Counts => ({
  ...{ succeeded: 0, reused: 0, failed: 0, blocked: 0, skipped: 0, unfinished: 0 },
  ...some,
});
const expanded = ({ events }: StartedRun) =>
  events.flatMap(event =>
    event.type === 'expanded' ? [`${event.step}: ${event.instances.map(({ key }) => key).join(' ')}`] : [],
  );

describe('a list that is written in the run', () => {
  test('by a chat model: the step behind it starts when the list is there', async () => {
    rig.service.chatAnswers.push(saying('dawn'));
    const film = await rig.start(beats());
    expect(film.plan.open.map(({ step }) => step)).toEqual(['shot', 'final']);
    const outcome = await rig.runToEnd(film);
    expect(eventLines(film.events).filter(line => /script succeeded|expanded|intended|cut/.test(line))).toEqual([
      ...['script submit_intended', 'script succeeded', 'expanded', 'expanded', 'shot[beat=dawn] submit_intended'],
      ...['final[beat=dawn] submit_intended', 'cut command_started', 'cut succeeded'],
    ]);
    expect(expanded(film)).toEqual(['shot: shot[beat=dawn]', 'final: final[beat=dawn]']);
    expect(outcome).toMatchObject({ is: 'done', counts: counts({ succeeded: 4 }) });
    expect(outcome.outputs).toEqual([{ is: 'written', output: 'beat', key: 'final[beat=dawn]', path: 'out/dawn.mp4' }]);
  });

  test('decides by its rows which are made and which part of a clip is cut; another prompt leaves the film as it can be planned', async () => {
    const path = join(rig.folder, 'take.mp4');
    writeFileSync(path, 'take');
    const facts = { kind: 'video', duration: 9 } as const;
    rig.files = { 'take.mp4': { sha256: 'a'.repeat(64), url: `file://${path}`, facts, bytes: 4 } };
    rig.facts = { kind: 'video', format: 'mp4', width: 1280, height: 720, duration: 1, fps: 24 };
    const film = (prompt: string) => `steps:
  script:
    model: C-D
    with: { prompt: ${prompt} }
    schema: { type: object, required: [rows], properties: { rows: { type: array, maxItems: 4, items: { type: object, required: [on, from, to], properties: { on: { type: boolean }, from: { type: number }, to: { type: number } } } } } }
  part:
    matrix: { row: "\${{ steps.script.json.rows }}" }
    if: "\${{ matrix.row.on }}"
    cut: { clips: [{ from: take.mp4, in: "\${{ matrix.row.from }}", out: "\${{ matrix.row.to }}" }], size: 640x360, fps: 24 }
`;
    const seen: unknown[] = [];
    rig.renderCut = order => {
      seen.push(order.cut.shots.map(({ frames }) => frames / 24));
      return quickCut(order);
    };
    const rows = [true, false].map(on => ({ on, from: 2, to: 5 }));
    rig.service.chatAnswers.push(chatAnswer(JSON.stringify({ rows })));
    expect((await ran(film('cut it'))).outcome.counts).toEqual(counts({ succeeded: 2, skipped: 1 }));
    expect(seen).toEqual([[3]]);
    const { plan } = await rig.start(film('cut it anew'));
    expect(plan.open.map(({ step, why }) => `${step} ${why}`)).toEqual(['part waits for script']);
  });

  test('by a command: each of its values is a shot, and what reads all of them waits for the last', async () => {
    const { film, outcome } = await ran(beats(byCommand('echo \'{"beats":["a","b"]}\'')));
    expect(expanded(film)).toEqual(['shot: shot[beat=a] shot[beat=b]', 'final: final[beat=a] final[beat=b]']);
    expect(outcome).toMatchObject({ is: 'done', counts: counts({ succeeded: 6 }) });
    expect(rig.service.posts.map(({ prompt }) => prompt).slice(0, 2)).toEqual(['a', 'b']);
    expect(stdoutOf(outcome, 'cut')).toBe('2 finals');
    expect(readdirSync(join(rig.folder, 'out')).sort()).toEqual(['a.mp4', 'b.mp4']);
  });

  test('an index into it is an edge to that one instance, though it was not known at the start', async () => {
    const go = join(rig.folder, 'go');
    const film = await rig.start(
      compiled(`steps:
  script: { run: [echo, '{"beats": [1, 2]}'] }
  shot: { matrix: { beat: "\${{ steps.script.json.beats }}" }, max: 9, run: "test $beat = 1 || until test -e '${go}'; do sleep 0.02; done", env: { beat: "\${{ matrix.beat }}" } }
  first: { run: [echo, "\${{ steps.shot[0].stdout }}"] }
  after: { needs: [first], run: "touch '${go}'" }
`),
    );
    expect((await rig.runToEnd(film)).is).toBe('done');
  });

  test('by a step that is skipped: there is nothing to make, and what reads all of it is skipped', async () => {
    const asked = 'echo no';
    const text = withStep(`  ask: { run: ${asked} }`, byCommand('echo never')).replace(
      '  script: {',
      '  script: { if: "${{ steps.ask.stdout == \'yes\' }}",',
    );
    const { film, outcome } = await ran(beats(text));
    expect(eventLines(film.events)).toEqual([
      'ask command_started',
      'ask succeeded',
      'script skipped',
      'expanded',
      'expanded',
      'cut skipped',
      'final output_failed',
      'run_finished',
    ]);
    expect(expanded(film)).toEqual(['shot: ', 'final: ']);
    // The films that were asked for are not there.
    expect(outcome).toMatchObject({ is: 'failed', counts: counts({ succeeded: 1, skipped: 2 }) });
  });

  test('what is made of one value does not wait for the others; a failure blocks what is made from it, and who reads all', async () => {
    rig.service.isQuick = false;
    rig.service.chatAnswers.push(saying('a', 'b'));
    const film = await rig.start(beats());
    await film.happened('submit_accepted', 'shot[beat=b]');
    rig.service.finish('gen-1');
    await film.happened('submit_accepted', 'final[beat=a]');
    rig.service.fail('gen-2', 'too dark');
    await film.happened('blocked', 'final[beat=b]');
    rig.service.finish('gen-3');
    const outcome = await film.done;
    expect(blocked(film)).toEqual(['final[beat=b] by shot[beat=b]', 'cut by shot[beat=b]']);
    expect(outcome).toMatchObject({ is: 'failed', counts: counts({ succeeded: 3, failed: 1, blocked: 2 }) });
    expect(readdirSync(join(rig.folder, 'out'))).toEqual(['a.mp4']);
  });
});

describe('a list that is owned', () => {
  test('is planned at once, and nothing is expanded', async () => {
    rig.service.chatAnswers.push(saying('a'));
    await rig.runToEnd(await rig.start(beats(BEATS.slice(0, BEATS.indexOf('  shot:')))));
    const film = await rig.start(beats());
    expect(film.plan.open).toEqual([]);
    const outcome = await rig.runToEnd(film);
    expect(expanded(film)).toEqual([]);
    expect(eventLines(film.events).slice(0, 3)).toEqual([
      'script reused',
      'stream_changed',
      'shot[beat=a] submit_intended',
    ]);
    expect(outcome).toMatchObject({ is: 'done', counts: counts({ reused: 1, succeeded: 3 }) });
    expect(rig.service.calls).toHaveLength(1);
  });

  test('killed while its shots are made: they are taken up, and paid for once', async () => {
    rig.service.isQuick = false;
    rig.service.chatAnswers.push(saying('a', 'b'));
    const killed = await rig.start(beats());
    await killed.happened('submit_accepted', 'shot[beat=b]');
    const keys = [...killed.plan.instances].map(({ key }) => key);
    const film = await rig.start(beats());
    expect([...film.plan.instances].map(({ key }) => key)).toEqual(keys);
    await film.happened('taken_up', 'shot[beat=b]');
    rig.service.finish('gen-1');
    rig.service.finish('gen-2');
    rig.service.isQuick = true;
    expect(await rig.runToEnd(film)).toMatchObject({ is: 'done', counts: counts({ reused: 1, succeeded: 5 }) });
    expect(expanded(film)).toEqual([]);
    expect(rig.service.calls).toHaveLength(1);
    expect(rig.service.posts).toHaveLength(4);
    expect((await ran(beats())).outcome).toMatchObject({ is: 'done', counts: counts({ reused: 6 }) });
  });

  test('written anew with more values: those that are owned are reused, and only the others are sent', async () => {
    rig.service.chatAnswers.push(saying('a'), saying('a', 'b'));
    await ran(beats());
    const { film, outcome } = await ran(beats(BEATS.replace('beats about a fox', 'more beats')));
    expect(eventLines(film.events).slice(2, 9)).toEqual([
      'script succeeded',
      'expanded',
      'shot[beat=a] reused',
      'expanded',
      'final[beat=a] reused',
      'stream_changed',
      'shot[beat=b] submit_intended',
    ]);
    expect(outcome).toMatchObject({ is: 'done', counts: counts({ reused: 2, succeeded: 4 }) });
    expect(outcome.outputs.map(({ path }) => path).sort()).toEqual(['out/a.mp4', 'out/b.mp4']);
    expect(rig.service.posts).toHaveLength(4);
  });
});

describe('a list that does not come', () => {
  test('its step fails: the steps that wait for it are blocked, and what they give is waited for by nobody', async () => {
    const { film, outcome } = await ran(
      beats(withStep('  other: { run: echo on }', byCommand('echo no list; exit 3'))),
    );
    expect(blocked(film)).toEqual(['shot by script', 'final by script', 'cut by script']);
    expect(outcome).toMatchObject({ is: 'failed', counts: counts({ succeeded: 1, failed: 1, blocked: 3 }) });
    expect(expanded(film)).toEqual([]);
    expect(rig.service.posts).toEqual([]);
  });

  test('two lists, and the first to come failed: the step is blocked once', async () => {
    const text = withStep("  lengths: { run: 'sleep 0.2; echo [5]' }", byCommand('exit 3')).replace(
      '    matrix: { beat: "${{ params.list }}" }',
      '    matrix: { beat: "${{ params.list }}" }\n    needs: [lengths]',
    );
    const { film, outcome } = await ran(growing(text, { shot: 'steps.script.json.beats + steps.lengths.json' }));
    expect(blocked(film)).toEqual(['shot by script', 'final by script', 'cut by script']);
    expect(outcome).toMatchObject({ is: 'failed', counts: counts({ succeeded: 1, failed: 1, blocked: 3 }) });
  });

  test.each([
    ['is no list', 'dusk', '`beat` must be a list, and the result it reads gave "dusk"'],
    [
      'is empty',
      [],
      '`beat` has no values, because the result it reads gave an empty list; the step would have no instances',
    ],
    [
      'has a value twice',
      ['a', 'a'],
      'there are two instances called shot[beat=a]: the list it reads gives the same value twice',
    ],
  ])(
    '%s: the step fails in words and with a place, what needs it is blocked, the rest goes on',
    async (_, list, words) => {
      rig.service.chatAnswers.push(chatAnswer(JSON.stringify({ beats: list })));
      const { film, outcome } = await ran(beats(withStep("  other: { needs: [script], run: 'sleep 0.1; echo on' }")));
      expect(failures(film)).toEqual([`shot: ${words} (film.yaml:10:21)`]);
      expect(blocked(film)).toEqual(['final by shot', 'cut by shot']);
      expect(outcome).toMatchObject({ is: 'failed', counts: counts({ succeeded: 2, failed: 1, blocked: 2 }) });
      expect(stdoutOf(outcome, 'other')).toBe('on');
      expect(rig.service.posts).toEqual([]);
      // The list is owned now, and the next plan knows what is wrong with it: it says so, and goes as far.
      const next = await rig.start(beats(withStep("  other: { needs: [script], run: 'echo further' }")));
      expect(next.plan.open.find(({ step }) => step === 'shot')?.why).toBe(`it will fail: ${words}`);
      expect(await rig.runToEnd(next)).toMatchObject({ is: 'failed', counts: { succeeded: 1, failed: 1, blocked: 2 } });
      expect(failures(next)).toEqual([`shot: ${words} (film.yaml:10:21)`]);
      expect([...next.events].filter(event => event.type === 'command_started')).toHaveLength(1);
    },
  );

  test('interrupted before it is there: nothing is fanned out, and the next run goes on', async () => {
    const go = join(rig.folder, 'go');
    const text = byCommand(`test -e "$SHOTLIST_PROJECT/go" || sleep 60; echo '{"beats":["a"]}'`);
    const first = await rig.start(beats(text));
    await first.happened('command_started', 'script');
    first.run.detach();
    expect(await first.done).toMatchObject({ is: 'interrupted', counts: counts({ unfinished: 4 }) });
    expect(eventLines(first.events)).toEqual(['script command_started', 'run_detached', 'run_finished']);
    writeFileSync(go, '');
    const next = await rig.start(beats(text));
    expect(await rig.runToEnd(next)).toMatchObject({ is: 'done', counts: counts({ succeeded: 4 }) });
    expect(expanded(next)).toEqual(['shot: shot[beat=a]', 'final: final[beat=a]']);
  });
});

describe('steps behind an open step', () => {
  test('with a list of their own that comes later: they are fanned out then, whether the first shots are made or not', async () => {
    rig.service.isQuick = false;
    const go = join(rig.folder, 'go');
    const film = await rig.start(beatsBySize(go));
    await film.happened('submit_accepted', 'shot[beat=b]');
    expect(expanded(film)).toEqual(['shot: shot[beat=a] shot[beat=b]']);
    writeFileSync(go, '');
    await film.happened('succeeded', 'sizes');
    expect(expanded(film)).toEqual([
      'shot: shot[beat=a] shot[beat=b]',
      'final: final[beat=a,size=1] final[beat=b,size=1]',
    ]);
    rig.service.finish('gen-1');
    await film.happened('submit_accepted', 'final[beat=a,size=1]');
    rig.service.finish('gen-2');
    rig.service.isQuick = true;
    rig.service.finish('gen-3');
    expect(await rig.runToEnd(film)).toMatchObject({ is: 'done', counts: counts({ succeeded: 6 }) });
  });

  test('a shot that failed before that list came blocks what is made from it, and nothing else', async () => {
    rig.service.isQuick = false;
    const go = join(rig.folder, 'go');
    const film = await rig.start(beatsBySize(go));
    await film.happened('submit_accepted', 'shot[beat=b]');
    rig.service.fail('gen-2', 'too dark');
    await film.happened('failed', 'shot[beat=b]');
    writeFileSync(go, '');
    await film.happened('blocked', 'final[beat=b,size=1]');
    rig.service.isQuick = true;
    rig.service.finish('gen-1');
    const outcome = await rig.runToEnd(film);
    expect(blocked(film)).toEqual(['final[beat=b,size=1] by shot[beat=b]']);
    expect(outcome).toMatchObject({ is: 'failed', counts: counts({ succeeded: 4, failed: 1, blocked: 1 }) });
  });
});

test('steps that an open step must wait for: one of them failed before the list came: its instances are known, blocked, and never start', async () => {
  const go = join(rig.folder, 'go');
  const text = withStep('  prep: { run: exit 3 }', byCommand(listWhen(go, '{"beats":["a"]}'))).replace(
    '    model: V-T2V-A',
    '    needs: [prep]\n    model: V-T2V-A',
  );
  const film = await rig.start(beats(text));
  await film.happened('failed', 'prep');
  writeFileSync(go, '');
  const outcome = await rig.runToEnd(film);
  expect(blocked(film)).toEqual(['shot[beat=a] by prep', 'final[beat=a] by prep', 'cut by prep']);
  expect(outcome).toMatchObject({ is: 'failed', counts: counts({ succeeded: 1, failed: 1, blocked: 3 }) });
  expect(rig.service.posts).toEqual([]);
});

test('an output of an open step that would be written over another is told: its step fails, and the shots before it are made', async () => {
  rig.service.chatAnswers.push(saying('a/b', 'a:b'));
  const { film, outcome } = await ran(beats());
  expect(failures(film)).toEqual([
    'final: final[beat=a/b] and final[beat=a:b] would both be written to out/a-b.mp4; give each a path of its own (film.yaml:20:43)',
  ]);
  expect(blocked(film)).toEqual(['cut by final']);
  expect(outcome).toMatchObject({ is: 'failed', counts: counts({ succeeded: 3, failed: 1, blocked: 1 }) });
  expect(outcome.outputs).toEqual([]);
});

describe('a custom model', () => {
  const LOOK = BEATS.replace('steps:', 'models: { look: { id: fox-look, activate: true } }\nsteps:')
    .replace('model: V-T2V-A', 'model: look')
    .replace(', duration: 5', '');

  test('that an open step alone uses is brought up for its instances, and down after the last of them', async () => {
    const models = comingUp(rig);
    rig.service.isQuick = false;
    rig.service.chatAnswers.push(saying('a', 'b'));
    const film = await rig.start(beats(LOOK));
    const over = rig.runToEnd(film);
    await film.happened('submit_accepted', 'shot[beat=b]');
    rig.service.finish('gen-1');
    await film.happened('submit_accepted', 'final[beat=a]');
    expect(models.status.get('fox-look')).toBe('active');
    rig.service.finish('gen-2');
    await film.happened('activation_closed');
    expect(models.status.get('fox-look')).toBe('inactive');
    await film.happened('submit_accepted', 'final[beat=b]');
    rig.service.finish('gen-3');
    rig.service.finish('gen-4');
    expect(await over).toMatchObject({ is: 'done', counts: counts({ succeeded: 6 }) });
    expect(models.moves).toEqual(['activate fox-look', 'deactivate fox-look']);
  });

  test('that is up before the list is there stays up until the instances are done', async () => {
    const models = comingUp(rig);
    const go = join(rig.folder, 'go');
    const text = withStep(
      '  first: { model: look, with: { prompt: a fox } }',
      byCommand(listWhen(go, '{"beats":["a"]}'), LOOK),
    );
    const film = await rig.start(beats(text));
    const over = rig.runToEnd(film);
    await film.happened('succeeded', 'first');
    expect(models.status.get('fox-look')).toBe('active');
    writeFileSync(go, '');
    expect(await over).toMatchObject({ is: 'done', counts: counts({ succeeded: 5 }) });
    const lines = eventLines(film.events);
    expect(lines.indexOf('activation_closed')).toBeGreaterThan(lines.indexOf('shot[beat=a] generated'));
    expect(models.moves).toEqual(['activate fox-look', 'deactivate fox-look']);
  });

  test('is brought down when the list that it was kept up for does not come', async () => {
    const models = comingUp(rig);
    const go = join(rig.folder, 'go');
    const text = withStep(
      '  first: { model: look, with: { prompt: a fox } }\n  slow: { needs: [script], run: echo on }',
      byCommand(`${listWhen(go, '')}; exit 3`, LOOK),
    );
    const film = await rig.start(beats(text));
    const over = rig.runToEnd(film);
    await film.happened('succeeded', 'first');
    expect(models.status.get('fox-look')).toBe('active');
    writeFileSync(go, '');
    await film.happened('activation_closed');
    expect(await over).toMatchObject({ is: 'failed' });
    expect(models.status.get('fox-look')).toBe('inactive');
  });
});
