/** What every implementation of `Journal` must do, whether its rows are in a file of this machine or in a database that many share. */
import { describe, expect, test } from 'vitest';
import type { Event, RecordedEvent } from '../../../src/model/run/event.ts';
import type { GenerationId, InstanceKey, StepName } from '../../../src/model/run/key.ts';
import type { Result } from '../../../src/model/run/result.ts';
import { readAccepted, readRefusedAsBusy, readUnaccounted } from '../../../src/records/views/sent-requests.ts';
import type { FilmProcess, FilmWorld } from './film-world.ts';

const SHOT = 'shot' as InstanceKey;
const GENERATION = 'gen-1' as GenerationId;
const ACCOUNT = 'house';
const work = { key: SHOT, nonce: 'n1', fingerprint: 'f1', model: 'V-T2V-A' };
const intent = {
  type: 'submit_intended' as const,
  ...{ ...work, request: { prompt: 'a fox' }, price: 0.5, account: ACCOUNT },
};
const accepted = { type: 'submit_accepted', key: SHOT, nonce: 'n1', generation_id: GENERATION, found: false } as const;
const media: Result = {
  ...{ is: 'media', result_url: 'https://house.test/a.mp4', sha256: 'ab'.repeat(32), extension: '.mp4', bytes: 9 },
  ...{ generation_id: GENERATION, request: {}, cost: 0.5, media: { kind: 'video', duration: 5 } },
};
const succeeded = { type: 'succeeded', key: SHOT, fingerprint: 'f1', result: media } as const;
const started = { type: 'command_started', key: SHOT, fingerprint: 'act' } as const;

export function journalCases(open: () => FilmWorld | Promise<FilmWorld>): void {
  const opened = async () => {
    const world = await open();
    return { world, fox: await world.process('fox') };
  };
  const append = ({ journal, run }: FilmProcess, event: Event): RecordedEvent => {
    journal.append(run, [event]);
    const recorded = journal.pending.at(-1);
    if (!recorded) throw new Error('it is appended');
    return recorded;
  };
  const record = async (process: FilmProcess, ...events: readonly Event[]) => {
    for (const event of events) append(process, event);
    await process.journal.durable();
  };
  const typesOf = (process: FilmProcess, of = process) =>
    [...process.journal.read(of.run).events].map(({ type }) => type);
  /** A later run of the film, when this one is gone. */
  const later = async (world: FilmWorld, { journal }: FilmProcess) => world.process(journal.views.film);
  const reopened = async (world: FilmWorld, process: FilmProcess) => {
    await process.dies();
    return later(world, process);
  };

  describe('what was kept', () => {
    test('is there after the process is gone, in order, and open until its end is known', async () => {
      const { world, fox } = await opened();
      await record(fox, intent, accepted);
      const next = await reopened(world, fox);
      expect(typesOf(next, fox)).toEqual(['submit_intended', 'submit_accepted']);
      expect(next.journal.views.ledger.open).toMatchObject([
        { nonce: 'n1', fingerprint: 'f1', id: 'gen-1', state: 'accepted' },
      ]);
      const taken = {
        type: 'taken_up',
        key: SHOT,
        nonce: 'n1',
        fingerprint: 'f1',
        generation_id: GENERATION,
      } as const;
      await record(next, taken, succeeded);
      await next.dies();
      expect((await later(world, next)).journal.views.ledger.open).toEqual([]);
    });

    test('stands in the order in which it was written, however many', async () => {
      const { world, fox } = await opened();
      const written = [...Array(300).keys()].map(n => append(fox, { ...started, fingerprint: `c${n}` }).seq);
      await fox.journal.durable();
      const next = await reopened(world, fox);
      expect([...next.journal.read(fox.run).events].map(({ seq }) => seq)).toEqual(written);
    });

    test('and was never answered is lost for the next start', async () => {
      const { world, fox } = await opened();
      await record(fox, intent);
      const next = await reopened(world, fox);
      expect(next.journal.views.ledger.open).toMatchObject([
        { nonce: 'n1', state: 'unknown', lostAt: expect.any(Number) },
      ]);
    });

    test('closed is not looked at again, and counts as lost only when it was looked for in vain', async () => {
      const { fox } = await opened();
      await record(
        fox,
        intent,
        { type: 'submit_unknown', key: SHOT, nonce: 'n1', fingerprint: 'f1', reason: 'reset' },
        { type: 'submit_absent', key: SHOT, nonce: 'n1', reason: 'not listed' },
        { ...intent, nonce: 'n2' },
        { type: 'submit_refused', key: SHOT, nonce: 'n2', reason: 'busy', retry_at: 1 },
      );
      expect(fox.journal.views.ledger.open).toEqual([]);
      await fox.journal.look({ fingerprint: 'f1', model: 'V-T2V-A' });
      expect(fox.journal.views.sent.timesLost('f1')).toBe(1);
      expect(fox.journal.views.sent.lost().map(({ nonce }) => nonce)).toEqual(['n1']);
      await record(fox, { type: 'submission_forgotten', key: SHOT, nonce: 'n1', fingerprint: 'f1' });
      await fox.journal.look({ fingerprint: 'f1', model: 'V-T2V-A' });
      expect([fox.journal.views.sent.timesLost('f1'), fox.journal.views.sent.lost()]).toEqual([0, []]);
    });

    test('when it is closed is there as well, though nobody has waited for it', async () => {
      const { world, fox } = await opened();
      append(fox, intent);
      await fox.journal.close();
      await fox.dies();
      expect(typesOf(await later(world, fox), fox)).toEqual(['submit_intended']);
    });

    test('is durable a moment later, though nobody asks for it', async () => {
      const { world, fox } = await opened();
      const durable = new Promise<void>(resolve =>
        fox.journal.listen({ durable: () => fox.journal.pending.length === 0 && resolve(), failed: () => {} }),
      );
      append(fox, intent);
      await durable;
      await fox.dies();
      expect(typesOf(await later(world, fox), fox)).toEqual(['submit_intended']);
    });

    test('of one run is told apart from that of another, and of another film', async () => {
      const { world, fox } = await opened();
      await record(fox, intent);
      const owl = await world.process('owl');
      await record(owl, { ...intent, nonce: 'o1' });
      expect(typesOf(owl)).toEqual(['submit_intended']);
      expect(owl.journal.views.ledger.open.map(({ nonce }) => nonce)).toEqual(['o1']);
      expect([...owl.journal.read('no run' as FilmProcess['run']).events]).toEqual([]);
    });
  });

  describe('what is shown', () => {
    test('is durable first: listeners hear when everything is, and not before', async () => {
      const { fox } = await opened();
      let heard = 0;
      fox.journal.listen({
        durable: () => {
          heard++;
        },
        failed: () => {},
      });
      append(fox, intent);
      expect([fox.journal.pending.length === 0, heard]).toEqual([false, 0]);
      await fox.journal.durable();
      expect(fox.journal.pending.length === 0).toBe(true);
      expect(heard).toBeGreaterThan(0);
      expect(fox.journal.pending).toEqual([]);
    });

    test('shares a commit with all who ask in one turn of the loop', async () => {
      const { fox } = await opened();
      append(fox, intent);
      const shared = fox.journal.durable();
      append(fox, { ...intent, key: 'other' as InstanceKey, nonce: 'n2' });
      expect(fox.journal.durable()).toBe(shared);
      await shared;
      expect(typesOf(fox)).toHaveLength(2);
    });

    test('is written in order where many commit and decide at once', async () => {
      const { world, fox } = await opened();
      await Promise.all(
        [...Array(40).keys()].map(async n => {
          if (n % 4 === 0)
            await fox.journal.decide({ fingerprint: `d${n}` }, () => append(fox, { ...started, fingerprint: `c${n}` }));
          else {
            append(fox, { ...started, fingerprint: `c${n}` });
            await fox.journal.durable();
          }
        }),
      );
      const next = await reopened(world, fox);
      const seqs = [...next.journal.read(fox.run).events].map(({ seq }) => seq);
      expect(seqs).toEqual([...seqs].sort((a, b) => a - b));
      expect(seqs).toHaveLength(40);
    });
  });

  describe('what has been paid for', () => {
    test('is owned by this film and by others, with what it really came to', async () => {
      const { world, fox } = await opened();
      await record(fox, intent, accepted, succeeded);
      expect(fox.journal.views.owned.find('f1')).toMatchObject({ type: 'succeeded', result: { cost: 0.5 } });
      const billed = { type: 'billed', key: SHOT, fingerprint: 'f1', generation_id: GENERATION } as const;
      await record(fox, { ...billed, cost: 0.75, estimate: 0.5 });
      expect(fox.journal.views.owned.find('f1')).toMatchObject({ result: { cost: 0.75 } });
      expect([fox.journal.views.owned.has('f1'), fox.journal.views.owned.has('f2')]).toEqual([true, false]);
      const owl = await world.process('owl');
      await owl.journal.look({ fingerprint: 'f1', model: 'V-T2V-A' });
      expect(owl.journal.views.owned.find('f1')).toMatchObject({
        result: { sha256: media.is === 'media' ? media.sha256 : '' },
      });
      expect(owl.journal.views.owned.find('f1')).toMatchObject({ result: { cost: 0.75 } });
      expect(owl.journal.views.owned.rowOf('f1')?.film).toBe('fox');
      expect(owl.journal.views.owned.find('f2')).toBeUndefined();
    });

    test('is the newest, where it was made more than once', async () => {
      const { world, fox } = await opened();
      await record(fox, succeeded, { ...succeeded, result: { ...media, sha256: 'cd'.repeat(32) } as Result });
      const next = await reopened(world, fox);
      expect(next.journal.views.owned.find('f1')).toMatchObject({ result: { sha256: 'cd'.repeat(32) } });
    });

    test('is whose it is: an id is claimed by one submission', async () => {
      const { world, fox } = await opened();
      await record(fox, intent, accepted);
      const owl = await world.process('owl');
      expect([...(await owl.journal.views.sent.claimedAmong(['gen-1', 'gen-2'], ACCOUNT))]).toEqual(['gen-1']);
      const isClaimed = (id: string, account: string) => fox.journal.views.sent.isClaimed(id, account);
      expect([isClaimed('gen-1', ACCOUNT), isClaimed('gen-2', ACCOUNT)]).toEqual([true, false]);
    });

    test('is claimed at its own service alone: another one may count its generations from 1 as well', async () => {
      const { world, fox } = await opened();
      await record(fox, intent, accepted);
      const owl = await world.process('owl');
      expect([...(await owl.journal.views.sent.claimedAmong(['gen-1'], 'https://annex.test 0'))]).toEqual([]);
      expect(fox.journal.views.sent.isClaimed('gen-1', 'https://annex.test 0')).toBe(false);
    });

    test('stands in the history of the account: what was taken, and what may be there unseen', async () => {
      const { world, fox } = await opened();
      await record(fox, intent, accepted);
      await world.passes(1_000);
      const owl = await world.process('owl');
      await record(owl, { ...intent, nonce: 'o1', fingerprint: 'f2' });
      const hare = await world.process('hare');
      await record(hare, { ...intent, nonce: 'h1', fingerprint: 'f3' });
      const than = { account: ACCOUNT, than: 'h1' };
      expect(await readAccepted(hare.journal.views, { ...than, since: 0 })).toMatchObject([
        { id: 'gen-1', isEarlier: true },
      ]);
      expect(await readAccepted(hare.journal.views, { ...than, since: world.clock.now() - 500 })).toEqual([]);
      expect(await readAccepted(hare.journal.views, { ...than, account: 'another', since: 0 })).toEqual([]);
      const unseen = (await readUnaccounted(hare.journal.views, ACCOUNT, 0)).map(({ nonce }) => nonce);
      expect(unseen.sort()).toEqual(['h1', 'o1']);
    });

    test('and was refused because the service was busy is told, until the same came to an end', async () => {
      const { world, fox } = await opened();
      const refused = { type: 'submit_refused', key: SHOT, reason: 'slow down', retry_at: null } as const;
      await record(fox, intent, { ...refused, nonce: 'n1', busy: true });
      await world.passes(1_000);
      await record(fox, { ...intent, nonce: 'n2' }, { ...refused, nonce: 'n2' });
      await record(fox, { ...intent, nonce: 'n3' });
      const asked = { fingerprint: 'f1', account: ACCOUNT };
      const told = async () =>
        (await readRefusedAsBusy(fox.journal.views, asked, 0)).map(({ nonce, busy }) => [nonce, busy]);
      expect(await told()).toEqual([['n1', true]]);
      expect(await readRefusedAsBusy(fox.journal.views, { ...asked, account: 'another' }, 0)).toEqual([]);
      expect(await readRefusedAsBusy(fox.journal.views, asked, world.clock.now() + 1)).toEqual([]);
      await record(fox, { type: 'submission_forgotten', key: SHOT, nonce: 'n3', fingerprint: 'f1' });
      expect(await told()).toEqual([]);
    });

    test('and is open in another film is seen there, by its account alone', async () => {
      const { world, fox } = await opened();
      await record(fox, intent, accepted);
      const hare = await world.process('hare');
      await hare.journal.look({ fingerprint: 'f1', model: 'V-T2V-A' });
      expect(hare.journal.views.sent.openElsewhere('f1', ACCOUNT)).toMatchObject({
        film: 'fox',
        submission: { id: 'gen-1' },
      });
      expect(hare.journal.views.sent.openOfOtherFilms(ACCOUNT)).toMatchObject([
        { film: 'fox', submission: { nonce: 'n1' } },
      ]);
      expect(hare.isRunning('fox')).toBe(true);
      const other = await world.process('owl', { account: 'another' });
      await other.journal.look({ fingerprint: 'f1', model: 'V-T2V-A' });
      expect(other.journal.views.sent.openElsewhere('f1', 'another')).toBeUndefined();
      expect(other.journal.views.sent.openOfOtherFilms('another')).toEqual([]);
    });

    test('may be taken over by another film, for good, with the listed generation that it is for', async () => {
      const { world, fox } = await opened();
      await record(fox, { ...intent, listed: 'gen-1' as GenerationId });
      await fox.dies();
      const owl = await world.process('owl');
      await owl.journal.decide({ fingerprint: 'f1', model: 'V-T2V-A' }, () => {
        const found = owl.journal.views.sent.openElsewhere('f1', ACCOUNT);
        if (found) owl.journal.takeOver(found.submission);
      });
      expect(owl.journal.views.ledger.open).toMatchObject([{ nonce: 'n1', listed: 'gen-1' }]);
      await owl.dies();
      expect((await later(world, owl)).journal.views.ledger.open).toMatchObject([{ nonce: 'n1', listed: 'gen-1' }]);
      expect((await later(world, fox)).journal.views.ledger.open).toEqual([]);
    });
  });

  describe('a decision', () => {
    test('is kept with all that it wrote, or refused with nothing', async () => {
      const { world, fox } = await opened();
      const nonce = await fox.journal.decide({ fingerprint: 'f1', model: 'V-T2V-A' }, () => {
        append(fox, intent);
        return 'n1';
      });
      expect(nonce).toBe('n1');
      expect(fox.journal.pending.length === 0).toBe(true);
      await expect(
        fox.journal.decide({ fingerprint: 'f2' }, () => {
          throw new Error('a bug');
        }),
      ).rejects.toThrow('a bug');
      await fox.dies();
      expect(typesOf(await later(world, fox), fox)).toEqual(['submit_intended']);
    });
  });

  describe('what is left for the next run', () => {
    test('a model that was brought up, until it was brought down', async () => {
      const { world, fox } = await opened();
      await record(fox, { type: 'activation_intended', model: 'mine' });
      const next = await reopened(world, fox);
      const active = ({ journal }: FilmProcess) => [...journal.views.activations('studio')];
      expect(active(next)).toMatchObject([['mine', { run: fox.run }]]);
      expect(active(await world.process('owl'))).toEqual([]);
      await record(next, { type: 'activation_closed', model: 'mine', how: 'deactivated' });
      expect(active(next)).toEqual([]);
    });

    test('how often a thing was tried again, until it came to an end', async () => {
      const { world, fox } = await opened();
      const failure = { code: 'generation_failed', generation_id: GENERATION, message: 'no' } as const;
      const again = { type: 'retrying', key: SHOT, fingerprint: 'f1', attempt: 2, of: 3, until: 99, failure } as const;
      await record(fox, again as Event, { ...again, attempt: 3, until: 199 } as Event);
      const next = await reopened(world, fox);
      expect(next.journal.views.work.attempts('f1')).toEqual({ retried: 2, unfit: 0, until: 199 });
      await record(next, succeeded);
      expect(next.journal.views.work.attempts('f1')).toEqual({ retried: 0, unfit: 0, until: 0 });
    });

    test('an act that nobody knows the outcome of, for whoever wants the same', async () => {
      const { world, fox } = await opened();
      await record(fox, started);
      const owl = await world.process('owl');
      const openFor = async ({ journal }: FilmProcess) => {
        await journal.look({ fingerprint: 'act' });
        return journal.views.work.actLeftOpen('act');
      };
      expect(await openFor(owl)).toMatchObject({ film: 'fox', isNewest: true });
      const next = await reopened(world, fox);
      expect(next.journal.views.work.wasCutOff('act')).toBe(true);
      expect(await openFor(next)).toMatchObject({ film: 'fox' });
      const failed = (code: string): Event =>
        ({ type: 'failed', key: SHOT, failure: { code, message: '"code":"effect_unknown"', exit: null } }) as Event;
      await record(next, started, failed('effect_unknown'));
      expect(await openFor(owl)).toMatchObject({ film: 'fox', isNewest: true });
      await record(next, started, failed('command_failed'));
      expect([await openFor(owl), await openFor(next)]).toEqual([undefined, undefined]);
    });

    test('what an instance asked for last, how long things took, and which service it was', async () => {
      const { world, fox } = await opened();
      const opening = { type: 'run_started', run: fox.run, pipeline: 'fox.yaml', name: 'fox', service: 'house' };
      await record(fox, { ...opening, resumed: false, instances: [], usd: 1 } as unknown as Event, intent);
      await record(fox, accepted);
      await world.passes(7_000);
      await record(fox, { type: 'generated', key: SHOT, generation_id: GENERATION, result_url: 'x', cost: 1 } as Event);
      const next = await reopened(world, fox);
      expect(next.journal.views.sent.lastIntent(SHOT)).toMatchObject({ nonce: 'n1', request: { prompt: 'a fox' } });
      expect(next.journal.views.sent.lastIntent('other' as InstanceKey)).toBeUndefined();
      expect(next.journal.views.durations().get('V-T2V-A')).toEqual([7_000]);
      expect(next.journal.views.runs.serviceOf(fox.run)).toBe('house');
    });

    test('notes, each as it was set last, of each film its own', async () => {
      const { world, fox } = await opened();
      await fox.journal.notes.set('lock', 'one');
      await fox.journal.notes.set('lock', 'two');
      expect(fox.journal.notes.get('lock')).toBe('two');
      await fox.dies();
      expect((await later(world, fox)).journal.notes.get('lock')).toBe('two');
      expect((await world.process('owl')).journal.notes.get('lock')).toBeUndefined();
    });

    test('what was asked for, and nothing that is secret', async () => {
      const { world, fox } = await opened();
      const asked = { 'run[0]': 'draw', 'env.LOOK': 'hidden', says: 'a "fox"\n– \u{1f98a}' };
      fox.journal.hiding(value => JSON.parse(JSON.stringify(value).replaceAll('hidden', '$TOKEN')));
      const command: Result = { is: 'command', stdout: 'done', json: null, files: {} };
      await record(fox, { ...succeeded, result: command, asked });
      const next = await reopened(world, fox);
      expect(next.journal.views.owned.find('f1')).not.toHaveProperty('asked');
      expect(next.journal.views.owned.rowOf('f1')?.event).toMatchObject({ asked: { ...asked, 'env.LOOK': '$TOKEN' } });
    });

    test('what the run was planned to do', async () => {
      const { world, fox } = await opened();
      const part = (key: string) => ({
        instances: [
          { key: key as InstanceKey, step: 'shot' as StepName, decision: 'run', why: 'new', price: 1 } as const,
        ],
      });
      fox.journal.append(fox.run, [intent], [part('a')]);
      await fox.journal.durable();
      fox.journal.append(fox.run, [accepted], [part('b')]);
      await fox.journal.durable();
      expect(fox.journal.views.runs.planOf(fox.run)).toMatchObject({
        isWhole: true,
        instances: [{ key: 'a' }, { key: 'b' }],
      });
      await fox.dies();
      const look = await world.looks('fox');
      expect(look.views.runs.planOf(fox.run)).toMatchObject({ isWhole: true, instances: [{ key: 'a' }, { key: 'b' }] });
      expect([...look.read(fox.run).events].map(({ type }) => type)).toEqual(['submit_intended', 'submit_accepted']);
    });
  });

  describe('texts', () => {
    const hostile = 'a\0b \ud800 c \udfff "quoted" \\u0000 \\ud800 \'; DROP TABLE event; -- \u{1f98a}\r\n\u2028';

    test('of a hostile kind hold nobody up, and are read as they were written as far as text can be', async () => {
      const { world, fox } = await opened();
      const key = `shot[text=${hostile}]` as InstanceKey;
      const [nonce, fingerprint, model] = ['n1', 'f1', `m ${hostile}`];
      const ask = {
        ...{ key, nonce, fingerprint, model },
        ...{ request: { prompt: hostile }, price: 1, account: ACCOUNT },
      };
      await record(fox, { type: 'submit_intended', ...ask });
      await record(fox, { type: 'submit_unknown', key, nonce, fingerprint, reason: hostile });
      await record(fox, {
        type: 'submit_accepted',
        key,
        nonce,
        generation_id: `gen ${hostile}` as GenerationId,
        found: true,
      });
      await fox.journal.notes.set('note', hostile);
      await record(fox, started, {
        type: 'failed',
        key: SHOT,
        failure: { code: 'command_failed', exit: 1, message: hostile },
      } as Event);
      await fox.journal.look({ fingerprint: 'act' });
      expect([...(await fox.journal.views.sent.claimedAmong([`gen ${hostile}`], ACCOUNT))]).toEqual([`gen ${hostile}`]);
      const owl = await world.process('owl');
      await owl.journal.look({ fingerprint: 'act' });
      expect(owl.journal.views.work.actLeftOpen('act')).toBeUndefined();
      await owl.journal.look({ fingerprint: 'f1', model: 'm' });
      expect(owl.journal.views.sent.openElsewhere('f1', ACCOUNT)?.submission.request).toEqual({ prompt: hostile });
      expect([...(await owl.journal.views.sent.claimedAmong([`gen ${hostile}`], ACCOUNT))]).toEqual([`gen ${hostile}`]);
      const next = await reopened(world, fox);
      expect(next.journal.views.ledger.open).toMatchObject([{ key, model, request: { prompt: hostile } }]);
      expect([...next.journal.read(fox.run).events][0]).toMatchObject({ request: { prompt: hostile } });
      expect(next.journal.notes.get('note')).toContain('DROP TABLE');
    });

    test('of five million characters are kept, and asked over in no time', async () => {
      const { world, fox } = await opened();
      const prompt = 'a fox \u{1f98a} '.repeat(600_000);
      for (let n = 0; n < 4; n++)
        await record(fox, { ...intent, nonce: `n${n}`, fingerprint: `f${n}`, request: { prompt } });
      const owl = await world.process('owl');
      // Processor time of this thread, which a busy machine does not stretch as it does the clock.
      const began = process.threadCpuUsage();
      for (let n = 0; n < 20; n++) await owl.journal.decide({ fingerprint: `g${n}`, model: 'V-T2V-A' }, () => {});
      const { user, system } = process.threadCpuUsage(began);
      expect((user + system) / 1_000 / 20).toBeLessThan(50);
      const next = await reopened(world, fox);
      expect(next.journal.views.ledger.open.map(({ request }) => request.prompt === prompt)).toEqual([
        true,
        true,
        true,
        true,
      ]);
    });
  });
}
