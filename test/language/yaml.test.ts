import { describe, expect, it } from 'vitest';
import { compiled, dedent, film, said, told } from './said.ts';

describe('the traps of YAML', () => {
  it('9:16 without quotes is a ratio, in block style and in a list', () => {
    const pipeline = compiled(
      film(`
        steps:
          still: { model: I-GEN-A, with: { prompt: a fox } }
          alive:
            matrix: { ratio: [16:9, 9:16] }
            model: V-I2V-A
            with:
              input_image: \${{ steps.still.result_url }}
              prompt: slow push in 16:9
              aspect_ratio: \${{ matrix.ratio }}
      `),
    );
    expect(pipeline.steps[1]!.fanOut.matrix[0]!.values).toMatchObject({
      items: [{ value: '16:9' }, { value: '9:16' }],
    });
  });

  it('a key declared twice points at both', () => {
    expect(told('steps:\n  a: { model: I-GEN-A, with: { prompt: x } }\nname: other\n')).toMatchInlineSnapshot(`
      "film.yaml:5:1: error: \`name\` is declared twice; keep one
        5 | name: other
          | ^^^^
          note: film.yaml:2:1: first declared here
        2 | name: film
          | ^^^^"
    `);
  });

  it('two steps of one name are a key declared twice', () => {
    expect(
      told(`
          steps:
            shot: { model: I-GEN-A, with: { prompt: x } }
            shot: { model: I-GEN-A, with: { prompt: y } }
        `),
    ).toMatchInlineSnapshot(`
      "film.yaml:5:3: error: \`shot\` is declared twice; keep one
        5 |   shot: { model: I-GEN-A, with: { prompt: y } }
          |   ^^^^
          note: film.yaml:4:3: first declared here
        4 |   shot: { model: I-GEN-A, with: { prompt: x } }
          |   ^^^^"
    `);
  });

  it('ten thousand keys are checked for doubles without trouble', () => {
    const params = Array.from({ length: 10_000 }, (_, i) => `  p${i}: { type: string }\n`).join('');
    const text = `${film('')}params:\n${params}  p77: { type: integer }\nsteps:\n  a: { model: I-GEN-A, with: { prompt: x } }\n`;
    expect(said(text)).toMatchInlineSnapshot(`
      "film.yaml:10004:3: error: \`p77\` is declared twice; keep one
       10004 |   p77: { type: integer }
             |   ^^^
             note: film.yaml:81:3: first declared here
          81 |   p77: { type: string }
             |   ^^^"
    `);
  });

  it('anchors and aliases carry whole values', () => {
    const pipeline = compiled(
      film(`
        steps:
          one: { model: I-GEN-A, with: &base { prompt: x } }
          two: { model: I-GEN-A, with: *base }
      `),
    );
    expect(pipeline.steps.map(step => step.kind === 'generate' && step.with.entries[0]!.value)).toMatchObject([
      { is: 'literal', value: 'x' },
      { is: 'literal', value: 'x' },
    ]);
  });

  it('an alias without an anchor, and a value that holds itself', () => {
    expect(told('steps: &shots\n  a: *shots\n')).toMatchInlineSnapshot(`
      "film.yaml:4:6: error: \`*shots\` stands inside its own anchor; a value cannot hold itself
        4 |   a: *shots
          |      ^^^^^^"
    `);
  });

  it('aliases that multiply are stopped before they fill the memory', () => {
    const levels = Array.from({ length: 12 }, (_, i) =>
      i === 0
        ? 'l0: &l0 [x, x, x, x, x, x, x, x, x, x]'
        : `l${i}: &l${i} [${Array(10)
            .fill(`*l${i - 1}`)
            .join(', ')}]`,
    );
    expect(said(`${levels.join('\n')}\n`).split('\n\n')[0]).toMatchInlineSnapshot(`
      "film.yaml:6:45: error: aliases multiply to more than 1000000 values; write fewer of them
        6 | l5: &l5 [*l4, *l4, *l4, *l4, *l4, *l4, *l4, *l4, *l4, *l4]
          |                                             ^^^"
    `);
  });

  it('__proto__ is no key, wherever it stands', () => {
    expect(
      told(
        'params:\n  __proto__: { type: string }\nsteps:\n  a: { model: I-GEN-A, with: { prompt: x, __proto__: y } }\n',
      ),
    ).toMatchInlineSnapshot(`
      "film.yaml:4:3: error: \`__proto__\` cannot be a key; choose another name
        4 |   __proto__: { type: string }
          |   ^^^^^^^^^

      film.yaml:6:43: error: \`__proto__\` cannot be a key; choose another name
        6 |   a: { model: I-GEN-A, with: { prompt: x, __proto__: y } }
          |                                           ^^^^^^^^^"
    `);
  });

  it('names that every object has are ordinary unknown names', () => {
    expect(
      told('constructor: 1\nsteps:\n  a: { model: toString, with: { prompt: "${{ params.constructor }}" } }\n'),
    ).toMatchInlineSnapshot(`
      "film.yaml:3:1: error: the file has no key \`constructor\`; it can have \`description\`, \`params\`, \`env\`, \`data\`, \`budget\`, \`models\`, \`defaults\`, \`concurrency\`, \`profiles\` and \`outputs\`
        3 | constructor: 1
          | ^^^^^^^^^^^

      film.yaml:5:15: error: no model is called \`toString\`; use a label (\`V-T2V-A\`), a name from \`models:\`, or an id of the catalog (\`vendor/name\`)
        5 |   a: { model: toString, with: { prompt: "\${{ params.constructor }}" } }
          |               ^^^^^^^^

      film.yaml:5:53: error: no param is called \`constructor\`; declare it under \`params:\`
        5 |   a: { model: toString, with: { prompt: "\${{ params.constructor }}" } }
          |                                                     ^^^^^^^^^^^"
    `);
  });

  it('an unquoted expression inside brackets or braces says what to write', () => {
    expect(
      told(`
          steps:
            a:
              model: I-GEN-A
              with: { prompt: \${{ params.idea }}, seed: 1 }
            b:
              model: I-EDIT-A
              with:
                prompt: x
                input_image: [\${{ steps.a.result_url }}]
        `),
    ).toMatchInlineSnapshot(`
      "film.yaml:6:21: error: inside [ ] and { } an expression must be quoted; write \`"\${{ params.idea }}"\`
        6 |     with: { prompt: \${{ params.idea }}, seed: 1 }
          |                     ^^^^^^^^^^^^^^^^^^

      film.yaml:6:32: error: no param is called \`idea\`; declare it under \`params:\`
        6 |     with: { prompt: \${{ params.idea }}, seed: 1 }
          |                                ^^^^

      film.yaml:11:21: error: inside [ ] and { } an expression must be quoted; write \`"\${{ steps.a.result_url }}"\`
       11 |       input_image: [\${{ steps.a.result_url }}]
          |                     ^^^^^^^^^^^^^^^^^^^^^^^^^"
    `);
  });

  it('an unquoted expression inside braces does not hide the other mistakes, in the same line or elsewhere', () => {
    expect(
      told(`
          steps:
            a:
              model: I-GEN-A
              with: { prompt: \${{ run.name }}, output_format: \${{ steps.z.text }} }
            b:
              model: I-GEN-A
              with: { promt: x }
        `),
    ).toMatchInlineSnapshot(`
      "film.yaml:6:21: error: inside [ ] and { } an expression must be quoted; write \`"\${{ run.name }}"\`
        6 |     with: { prompt: \${{ run.name }}, output_format: \${{ steps.z.text }} }
          |                     ^^^^^^^^^^^^^^^

      film.yaml:6:53: error: inside [ ] and { } an expression must be quoted; write \`"\${{ steps.z.text }}"\`
        6 |     with: { prompt: \${{ run.name }}, output_format: \${{ steps.z.text }} }
          |                                                     ^^^^^^^^^^^^^^^^^^^

      film.yaml:6:63: error: step \`a\` reads \`steps.z\`, which no step provides; check the name
        6 |     with: { prompt: \${{ run.name }}, output_format: \${{ steps.z.text }} }
          |                                                               ^

      film.yaml:9:13: error: I-GEN-A has no field \`promt\`; did you mean \`prompt\`?
        9 |     with: { promt: x }
          |             ^^^^^"
    `);
  });

  it('texts that YAML reads as something else', () => {
    expect(told('? [a, b]\n: c\nsteps: { a: { model: I-GEN-A, with: { prompt: x } } }\n')).toMatchInlineSnapshot(`
      "film.yaml:3:3: error: a key must be a plain text; lists and mappings cannot be keys
        3 | ? [a, b]
          |   ^^^^^^"
    `);
  });

  it('brackets, commas and remarks gone wrong', () => {
    expect(told('env: ["HOME" "PATH"]\n')).toMatchInlineSnapshot(`
      "film.yaml:3:14: error: entries are not separated; put a comma between them
        3 | env: ["HOME" "PATH"]
          |              ^"
    `);
    expect(told('description: "x"#y\n')).toMatchInlineSnapshot(`
      "film.yaml:3:17: error: a \`#\` right behind a value; put a blank before a remark, or "…" around the text
        3 | description: "x"#y
          |                 ^^"
    `);
  });

  it('text that is no UTF-8', () => {
    expect(said(new TextDecoder().decode(Buffer.from('name: caf\xe9\n', 'latin1')))).toMatchInlineSnapshot(`
      "film.yaml:1:10: error: the file is not UTF-8 text; save it as UTF-8
        1 | name: caf�
          |          ^"
    `);
    expect(said(new TextDecoder().decode(Buffer.from('shotlist: 1\n', 'utf16le')))).toMatchInlineSnapshot(`
      "film.yaml:1:2: error: the file is not UTF-8 text; save it as UTF-8
        1 | s�h�o�t�l�i�s�t�:� �1�
          |  ^"
    `);
  });

  it('a byte order mark and Windows line ends change nothing', () => {
    const text = dedent(`
      shotlist: 1
      name: film
      steps:
        a: { model: I-GEN-A, with: { prompt: x } }
    `);
    expect(said(`\ufeff${text.replaceAll('\n', '\r\n')}`)).toBe('');
    expect(said(`\ufeff${text.replaceAll('\n', '\r\n').replace('I-GEN-A', 'I-GEN-Q')}`)).toMatchInlineSnapshot(`
      "film.yaml:4:15: error: no model is called \`I-GEN-Q\`; did you mean \`I-GEN-A\`?
        4 |   a: { model: I-GEN-Q, with: { prompt: x } }
          |               ^^^^^^^"
    `);
  });

  it('nesting without end', () => {
    expect(told(`description: ${'['.repeat(80)}${']'.repeat(80)}\n`).split('\n')[0]).toMatchInlineSnapshot(
      `"film.yaml:3:77: error: nested deeper than 64 levels; flatten it"`,
    );
    expect(told(`description:\n  ${'- '.repeat(20_000)}x\n`).split('\n')[0]).toMatch(
      /^film\.yaml:4:\d+: error: nested deeper than 64 levels; flatten it$/,
    );
  });
});
