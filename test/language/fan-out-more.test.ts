/** What is beyond lists: rows, ranges, takes, joins, models as an axis, lists that steps write, the instance before. */
import { expect, test } from 'vitest';
import { told } from './said.ts';

const still = (rest: string): string => told(`steps:\n  a:\n    model: I-GEN-A\n    ${rest}\n`);

test('rows: columns are read like fields, and a misspelt one is told', () => {
  const rows = 'matrix: { who: [{ name: ada, age: 3 }, { name: bo, age: 4 }] }';
  expect(still(`${rows}\n    with: { prompt: "\${{ matrix.who.name }} is \${{ matrix.who.age }}" }`)).toBe('');
  expect(still(`${rows}\n    with: { prompt: "\${{ matrix.who }}" }`)).toMatchInlineSnapshot(
    `"7:21 ‹"\${{ matrix.who }}"› \`prompt\` of I-GEN-A takes a text, but this is a row; read something else"`,
  );
});

test('ranges', () => {
  expect(still('matrix: { part: 1..8 }\n    with: { prompt: "part ${{ matrix.part + 1 }}" }')).toBe('');
  expect(still('matrix: { part: 1..1000000000 }\n    with: { prompt: x }')).toMatchInlineSnapshot(
    `"6:21 ‹1..1000000000› this range has 1,000,000,000 values, and a step has at most 10,000 instances; shorten it"`,
  );
});

test('takes', () => {
  expect(still('takes: 3\n    with: { prompt: "take ${{ take.number }}" }')).toBe('');
  expect(
    told(`steps:
  a: { model: I-GEN-A, takes: 2, with: { prompt: x } }
  b: { each: "\${{ steps.a }}", takes: 2, model: I-EDIT-C, with: { prompt: y, input_image: "\${{ each.result_url }}" } }
`),
  ).toMatchInlineSnapshot(`
    "5:32 ‹takes› \`a\` has \`takes\` already, and its take is inherited through \`each\`; take one of the two out
    5:91 ‹"\${{ each.result_url }}"› \`input_image\` of I-EDIT-C takes a list of addresses of images, but this is the address of an image; put it in a list: \`["\${{ … }}"]\`"
  `);
});

const joined = (rest: string, shared = 'beat'): string =>
  told(`steps:
  still: { model: I-GEN-A, matrix: { ${shared}: [1, 2] }, with: { prompt: "beat \${{ matrix.${shared} }}" } }
  voice: { run: [say, "\${{ matrix.beat }}"], matrix: { beat: [1, 2] }, creates: { line: line.wav } }
  alone: { model: I-GEN-A, with: { prompt: x } }
  shot:
    ${rest}
`);

test('the join', () => {
  const meet = 'each: { still: "${{ steps.still }}", voice: "${{ steps.voice }}" }';
  const model = (prompt: string) => `\n    model: I-GEN-A\n    with: { prompt: "${prompt}" }`;
  expect(
    joined(`${meet}${model('${{ each.still.sha256 }} ${{ each.voice.files.line.sha256 }} ${{ matrix.beat }}')}`),
  ).toBe('');
  expect(joined(`${meet}${model('${{ each.stil.sha256 }}')}`)).toMatchInlineSnapshot(
    `"10:31 ‹stil› \`each\` (the instances that meet here) has no \`stil\`; did you mean \`still\`?"`,
  );
  expect(
    joined(`each: { still: "\${{ steps.still }}", b: "\${{ steps.still }}" }${model('x')}`),
  ).toMatchInlineSnapshot(`
    "8:42 ‹b› \`still\` is named twice, and an instance meets each step once; take one out
      note 8:31 ‹still› first declared here"
  `);
});

test('a model as an axis', () => {
  const by = (models: string, rest: string) =>
    told(`steps:\n  a:\n    matrix: { by: ${models} }\n    model: \${{ matrix.by }}\n${rest}`);
  expect(by('[V-UP, V-RT]', '    with: { input_video: https://x.test/a.mp4 }\n')).not.toContain('no model');
  expect(by('[V-T2V-A, V-T2V-B]', '    with: { promt: x }\n')).toMatchInlineSnapshot(`
    "7:13 ‹promt› V-T2V-A has no field \`promt\`; did you mean \`prompt\`?
    7:13 ‹promt› V-T2V-B has no field \`promt\`; did you mean \`prompt\`?"
  `);
  expect(by('"${{ params.x }}"', '    with: { prompt: x }\n')).toMatchInlineSnapshot(`
    "5:19 ‹"\${{ params.x }}"› an axis of models is a list that is written out, so that each of them can be checked: \`matrix: { by: [V-T2V-A, V-T2V-B] }\`
    5:31 ‹x› no param is called \`x\`; declare it under \`params:\`"
  `);
  expect(
    by('[V-T2V-A, V-T2V-B]', '    with: { prompt: x }\n    only: { V-T2V-C: { seed: 1 } }\n'),
  ).toMatchInlineSnapshot(`"8:13 ‹V-T2V-C› this step makes nothing with \`V-T2V-C\`; did you mean \`V-T2V-A\`?"`);
});

const written = (rest: string): string =>
  told(`steps:
  script:
    model: C-D
    with: { prompt: beats }
    schema:
      type: object
      required: [beats]
      properties:
        beats: { type: array, items: { type: object, properties: { look: { type: string }, slug: { type: string } } } }
  still:
${rest}
`);

test('a list that a step writes is typed by its schema, and has a limit', () => {
  const list = '    matrix: { beat: "${{ steps.script.json.beats }}" }\n    model: I-GEN-A\n';
  expect(written(`${list}    max: 12\n    with: { prompt: "\${{ matrix.beat.look }}" }`)).toBe('');
  expect(written(`${list}    max: 12\n    key: \${{ matrix.beat.slug }}\n    with: { prompt: x }`)).toBe('');
  expect(written(`${list}    max: 12\n    key: \${{ params.x }}\n    with: { prompt: x }`)).toMatchInlineSnapshot(
    `"16:21 ‹x› no param is called \`x\`; declare it under \`params:\`"`,
  );
  expect(written(`${list}    max: 12\n    key: \${{ matrix.beat }}\n    with: { prompt: x }`)).toMatchInlineSnapshot(
    `"16:10 ‹\${{ matrix.beat }}› a key is a text or a number, but this is an answer; read one of its fields"`,
  );
});

test('the instance before', () => {
  const chain = (code: string) =>
    told(
      `steps:
  hero: { model: I-GEN-A, with: { prompt: x } }
  walk:
    matrix: { part: 1..8 }
    model: V-I2V-A
    with: { prompt: on, input_image: "\${{ ${code} }}" }
  one: { model: V-I2V-A, with: { prompt: on, input_image: "\${{ has(previous.file) ? previous.file : steps.hero.result_url }}" } }
`.replace(code.includes('hero') ? /\n {2}one.*\n/ : /$^/, '\n'),
    );
  expect(chain('has(previous.result_url) ? steps.hero.result_url : steps.hero.result_url')).toBe('');
  expect(chain('previous.result_url')).toMatchInlineSnapshot(`
    "8:43 ‹previous.result_url› the first instance has nothing before it; ask first: \`has(previous.result_url) ? previous.result_url : …\`
    9:68 ‹previous› step \`one\` is not fanned out, so no instance is before it; add a \`matrix\`, like \`part: 1..8\`, or \`until\` to make it in rounds
    9:85 ‹previous› step \`one\` is not fanned out, so no instance is before it; add a \`matrix\`, like \`part: 1..8\`, or \`until\` to make it in rounds"
  `);
});
