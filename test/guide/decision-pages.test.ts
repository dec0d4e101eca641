/** What only a person can decide has a section of the guide, and each message that asks for it says how to read that. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';
import { messages } from '../../src/app/results/doctor-messages.ts';
import { decisionSection } from '../../src/cli/commands/explain.ts';
import { withExitCode } from '../../src/cli/errors/command-error.ts';
import { DECISION_PAGES, moreAt, pageOfFailure } from '../../src/model/run/decision-page.ts';
import { cellWidth } from '../../src/model/text/cells.ts';
import { LockRefused } from '../../src/records/lock/lock-yaml.ts';
import type { Submission } from '../../src/records/views/ledger.ts';
import { guidePages } from '../support/guide-pages.ts';

const recovering = guidePages().find(({ path }) => path === 'guide/recovering.md');

test.each(DECISION_PAGES)('`shotlist explain %s` tells its section', page => {
  expect(recovering?.anchors).toContain(page);
  const told = decisionSection(page, 60);
  expect(told.length).toBeGreaterThan(100);
  expect(told).not.toMatch(/```|\]\(|\*\*/);
  // Commands stay whole: they are copied.
  const wide = told.split('\n').filter(line => cellWidth(line) > 60 && !line.startsWith('    '));
  expect(wide).toEqual([]);
});

test('every section is named by a message', () => {
  const folder = fileURLToPath(new URL('../../src/', import.meta.url));
  const texts = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(path => /\.tsx?$/.test(path))
    .map(path => readFileSync(join(folder, path), 'utf8').replace(/DECISION_PAGES = \[[^\]]*\]/, ''));
  expect(DECISION_PAGES.filter(page => !texts.some(text => text.includes(`'${page}'`)))).toEqual([]);
});

test('what doctor finds, and only a person settles, names its section', () => {
  const say = messages('film.yaml', []);
  const open = { key: 'shot[beat=3]', id: 'gen_1', price: 0.5 } as unknown as Submission;
  expect(
    [
      say.answerLost(open),
      say.lostAtService(open),
      say.bills('look', 'active'),
      say.bytesAtService('shot'),
      say.bytesGone('shot'),
      say.adoptedGone('shot is adopted, and no file here has its bytes'),
      say.mayBeDone('post'),
      say.undecided('best', 'pick', 'which?'),
      say.unreadable('lock', 'film.lock.yaml', 'film.lock.yaml is not readable YAML'),
      say.lockAside('film.lock.yaml', 'film.lock.new.yaml'),
      // A run settles these by itself, or nobody can.
      say.notFetched(open),
      say.underWay(open, 'processing'),
      say.unreadable('journal', 'journal.db', 'it is no database'),
    ].map(({ page }) => page),
  ).toEqual([
    ...['lost-answer', 'lost-generation', 'still-billing', 'bytes-missing', 'bytes-missing', 'adopted-file-missing'],
    ...['unknown-effect', 'waiting-for-you', 'lock-unreadable', 'lock-unreadable', undefined, undefined, undefined],
  ]);
});

test('a lost request is looked for by a run; a chat is not, and doctor names what sends it again', () => {
  const say = messages('film.yaml', []);
  const open = { key: 'say', price: 0.5 } as unknown as Submission;
  expect(say.answerLost(open)).toMatchObject({
    command: 'shotlist run film.yaml',
    message: expect.stringMatching(/; a run looks for it$/),
  });
  expect(say.answerLost({ ...open, via: 'chat' })).toMatchObject({
    command: 'shotlist run film.yaml --on-unknown resubmit',
    message: expect.stringMatching(/no run looks for it: this sends it again$/),
  });
});

test('the words of a message are how its section begins to be found', () => {
  expect(moreAt('lost-answer')).toBe('more: `shotlist explain lost-answer`');
  expect(pageOfFailure('submit_unknown')).toBe('lost-answer');
  expect(pageOfFailure('command_failed')).toBeUndefined();
});

test('what is refused for a reason with a section says so in a line of its own', async () => {
  const err = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const exit = await withExitCode(() => Promise.reject(new LockRefused('fox.lock.yaml is not readable YAML')))([]);
  const said = err.mock.calls.map(([text]) => String(text)).join('');
  err.mockRestore();
  expect([exit, said]).toEqual([
    2,
    'shotlist: fox.lock.yaml is not readable YAML\nmore: `shotlist explain lock-unreadable`\n',
  ]);
});
