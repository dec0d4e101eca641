/** What is left for a CI of a run that stopped before it began; whatever texts are in it stay texts. */
import { expect, test } from 'vitest';
import { modelLibrary } from '../../src/api/model-library.ts';
import { compile } from '../../src/language/compile.ts';
import { type NotBegun, notBegunJunit, notBegunMarkdown, notBegunTitle } from '../../src/show/reporters/not-begun.ts';
import { junitMistakes } from '../support/junit-schema.ts';

const STOPPED: NotBegun = {
  ...{ file: 'films/spot.yaml', at: Date.UTC(2026, 6, 26, 9), exit: 4, brief: 'a budget is reached', type: 'budget' },
  message: 'shot[beat=1] is $0.75, and 0.10 is left\nraise `budget`',
  mistakes: [],
};

const mistakesIn = (text: string) => compile({ path: 'films/spot.yaml', text }, modelLibrary).diagnostics;

test('one test case where the file is sound', async () => {
  const junit = notBegunJunit(STOPPED);
  expect(await junitMistakes(junit)).toEqual([]);
  expect(junit).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="shotlist" tests="1" failures="0" errors="1" time="0.000">
  <testsuite name="films/spot.yaml" timestamp="2026-07-26T09:00:00" skipped="0" tests="1" failures="0" errors="1" time="0.000">
    <properties>
      <property name="pipeline" value="films/spot.yaml"/>
      <property name="outcome" value="budget"/>
      <property name="exit" value="4"/>
    </properties>
    <testcase name="run" classname="films/spot.yaml.run" time="0.000"><error type="budget" message="shot[beat=1] is $0.75, and 0.10 is left">shot[beat=1] is $0.75, and 0.10 is left
raise \`budget\`</error></testcase>
    <system-out>films/spot.yaml was not begun: a budget is reached</system-out>
  </testsuite>
</testsuites>
`);
});

test('a test case for each mistake, with its excerpt, and none for the run itself', async () => {
  const mistakes = mistakesIn(
    'shotlist: 1\nname: spot\nsteps:\n  a: { model: V-T2V-Q, with: { prompt: x } }\n  b: { rum: x }\n',
  );
  const stopped: NotBegun = { ...STOPPED, exit: 2, brief: 'it has 2 mistakes', type: 'mistake', message: '', mistakes };
  const junit = notBegunJunit(stopped);
  expect(await junitMistakes(junit)).toEqual([]);
  expect([...junit.matchAll(/<testcase name="([^"]*)"/g)].map(([, name]) => name)).toEqual(
    mistakes.map(({ code }) => expect.stringMatching(new RegExp(`^films/spot\\.yaml:\\d+:\\d+ ${code}$`))),
  );
  expect(junit).toContain('  4 |   a: { model: V-T2V-Q');
  expect(notBegunMarkdown(stopped, notBegunTitle(stopped)).split('\n').slice(0, 4)).toEqual([
    '### ❌ films/spot.yaml was not begun: it has 2 mistakes',
    '',
    '| Place | Mistake |',
    '| --- | --- |',
  ]);
});

test('hostile names and words end no element, no table and no line', async () => {
  const hostile = ']]></error></testcase>\u0000\u001b[31m | <img src=x> `@ada` #1\n::error::owned';
  const mistakes = mistakesIn(`shotlist: 1\nname: spot\nsteps:\n  a: { "<b>|\\n": 1, model: "${'<x>|'}" }\n`);
  const stopped: NotBegun = { ...STOPPED, file: hostile, message: hostile, mistakes };
  const junit = notBegunJunit(stopped);
  expect(await junitMistakes(junit), junit).toEqual([]);
  const markdown = notBegunMarkdown(stopped, notBegunTitle(stopped));
  expect(markdown).not.toMatch(/<img|<x>|<b>|@ada`|\u001b/);
  for (const line of markdown.split('\n')) if (line.startsWith('|')) expect(line.match(/(?<!\\)\|/g)).toHaveLength(3);
});
