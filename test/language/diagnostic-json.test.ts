/** Mistakes as JSON: in the documented shape, and fixes that mend. */
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { modelLibrary } from '../../src/api/model-library.ts';
import { compile } from '../../src/language/compile.ts';
import { diagnosticsJson, fixesOf } from '../../src/language/diagnostic-json.ts';
import { diagnosticsSarif } from '../../src/language/diagnostic-sarif.ts';

const schema = JSON.parse(readFileSync(new URL('../../schema/diagnostics.schema.json', import.meta.url), 'utf8'));
const isValid = new Ajv2020({ strict: false }).compile(schema);

const BROKEN = `shotlist: 1
name: broken
steps:
  shot:
    model: V-T2V-Z
    with: { prompt: a 🦊 fox, seed: 1 }
  framed:
    if: "true"
    model: V-RF
    with:
      input_video: \${{ steps.shoot.result_url }}
      aspect_ratio: 9:16
      promt: snow
`;

test('in the documented shape, with places a reader would count', () => {
  const { diagnostics } = compile({ path: 'broken.yaml', text: BROKEN }, modelLibrary);
  const files = [{ file: 'broken.yaml', ok: false, diagnostics: diagnosticsJson(diagnostics) }];
  expect([isValid({ version: 1, ok: false, files }), isValid.errors]).toEqual([true, null]);
  expect(isValid({ version: 1, error: { exit: 2, message: '' }, diagnostics: diagnosticsJson(diagnostics) })).toBe(
    true,
  );
  expect(isValid({ version: 1 })).toBe(false);
  expect(diagnosticsJson(diagnostics)[0]).toEqual({
    file: 'broken.yaml',
    line: 5,
    column: 12,
    end: { line: 5, column: 19 },
    severity: 'error',
    code: 'unknown-model',
    message: expect.stringContaining('`V-T2V-Z`'),
    advice: expect.stringContaining('did you mean'),
    fixes: [{ line: 5, column: 12, end: { line: 5, column: 19 }, text: expect.stringMatching(/^V-T2V-/) }],
  });
});

test('what is offered as a fix mends its mistake, and makes no other', () => {
  const { diagnostics } = compile({ path: 'broken.yaml', text: BROKEN }, modelLibrary);
  const fixes = diagnostics.flatMap(one => fixesOf(one).map(fix => ({ ...fix, code: one.code })));
  expect(fixes.map(({ text }) => text)).toEqual(expect.arrayContaining(['shot', 'prompt']));
  const mended = fixes
    .toSorted((a, b) => b.span.start - a.span.start)
    .reduce((text, { span, text: by }) => text.slice(0, span.start) + by + text.slice(span.end), BROKEN);
  expect(compile({ path: 'broken.yaml', text: mended }, modelLibrary).diagnostics).toEqual([]);
});

test('nothing is offered where more than the wrong word would be replaced', () => {
  const source = { path: 'x', text: 'a: ${{ steps.shoot.x + 1 }}' };
  const message = 'there is no `shoot`; did you mean `shot`?';
  expect(fixesOf({ source, message, span: { start: 3, end: source.text.length } })).toEqual([]);
  expect(fixesOf({ source, message, span: { start: 13, end: 18 } })).toEqual([
    { span: { start: 13, end: 18 }, text: 'shot' },
  ]);
});

test('as SARIF, with the columns that it counts, and fixes', () => {
  const { diagnostics } = compile({ path: 'broken.yaml', text: BROKEN }, modelLibrary);
  const { runs } = diagnosticsSarif(diagnostics, { version: '1.2.3', pathOf: path => `my films/${path}` });
  const [run] = runs;
  expect(run?.tool.driver.rules.map(({ id }) => id)).toEqual([...new Set(diagnostics.map(({ code }) => code))].sort());
  const seed = run?.results.find(({ message }) => message.text.includes('V-T2V-Z'));
  const region = { startLine: 5, startColumn: 12, endLine: 5, endColumn: 19 };
  const artifactLocation = { uri: 'my%20films/broken.yaml' };
  expect(seed).toEqual({
    ...{
      ruleId: 'unknown-model',
      ruleIndex: expect.any(Number),
      level: 'error',
      message: { text: expect.any(String) },
    },
    locations: [{ physicalLocation: { artifactLocation, region } }],
    fixes: [
      {
        artifactChanges: [
          {
            artifactLocation,
            replacements: [{ deletedRegion: region, insertedContent: { text: expect.stringMatching(/^V-T2V-/) } }],
          },
        ],
      },
    ],
  });
  const fox = compile({ path: 'fox.yaml', text: FOX }, modelLibrary).diagnostics;
  expect(
    diagnosticsSarif(fox, { version: '1', pathOf: path => path }).runs[0]?.results[0]?.locations[0]?.physicalLocation
      .region.startColumn,
  ).toBe(FOX.split('\n')[5]!.indexOf('lenght') + 1);
});

/** The picture before the mistake is two code units, and one character to a reader. */
const FOX = `shotlist: 1
name: fox
steps:
  shot:
    model: V-T2V-A
    with: { prompt: a 🦊 fox, lenght: 5 }
`;
