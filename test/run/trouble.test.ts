/** A journal that cannot be written, and a belief of ours that breaks, in the middle of a run: it ends in order, and loses nothing. */
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/machine/files/database.ts';
import { JOURNAL } from '../../src/records/journal/journal-tables.ts';
import { comingUp } from './custom-service.ts';
import { ONE_SHOT, TWO_SHOTS_REFRAMED } from './pipelines.ts';
import { eventLines, ofType, posts, ran, rig, type StartedRun, withRig } from './rig.ts';

const TALK = `
steps:
  line: { model: C-D, with: { messages: [{ role: user, content: a rude word }] } }
`;

withRig();

/** The answer to the next request, which was taken. */
const onTheWire = () => {
  const wire = Promise.withResolvers<{ is: 'accepted'; id: string }>();
  rig.service.trouble.push({ answer: wire.promise, take: true });
  return wire;
};
/** The next run makes all of it, also of what is `done` by then, and sends nothing twice. */
async function goesOn(...done: readonly string[]): Promise<StartedRun> {
  rig.service.isQuick = true;
  for (const id of done) rig.service.finish(id, { silently: true });
  const { film, outcome } = await ran(TWO_SHOTS_REFRAMED);
  expect(outcome.counts).toMatchObject({ succeeded: 4 });
  expect(ofType(film, 'submit_unknown')).toEqual([]);
  expect(posts()).toBe(4);
  return film;
}

describe('a disk that is full in the middle of a run', () => {
  test('what is on the wire is awaited, nothing more is sent, and ids that could not be written are told', async () => {
    const [one, two] = [onTheWire(), onTheWire()];
    const film = await rig.start(TWO_SHOTS_REFRAMED);
    await rig.service.arrived(2);
    rig.disk.isFull = true;
    one.resolve({ is: 'accepted', id: 'gen-1' });
    while (rig.disk.refusals === 0) await rig.clock.advance(0);
    let isOver = false;
    void film.done.then(() => {
      isOver = true;
    });
    await rig.clock.advance(60_000);
    expect(isOver).toBe(false);
    // Shown at once, though nothing can be written.
    expect(ofType(film, 'still_waiting')).toMatchObject([{ what: 'answer', key: 'shot[seed=2]' }]);
    two.resolve({ is: 'accepted', id: 'gen-2' });
    const outcome = await film.done;
    const reason = expect.stringMatching(/^the disk is full: .* cannot be written; make room, then run again$/);
    expect(outcome).toMatchObject({ is: 'unwritable', reason, counts: { unfinished: 4 } });
    const [failed] = ofType(film, 'journal_failed');
    expect(failed).toMatchObject({ reason });
    const unwritten = failed?.type === 'journal_failed' ? failed.unwritten.map(one => one.generation_id) : [];
    expect(unwritten.toSorted()).toEqual(['gen-1', 'gen-2']);
    expect(ofType(film, 'submit_accepted')).toEqual([]);
    expect(eventLines(film.events).at(-1)).toBe('run_finished');
    expect(posts()).toBe(2);
  });

  test('that has room again before the end loses nothing, and says so of nobody', async () => {
    const [one, two] = [onTheWire(), onTheWire()];
    const film = await rig.start(TWO_SHOTS_REFRAMED);
    await rig.service.arrived(2);
    rig.disk.isFull = true;
    one.resolve({ is: 'accepted', id: 'gen-1' });
    while (rig.disk.refusals === 0) await rig.clock.advance(0);
    rig.disk.isFull = false;
    two.resolve({ is: 'accepted', id: 'gen-2' });
    expect((await film.done).is).toBe('unwritable');
    expect(ofType(film, 'journal_failed')).toEqual([]);
    expect(eventLines((await goesOn('gen-1', 'gen-2')).events)).toContain('shot[seed=1] taken_up');
  });
});

test('a disk that is full for one commit: the intent that it refused was never sent, and nobody looks for it afterwards', async () => {
  let commits = 0;
  Object.defineProperty(rig.disk, 'isFull', { configurable: true, get: () => commits++ === 0, set: () => {} });
  rig.service.isQuick = true;
  const run = async () => [(await ran(ONE_SHOT)).outcome.is, posts(), rig.journal.views.ledger.open];
  expect(await run()).toEqual(['unwritable', 0, []]);
  expect(await run()).toEqual(['done', 1, []]);
});

describe('a journal that cannot be written for another reason, while two answers are on the wire', () => {
  const broken = [
    [
      'its disk fails',
      778,
      /cannot be read or written \(SQLite error 778\); mend the disk or its permissions, then run again$/,
    ],
    ['its disk is read-only', 776, /cannot be written \(read-only\): make it writable, then run again$/],
    [
      'its disk cannot lock files',
      3850,
      /cannot be locked \(.*\): .*; move the project to a disk of this machine, then run again$/,
    ],
    [
      'another process holds it',
      5,
      /^another shotlist has been writing to the journal for too long; wait for it to end/,
    ],
  ] as const;

  test.each(broken)(
    '%s: the run ends in order, and ids that could not be written are told',
    async (_, errcode, reason) => {
      const film = await rig.start(TWO_SHOTS_REFRAMED);
      await rig.service.arrived(2);
      Object.assign(rig.disk, { isFull: true, errcode });
      rig.service.isQuick = true;
      const outcome = await rig.runToEnd(film);
      expect(outcome).toMatchObject({ is: 'unwritable', reason: expect.stringMatching(reason) });
      expect(ofType(film, 'journal_failed')).toMatchObject([{ unwritten: [{}, {}] }]);
      expect(posts()).toBe(2);
    },
  );

  test('another process holds it for longer than one wait: the ids are written when it lets go, and the next run asks about nothing', async () => {
    const film = await rig.start(TWO_SHOTS_REFRAMED);
    await rig.service.arrived(2);
    let tries = 0;
    const failsAfterFiveSeconds = () => {
      if (tries++ >= 8) return false;
      rig.clock.tick(5_000);
      return true;
    };
    Object.defineProperty(rig.disk, 'isFull', { configurable: true, get: failsAfterFiveSeconds, set: () => {} });
    rig.disk.errcode = 5;
    expect((await rig.runToEnd(film)).is).toBe('unwritable');
    expect(ofType(film, 'journal_failed')).toEqual([]);
    const waits = ofType(film, 'still_waiting');
    const reason = expect.stringMatching(/^another shotlist has been writing to the journal for too long/);
    expect(waits).toMatchObject([{ what: 'journal', reason }]);
    const [wait] = waits;
    expect(wait?.type === 'still_waiting' && wait.at - wait.since).toBeLessThanOrEqual(10_000);
    // The wait is shown at once: what waits for the journal is shown when it is written.
    const order = film.events.map(({ type }) => type);
    expect(order.indexOf('still_waiting')).toBeLessThan(order.indexOf('submit_accepted'));
    await rig.kill();
    await goesOn('gen-1', 'gen-2');
  });
});

describe('a `.shotlist` that is taken away in the middle of a run', () => {
  /** Two requests are on the wire; their answers come after `meanwhile`. */
  async function during(meanwhile: () => void): Promise<string> {
    const wires = [onTheWire(), onTheWire()];
    rig.service.isQuick = true;
    const film = await rig.start(TWO_SHOTS_REFRAMED);
    await rig.service.arrived(2);
    meanwhile();
    mkdirSync(join(rig.folder, 'work'), { recursive: true });
    for (const [n, wire] of wires.entries()) wire.resolve({ is: 'accepted', id: `gen-${n + 1}` });
    const { is, reason = '' } = await rig.runToEnd(film);
    expect(is).toBe('unwritable');
    for (const event of ofType(film, 'journal_failed')) expect(event).toMatchObject({ unwritten: [] });
    await rig.kill();
    return reason;
  }

  test('deleted: the journal is written back with the ids on the wire, and the next run pays for nothing twice', async () => {
    const reason = await during(() => rmSync(rig.folder, { recursive: true }));
    const path = join(rig.folder, 'journal.db');
    expect(reason).toBe(
      `the journal at ${path} was deleted or replaced during this run, so nothing more is sent; it was written back: run again`,
    );
    await goesOn();
  });

  test('replaced: all is kept beside the new one, which stays as it is; put in its place, nothing is paid for twice', async () => {
    const path = join(rig.folder, 'journal.db');
    const reason = await during(() => {
      rmSync(rig.folder, { recursive: true });
      openDatabase({ ...JOURNAL, path }).close();
    });
    expect(reason).toContain(
      `all that it held is in ${path}.rescued: end the other run, put that file in place of the`,
    );
    renameSync(`${path}.rescued`, path);
    await goesOn();
  });
});

describe('a bug of ours in one instance', () => {
  const bug = new Error('a belief of ours broke');

  /** Its record is read once, and that breaks. */
  function breakAt(id: string): void {
    const { service } = rig;
    const honest = service.generation.bind(service);
    service.generation = async asked => {
      if (asked !== id) return honest(asked);
      service.generation = honest;
      throw bug;
    };
  }

  test('nothing new is sent, what runs is awaited, then it is thrown; the next run goes on', async () => {
    breakAt('gen-1');
    onTheWire().resolve({ is: 'accepted', id: 'gen-1' });
    const wire = onTheWire();
    const film = await rig.start(TWO_SHOTS_REFRAMED);
    let thrown: unknown;
    void film.done.catch(error => {
      thrown = error;
    });
    await rig.service.arrived(2);
    await film.happened('submit_accepted', 'shot[seed=1]');
    rig.service.finish('gen-1');
    await rig.clock.advance(60_000);
    expect(thrown).toBeUndefined();
    wire.resolve({ is: 'accepted', id: 'gen-2' });
    await expect(film.done).rejects.toBe(bug);
    await film.happened('submit_accepted', 'shot[seed=2]');
    expect(posts()).toBe(2);
    await goesOn('gen-2');
  });

  test('a reporter that breaks once costs no other reporter a word, and no id', async () => {
    let isBroken = false;
    const heard: string[] = [];
    rig.reporters.push(
      {
        report: ({ type }) => {
          if (type !== 'submit_accepted' || isBroken) return;
          isBroken = true;
          throw bug;
        },
        close: async () => {},
      },
      { report: ({ type }) => void heard.push(type), close: async () => {} },
    );
    const film = await rig.start(TWO_SHOTS_REFRAMED);
    await expect(film.done).rejects.toBe(bug);
    expect(heard.filter(type => type === 'submit_accepted')).toHaveLength(posts());
    expect(heard).toContain('submit_intended');
    await goesOn(...Array.from({ length: posts() }, (_, n) => `gen-${n + 1}`));
  });

  test('what it brought up is brought down after all that needed it has ended', async () => {
    const models = comingUp(rig);
    rig.service.isQuick = true;
    breakAt('gen-1');
    const film = await rig.start(`
models: { look: { id: fox-look, activate: true } }
steps:
  shot:
    matrix: { seed: [1, 2] }
    model: look
    with: { prompt: a fox, seed: "\${{ matrix.seed }}" }
`);
    await expect(rig.runToEnd(film)).rejects.toBe(bug);
    expect(models.status.get('fox-look')).toBe('inactive');
    expect(models.asked).toContain('deactivate fox-look');
  });
});

test("a chat model's refusal is a failure that was paid for, and is not asked again", async () => {
  rig.service.chatAnswers.push({
    is: 'answered',
    text: 'I would rather not.',
    finish_reason: 'refusal',
    usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
  });
  const { film, outcome } = await ran(TALK);
  expect(outcome).toMatchObject({ is: 'failed', counts: { failed: 1 } });
  expect(outcome.usd).toBeCloseTo(0.02);
  expect(ofType(film, 'failed')).toMatchObject([
    { failure: { code: 'answer_refused', message: 'the model would not answer (refusal): I would rather not.' } },
  ]);
  expect(rig.service.calls).toHaveLength(1);
});
