/** Commands that act outside: done once for their inputs, never in a draft, and never again on their own where nobody knows. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { InstanceKey } from '../../src/model/run/key.ts';
import { everyFile } from '../../src/model/run/result.ts';
import type { Outcome } from '../../src/run/engine/run.ts';
import { beside, ending, eventLines, ran, rig, withRig } from './rig.ts';

withRig();

const film = (steps: string) => `
steps:
${steps}`;

/** Every time it acts, a line is added to \`posted\`. */
const POST = film(`
  post:
    run: 'echo "$what" >>"$SHOTLIST_PROJECT/posted"; echo "https://house.test/1"'
    env: { what: fox }
    effect: true
`);

/** It gives a file that others read. */
const RECEIPT = film(`
  post:
    run: 'echo sent >>"$SHOTLIST_PROJECT/posted"; echo receipt >receipt.txt'
    creates: { receipt: receipt.txt }
    effect: true
  read: { run: [cat, "\${{ steps.post.files.receipt.file }}"] }
  file: { run: 'cat "$receipt"', files: { receipt: "\${{ steps.post.files.receipt }}" } }
`);
const receiptOf = ({ results }: Outcome): string => {
  const made = results.get('post' as InstanceKey)?.result;
  const [file] = made?.is === 'command' ? everyFile(made.files) : [];
  return file?.sha256 ?? '';
};

const posted = () =>
  existsSync(join(rig.folder, 'posted'))
    ? readFileSync(join(rig.folder, 'posted'), 'utf8').split('\n').slice(0, -1)
    : [];

describe('what acts outside', () => {
  test('is done once for its inputs, and is done for every film of the project', async () => {
    expect((await ran(POST)).outcome.is).toBe('done');
    const again = await ran(POST);
    expect(eventLines(again.film.events)).toEqual(['post reused', 'run_finished']);
    const decision = again.film.plan.instances.get('post' as never)?.decision;
    expect(decision?.why).toBe('done before, and done once for its inputs');
    rig.film = 'other';
    await ran(POST.replace('post:', 'upload:'));
    expect(posted()).toEqual(['fox']);
    await ran(POST.replace('fox', 'owl'));
    expect(posted()).toEqual(['fox', 'owl']);
    await ran(POST);
    expect(posted()).toEqual(['fox', 'owl']);
  });

  test('stays done when its files are gone, and in a fresh clone, by its lock', async () => {
    const text = film(`
  post:
    run: 'echo sent >>"$SHOTLIST_PROJECT/posted"; head -c 9000 /dev/zero | tr "\\0" a; echo receipt >receipt.txt'
    creates: { receipt: receipt.txt }
    effect: true
`);
    await ran(text);
    rmSync(join(rig.folder, 'store'), { recursive: true });
    expect(eventLines((await ran(text)).film.events)).toEqual(['post reused', 'run_finished']);
    await rig.cloneAfresh();
    const clone = await ran(text);
    expect(eventLines(clone.film.events)).toEqual(['post reused', 'run_finished']);
    // It cannot be had again, so all that it said is in the lock.
    expect(clone.outcome.results.get('post' as never)?.result).toMatchObject({
      stdout: 'a'.repeat(9000),
      effect: true,
    });
    expect(posted()).toEqual([]);
  });

  test('stays done in a fresh clone when its inputs have changed and are what they were, and when its step was away', async () => {
    await ran(POST);
    await ran(POST.replace('fox', 'owl'));
    await ran(film('  other: { run: [echo, hello] }\n'));
    expect(rig.lockText?.match(/^ {2,4}\S.*:$/gm)).toEqual([
      '  acted-outside:',
      expect.stringMatching(/^ {4}post-[0-9a-f]{8}:$/),
      expect.stringMatching(/^ {4}post-[0-9a-f]{8}:$/),
      '  house:',
      '    other:',
    ]);
    await rig.cloneAfresh();
    expect(eventLines((await ran(POST)).film.events)).toEqual(['post reused', 'run_finished']);
    await rig.cloneAfresh();
    expect(eventLines((await ran(POST.replace('fox', 'owl'))).film.events)).toEqual(['post reused', 'run_finished']);
    expect(posted()).toEqual([]);
  });

  test('is not done again for a file of it that is gone: whoever reads that is told', async () => {
    await ran(RECEIPT.split('  read:')[0] ?? '');
    await rig.cloneAfresh();
    const { film: started, outcome } = await ran(RECEIPT);
    expect(outcome.is).toBe('failed');
    const words = started.events.flatMap(event => (event.type === 'failed' ? [event.failure.message] : []));
    expect(words.toSorted()).toEqual([
      expect.stringMatching(
        /^an argument names a file that is no longer on this machine \(sha256 [0-9a-f]{12}…\), and what acts outside is not done again for it: read something else of that step$/,
      ),
      expect.stringMatching(/^files\.receipt names a file that is no longer on this machine/),
    ]);
    expect(posted()).toEqual([]);
  });

  test('was done on another machine of the team: its files come from the store of the team', async () => {
    rig.storeFolder = 'other store';
    const { outcome } = await ran(RECEIPT.split('  read:')[0] ?? '');
    rig.storeFolder = 'store';
    rig.teamStore = new Map([[receiptOf(outcome), 'receipt\n']]);
    const clone = await ran(RECEIPT);
    expect(clone.outcome.is).toBe('done');
    expect(clone.film.plan.instances.get('post' as never)?.decision.is).toBe('fetch');
    // Where the team has them no more, it stays done.
    rmSync(join(rig.folder, 'store'), { recursive: true });
    rig.teamStore.clear();
    expect(eventLines((await ran(RECEIPT)).film.events)).toContain('post reused');
    expect(posted()).toEqual(['sent']);
  });

  test('was done, whichever service the film was for', async () => {
    await ran(POST);
    await rig.cloneAfresh();
    const { film: elsewhere } = await ran(POST, {}, 'another');
    expect(eventLines(elsewhere.events)).toEqual(['post reused', 'run_finished']);
  });

  test('a command that was run before it was said to act outside is not run again for that', async () => {
    await ran(POST.replace('    effect: true\n', ''));
    await ran(POST);
    expect(posted()).toEqual(['fox']);
  });

  test('a command with the same inputs that is running at the same moment has done it as well', async () => {
    const command = `run: 'echo fox >>"$SHOTLIST_PROJECT/posted"; sleep 0.2'`;
    const { outcome } = await ran(film(`\n  plain: { ${command} }\n  post: { ${command}, effect: true }\n`));
    expect(outcome).toMatchObject({ is: 'done', counts: { succeeded: 1, reused: 1 } });
    expect(posted()).toEqual(['fox']);
  });

  test('two instances with the same inputs do it once, also at the same moment', async () => {
    const text = film(`
  post:
    matrix: { to: [a, b, c] }
    run: 'echo fox >>"$SHOTLIST_PROJECT/posted"; sleep 0.2'
    effect: true
`);
    const { outcome } = await ran(text);
    expect(outcome).toMatchObject({ is: 'done', counts: { succeeded: 1, reused: 2 } });
    expect(posted()).toEqual(['fox']);
  });
});

describe('what acts outside, and nobody knows whether it did', () => {
  const SLOW = POST.replace(
    `>>"$SHOTLIST_PROJECT/posted";`,
    `>>"$SHOTLIST_PROJECT/posted"; until test -e "$SHOTLIST_PROJECT/go"; do sleep 0.02; done;`,
  );
  const begun = async () => {
    while (posted().length === 0) await new Promise(resolve => setTimeout(resolve, 10));
  };
  const release = () => writeFileSync(join(rig.folder, 'go'), '');

  /** The process is killed while the command is at it. */
  const cutOff = async (text = SLOW) => {
    const started = await rig.start(text);
    await started.happened('command_started', 'post');
    await begun();
    await rig.kill();
    release();
  };

  test('is not done again by itself: the run says what is known, and asks', async () => {
    await cutOff();
    const next = await ran(SLOW);
    expect(next.film.plan.instances.get('post' as never)?.decision).toMatchObject({
      is: 'run',
      why: 'an earlier run began it, and its outcome is unknown: it runs again only with --on-unknown resubmit',
    });
    expect(eventLines(next.film.events)).toEqual(['post failed', 'run_finished']);
    expect(next.outcome.is).toBe('failed');
    expect(ending(next.film)).toEqual([
      'film is not finished after …s: 1 failed, nothing spent',
      'post',
      expect.stringMatching(
        /^it acts outside, was begun at 20..-..-.. ..:.. UTC, and its outcome is unknown: look there; if it was done, run with --on-unknown done, and to have it done again, run with --on-unknown resubmit; it cost nothing$/,
      ),
      'more: `shotlist explain unknown-effect`',
      'to go on (what is done is kept, and not paid for again):',
      'shotlist run film.yaml',
    ]);
    expect(posted()).toEqual(['fox']);
    // Asked in vain, it is as open as before.
    expect(eventLines((await ran(SLOW)).film.events)).toEqual(['post failed', 'run_finished']);
    expect(posted()).toEqual(['fox']);
  });

  test('is done again where somebody says so, and then it is done', async () => {
    await cutOff();
    rig.onUnknown = 'resubmit';
    expect((await ran(SLOW)).outcome.is).toBe('done');
    expect(posted()).toEqual(['fox', 'fox']);
    expect(eventLines((await ran(SLOW)).film.events)).toEqual(['post reused', 'run_finished']);
  });

  test('counts as done where somebody says that it was', async () => {
    await cutOff();
    rig.onUnknown = 'done';
    const next = await ran(SLOW);
    expect(eventLines(next.film.events)).toEqual(['post reused', 'run_finished']);
    rig.onUnknown = 'fail';
    expect(eventLines((await ran(SLOW)).film.events)).toEqual(['post reused', 'run_finished']);
    await rig.cloneAfresh();
    expect(eventLines((await ran(SLOW)).film.events)).toEqual(['post reused', 'run_finished']);
    expect(posted()).toEqual([]);
  });

  test('does not count as done without the files that it makes', async () => {
    const text = SLOW.replace('    effect: true', '    creates: { receipt: receipt.txt }\n    effect: true');
    await cutOff(text);
    rig.onUnknown = 'done';
    const next = await ran(text);
    expect(next.outcome.is).toBe('failed');
    expect(ending(next.film)[2]).toContain('it makes files, so it cannot be counted as done without them');
  });

  test('another film of the project asks as well, and waits while the first is at it', async () => {
    const first = await rig.start(SLOW);
    await first.happened('command_started', 'post');
    const other = beside({ film: 'other' });
    const second = await other.start(SLOW);
    await rig.clock.asleep();
    expect(eventLines(second.events)).toEqual([]);
    for (let seconds = 0; seconds < 12; seconds++) await rig.clock.advance(1_000);
    const reason = 'film runs the same command';
    expect(second.events.slice(1)).toMatchObject([{ type: 'still_waiting', key: 'post', what: 'admission', reason }]);
    release();
    await first.done;
    await other.runToEnd(second);
    expect(eventLines(second.events)).toEqual(['post still_waiting', 'post reused', 'run_finished']);
    expect(posted()).toEqual(['fox']);
  });

  test('the wait of the second film is over when its own act begins', async () => {
    const text = SLOW.replace('done;', 'done; exit 1;');
    const first = await rig.start(text);
    await first.happened('command_started', 'post');
    const other = beside({ film: 'other' });
    const second = await other.start(text);
    await rig.clock.asleep();
    for (let seconds = 0; seconds < 12; seconds++) await rig.clock.advance(1_000);
    release();
    await first.done;
    rmSync(join(rig.folder, 'go'));
    await rig.clock.advance(1_000);
    await second.happened('command_started', 'post');
    await rig.clock.advance(200_000);
    release();
    await other.runToEnd(second);
    expect(eventLines(second.events)).toEqual([
      'post still_waiting',
      'post command_started',
      'post failed',
      'run_finished',
    ]);
  });

  test('another machine of the team waits as well, and gets the files that the first has made', async () => {
    const slow = RECEIPT.replace("run: '", 'run: \'until [ -e "$SHOTLIST_PROJECT/go" ]; do sleep 0.02; done; ');
    const first = await rig.start(slow.split('  read:')[0] ?? '');
    await first.happened('command_started', 'post');
    const teamStore = new Map<string, string>();
    const other = beside({ film: 'other', storeFolder: 'other store', teamStore });
    const second = await other.start(slow);
    await rig.clock.asleep();
    release();
    teamStore.set(receiptOf(await first.done), 'receipt\n');
    expect((await other.runToEnd(second)).is).toBe('done');
    expect(posted()).toEqual(['sent']);
  });

  test.each([
    ['it is killed', 'kill -KILL $$', 'the command was killed by SIGKILL'],
    [
      'it is out of time',
      'sleep 60',
      "the command was stopped after 0.3 s, its step's timeout; make it faster or the timeout longer",
    ],
    ['it leaves not what it promised', 'true', 'the command promised `receipt`, but `receipt.txt` is not there'],
  ])('where %s', async (_, end, words) => {
    const text = film(`
  post:
    run: 'echo fox >>"$SHOTLIST_PROJECT/posted"; echo sending; ${end}'
    creates: { receipt: receipt.txt }
    timeout: 300ms
    effect: true
`);
    const { film: started, outcome } = await ran(text);
    expect(outcome.is).toBe('failed');
    const failed = started.events.find(event => event.type === 'failed');
    expect(failed).toMatchObject({ failure: { code: 'effect_unknown', lines: ['sending'] } });
    expect(failed?.type === 'failed' && failed.failure.message).toContain(words);
    await ran(text);
    expect(posted()).toEqual(['fox']);
  });

  test('a journal that cannot be written starts none', async () => {
    const started = await rig.start(POST);
    rig.disk.isFull = true;
    expect((await rig.runToEnd(started)).is).toBe('unwritable');
    expect(posted()).toEqual([]);
    rig.disk.isFull = false;
    expect((await ran(POST)).outcome.is).toBe('done');
  });
});
