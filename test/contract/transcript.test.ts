/**
 * Every case once more, at a recorded service: what the studio said when it was recorded, played by nobody's code. The transcripts are in
 * `transcript/studio/`; to record them again, run
 *
 *     RECORD=1 npx vitest run test/contract/transcript.test.ts
 *
 * and read the difference before it is committed. A case without a recording fails, and so does a recording without a case.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { KEY, testStudio } from '../studio/fake-studio.ts';
import { SUITES, UNABLE } from './cases.ts';
import { ConformanceProxy, type Description } from './conformance-proxy.ts';
import { Recording } from './recording.ts';
import { replayFixture } from './replay-fixture.ts';
import type { Cases } from './service-fixture.ts';
import { studioFixture } from './studio-fixture.ts';
import type { Line, Transcript } from './transcript.ts';
import { parse, print } from './transcript-text.ts';

const FOLDER = new URL('./transcript/studio/', import.meta.url);
const AGAIN = 'record it again: RECORD=1 npx vitest run test/contract/transcript.test.ts';
const ABOUT = `What the studio said in \`%s.cases.ts\`. How to read it: \`test/contract/transcript-text.ts\`.\nNot written by hand; to ${AGAIN}`;
const isRecording = Boolean(process.env.RECORD);

const file = (suite: string): URL => new URL(`${suite}.txt`, FOLDER);
const able = (cases: Cases) => Object.entries(cases).filter(([name]) => UNABLE.plain[name] === undefined);

if (isRecording) describe.each(Object.entries(SUITES))('recording %s', record);
else describe('the studio, as recorded', replay);

function record(suite: string, cases: Cases): void {
  const transcript = new Map<string, readonly Line[]>();
  const proxy = new ConformanceProxy();
  for (const [name, story] of able(cases)) {
    test(name, async () => {
      const recording = new Recording(KEY);
      await story(needs => studioFixture({ proxy, strict: false, recording }, needs));
      transcript.set(name, recording.lines);
    });
  }
  afterAll(() => {
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(file(suite), print(ABOUT.replace('%s', suite), transcript));
  });
}

function replay(): void {
  const proxy = new ConformanceProxy();
  let description: Description;
  beforeAll(async () => {
    await using studio = await testStudio();
    description = (await (await fetch(`${studio.url}/openapi.json`)).json()) as Description;
  });

  for (const [suite, cases] of Object.entries(SUITES)) {
    const transcript: Transcript = existsSync(file(suite)) ? parse(readFileSync(file(suite), 'utf8')) : new Map();
    describe(suite, () => {
      for (const [name, story] of able(cases)) {
        test(name, async () => {
          const lines = transcript.get(name);
          if (lines === undefined) throw new Error(`this case has no recording: ${AGAIN}`);
          await story(() => replayFixture({ lines, otherwise: AGAIN, watched: { proxy, description } }));
        });
      }
      test('nothing is recorded that no case tells', () => {
        const told = able(cases).map(([name]) => name);
        expect([...transcript.keys()].filter(name => !told.includes(name))).toEqual([]);
      });
    });
  }

  test('it holds every answer that is described', () => {
    expect(proxy.unseen).toEqual([]);
    expect(proxy.untold).toEqual(['internal', 'unknown']);
  });
}
