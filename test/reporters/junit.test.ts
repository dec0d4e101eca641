import { expect, test } from 'vitest';
import type { RecordedEvent } from '../../src/model/run/event.ts';
import { junitReporter } from '../../src/show/reporters/junit.ts';
import { junitMistakes } from '../support/junit-schema.ts';
import * as recordings from '../text/recordings.ts';

async function told(events: readonly RecordedEvent[]): Promise<string> {
  let written = '';
  const reporter = junitReporter({
    command: 'shotlist run pipelines/teaser.yaml',
    write: async document => {
      written = document;
    },
  });
  for (const event of events) reporter.report(event);
  await reporter.close();
  return written;
}

test('a failure is one red case, and what it blocks is skipped', async () => {
  expect(await told(recordings.failing)).toMatchInlineSnapshot(`
    "<?xml version="1.0" encoding="UTF-8"?>
    <testsuites name="shotlist" tests="4" failures="1" errors="0" time="9.100">
      <testsuite name="teaser" timestamp="2026-11-20T12:00:00" skipped="2" tests="4" failures="1" errors="0" time="9.100">
        <properties>
          <property name="run" value="run_1"/>
          <property name="pipeline" value="pipelines/teaser.yaml"/>
          <property name="service" value="hosted"/>
          <property name="outcome" value="failed"/>
          <property name="usd" value="0.6"/>
        </properties>
        <testcase name="shot" classname="teaser.shot" time="6.000"><system-out>1280×720, 6.0s, 4.1 MB, $0.60</system-out></testcase>
        <testcase name="framed" classname="teaser.framed" time="2.600"><failure type="generation_failed" message="hosted could not make it: input video is 40.0 s long, at most 30 s are taken (generation gen_framed); it may have cost $0.48">hosted could not make it: input video is 40.0 s long, at most 30 s are taken (generation gen_framed); it may have cost $0.48
    first: mend step framed in pipelines/teaser.yaml</failure></testcase>
        <testcase name="mended" classname="teaser.mended" time="0.000"><skipped type="blocked" message="blocked by framed"/></testcase>
        <testcase name="final" classname="teaser.final" time="0.000"><skipped type="blocked" message="blocked by framed"/></testcase>
        <system-out>teaser: 4 instances on hosted, about $2.40
    teaser is not finished after 9.1s: 1 failed, 2 blocked, 1 made, $0.60 spent</system-out>
      </testsuite>
    </testsuites>
    "
  `);
});

test('a film that is made has a case for each instance', async () => {
  expect(await told(recordings.teaser)).toContain('tests="4" failures="0" errors="0" time="23.800"');
});

test('a run that was cut short is an error of its own, whatever its instances say', async () => {
  const xml = await told(recordings.unknown.slice(0, 4));
  expect(xml).toContain('<testcase name="run" classname="teaser.run" time="0.000"><error type="cut_off"');
  expect(xml).toContain('<skipped type="not_run"');
});

test('every run that was ever told is valid by the schema', async () => {
  const runs = Object.values(recordings).filter(one => Array.isArray(one) && 'seq' in (one[0] ?? {}));
  expect(runs.length).toBeGreaterThan(10);
  const documents = await Promise.all(runs.map(one => told(one as readonly RecordedEvent[])));
  expect(await junitMistakes(...documents)).toEqual([]);
});

test('the schema finds what is wrong', async () => {
  const xml = await told(recordings.teaser);
  expect((await junitMistakes(xml.replace('classname="teaser.shot"', ''))).join()).toContain('classname');
  expect((await junitMistakes(xml.replace('</system-out>', '\x01</system-out>'))).length).toBeGreaterThan(0);
});
