/** Runs of a part of a film. */
import { describe, expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../src/run/engine/limits.ts';
import { leftOut, ran, rig, type StartedRun, withQuickRig } from './rig.ts';

/** `list` writes the beats; `shot` is made for each, `loud` from each shot; `reel` reads all of them, `music` none. */
const FILM = `steps:
  list: { run: "echo '{\\"beats\\":[1,2,3]}'" }
  shot: { matrix: { beat: "\${{ steps.list.json.beats }}" }, max: 5, model: V-T2V-A, with: { prompt: "beat \${{ matrix.beat }}", duration: 5 } }
  loud: { each: "\${{ steps.shot }}", run: [ echo, "\${{ each.sha256 }}" ] }
  reel: { run: [ echo, "\${{ string(size(steps.loud)) }}" ] }
  music: { run: [ echo, la ] }
outputs:
  shots: { from: "\${{ steps.shot }}", to: "out/{beat}.mp4" }
`;

withQuickRig();

const madeIn = ({ events }: StartedRun) => events.flatMap(event => (event.type === 'succeeded' ? [event.key] : []));

describe('a run of a part', () => {
  test('makes what is selected and what it needs, and is done', async () => {
    rig.selection = { steps: ['list', 'music'] };
    const film = await rig.start(FILM);
    const { is, counts } = await rig.runToEnd(film);
    expect([is, counts]).toEqual([
      'done',
      { succeeded: 2, reused: 0, failed: 0, blocked: 0, skipped: 0, left_out: 3, unfinished: 0 },
    ]);
    expect(leftOut(film)).toEqual(['reel: not selected', 'shot: not selected', 'loud: not selected']);
  });

  test('is selected again when a list is there', async () => {
    rig.selection = { steps: ['loud[beat=2]'] };
    const film = await rig.start(FILM);
    const { is, counts } = await rig.runToEnd(film);
    expect([is, counts]).toEqual([
      'done',
      { succeeded: 3, reused: 0, failed: 0, blocked: 0, skipped: 0, left_out: 6, unfinished: 0 },
    ]);
    expect(madeIn(film)).toEqual(['list', 'shot[beat=2]', 'loud[beat=2]']);
    expect(leftOut(film)).toEqual([
      ...['reel: not selected', 'music: not selected', 'shot[beat=1]: not selected', 'shot[beat=3]: not selected'],
      ...['loud[beat=1]: not selected', 'loud[beat=3]: not selected'],
    ]);
  });

  test('leaves out what comes from a list that was left out', async () => {
    rig.selection = { exclude: ['list'] };
    const film = await rig.start(FILM);
    expect((await rig.runToEnd(film)).is).toBe('done');
    expect(leftOut(film)).toEqual([
      ...['list: excluded', 'reel: needs loud, which is left out', 'shot: needs list, which is left out'],
      'loud: needs shot, which is left out',
    ]);
  });

  test('a selector that picks nothing of a list that has come is told before anything of it is paid', async () => {
    rig.selection = { steps: ['shot[beat=9]'] };
    const film = await rig.start(FILM);
    expect((await rig.runToEnd(film)).is).toBe('failed');
    expect(rig.service.posts).toEqual([]);
    expect(film.events.find(({ type }) => type === 'failed')).toMatchObject({
      key: 'shot',
      failure: {
        message: expect.stringContaining("'shot[beat=9]' matches no instance; did you mean 'shot[beat=1]'?"),
      },
    });
  });

  test('the lock keeps what is left out', async () => {
    await ran(FILM);
    const all = rig.lockText;
    rig.selection = { steps: ['music'] };
    await ran(FILM.replace('5 }', '8 }'));
    expect(rig.lockText).toBe(all);
  });
});

describe('made once more', () => {
  const ONE = `steps:
  shot: { model: V-T2V-A, with: { prompt: a fox, duration: 5 } }
  loud: { run: [ echo, "\${{ steps.shot.sha256 }}" ] }
`;
  const reasons = ({ plan }: StartedRun) => [...plan.instances].map(({ key, decision }) => `${key}: ${decision.why}`);

  test('though it is owned: the lock moves to the new one, and what follows is asked again', async () => {
    await ran(ONE);
    const before = rig.lockText;
    rig.selection = { redo: ['shot'] };
    const film = await rig.start(ONE);
    expect(reasons(film)).toEqual(['shot: made once more, as asked for', 'loud: waits for shot']);
    expect((await rig.runToEnd(film)).is).toBe('done');
    expect(rig.service.posts).toHaveLength(2);
    expect(madeIn(film)).toEqual(['shot', 'loud']);
    expect(rig.lockText).not.toBe(before);
    // Nothing is deleted, and the new one is what is owned.
    rig.selection = undefined;
    expect((await ran(ONE)).outcome.counts).toMatchObject({ reused: 2, succeeded: 0 });
    expect(rig.service.posts).toHaveLength(2);
  });

  test('a run that was killed goes on with what it had sent, and pays once', async () => {
    await ran(ONE);
    rig.service.isQuick = false;
    rig.selection = { redo: ['shot'] };
    const cut = await rig.start(ONE);
    await cut.happened('submit_accepted');
    await rig.kill();
    rig.service.isQuick = true;
    const film = await rig.start(ONE);
    for (const id of rig.service.records.keys()) rig.service.finish(id);
    expect((await rig.runToEnd(film)).is).toBe('done');
    expect(rig.service.posts).toHaveLength(2);
  });

  test('what was made once more since it was asked for is not made again', async () => {
    await ran(ONE);
    const redoneSince = rig.clock.now() + 1;
    await rig.clock.advance(2);
    rig.selection = { redo: ['shot'], redoneSince };
    await ran(ONE);
    expect((await ran(ONE)).outcome.counts).toMatchObject({ reused: 2 });
    expect(rig.service.posts).toHaveLength(2);
  });

  test('what acts outside acts once more', async () => {
    const post = `steps:\n  post: { run: [ echo, posted ], effect: true }\n`;
    await ran(post);
    rig.selection = { redo: ['post'] };
    const { film } = await ran(post);
    expect(madeIn(film)).toEqual(['post']);
  });
});

describe('after a failure', () => {
  const TWO = `steps:
  bad: { run: [ "false" ] }
  slow: { model: V-T2V-A, with: { prompt: a fox, duration: 5 } }
  later: { run: [ echo, "\${{ steps.slow.sha256 }}" ] }
`;

  test('or nothing new is begun: what is under way comes home', async () => {
    rig.settings = { onFailure: 'hold' };
    rig.service.isQuick = false;
    const film = await rig.start(TWO.replace('"false"', 'sh, -c, "sleep 0.3; false"'));
    await film.happened('submit_accepted');
    await film.happened('failed');
    for (const id of rig.service.records.keys()) rig.service.finish(id);
    const { is, counts } = await rig.runToEnd(film);
    expect([is, counts]).toEqual([
      'failed',
      { succeeded: 1, reused: 0, failed: 1, blocked: 0, skipped: 0, unfinished: 1 },
    ]);
  });

  test('what waits for a slot is not sent', async () => {
    const many = `steps:\n  shot: { takes: 3, model: V-T2V-A, with: { prompt: a fox, duration: 5 } }\n`;
    rig.settings = { onFailure: 'hold', limits: { ...DEFAULT_LIMITS, in_flight: 1 } };
    rig.service.isQuick = false;
    const film = await rig.start(many);
    await film.happened('submit_accepted');
    for (const id of rig.service.records.keys()) rig.service.fail(id, 'no');
    expect((await rig.runToEnd(film)).counts).toMatchObject({ failed: 1, unfinished: 2 });
    expect(rig.service.posts).toHaveLength(1);
  });
});
