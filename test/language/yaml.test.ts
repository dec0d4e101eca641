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
      "5:1 ‹name› \`name\` is declared twice; keep one
        note 2:1 ‹name› first declared here"
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
      "5:3 ‹shot› \`shot\` is declared twice; keep one
        note 4:3 ‹shot› first declared here"
    `);
  });

  it('ten thousand keys are checked for doubles without trouble', () => {
    const params = Array.from({ length: 10_000 }, (_, i) => `  p${i}: { type: string }\n`).join('');
    const text = `${film('')}params:\n${params}  p77: { type: integer }\nsteps:\n  a: { model: I-GEN-A, with: { prompt: x } }\n`;
    expect(said(text)).toMatchInlineSnapshot(`
      "10004:3 ‹p77› \`p77\` is declared twice; keep one
        note 81:3 ‹p77› first declared here"
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
    expect(told('steps: &shots\n  a: *shots\n')).toMatchInlineSnapshot(
      `"4:6 ‹*shots› \`*shots\` stands inside its own anchor; a value cannot hold itself"`,
    );
  });

  it('aliases that multiply are stopped before they fill the memory', () => {
    const levels = Array.from({ length: 12 }, (_, i) =>
      i === 0
        ? 'l0: &l0 [x, x, x, x, x, x, x, x, x, x]'
        : `l${i}: &l${i} [${Array(10)
            .fill(`*l${i - 1}`)
            .join(', ')}]`,
    );
    expect(said(`${levels.join('\n')}\n`).split('\n\n')[0]).toMatchInlineSnapshot(
      `"6:45 ‹*l4› aliases multiply to more than 1000000 values; write fewer of them"`,
    );
  });

  it('__proto__ is no key, wherever it stands', () => {
    expect(
      told(
        'params:\n  __proto__: { type: string }\nsteps:\n  a: { model: I-GEN-A, with: { prompt: x, __proto__: y } }\n',
      ),
    ).toMatchInlineSnapshot(`
      "4:3 ‹__proto__› \`__proto__\` cannot be a key; choose another name
      6:43 ‹__proto__› \`__proto__\` cannot be a key; choose another name"
    `);
  });

  it('names that every object has are ordinary unknown names', () => {
    expect(
      told('constructor: 1\nsteps:\n  a: { model: toString, with: { prompt: "${{ params.constructor }}" } }\n'),
    ).toMatchInlineSnapshot(`
      "3:1 ‹constructor› the file has no key \`constructor\`; it can have \`description\`, \`params\`, \`env\`, \`data\`, \`budget\`, \`models\`, \`defaults\`, \`concurrency\`, \`profiles\` and \`outputs\`
      5:15 ‹toString› no model is called \`toString\`; use a label (\`V-T2V-A\`), a name from \`models:\`, or an id of the catalog (\`vendor/name\`)
      5:53 ‹constructor› no param is called \`constructor\`; declare it under \`params:\`"
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
      "6:21 ‹\${{ params.idea }}› inside [ ] and { } an expression must be quoted; write \`"\${{ params.idea }}"\`
      6:32 ‹idea› no param is called \`idea\`; declare it under \`params:\`
      11:21 ‹\${{ steps.a.result_url }}› inside [ ] and { } an expression must be quoted; write \`"\${{ steps.a.result_url }}"\`"
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
      "6:21 ‹\${{ run.name }}› inside [ ] and { } an expression must be quoted; write \`"\${{ run.name }}"\`
      6:53 ‹\${{ steps.z.text }}› inside [ ] and { } an expression must be quoted; write \`"\${{ steps.z.text }}"\`
      6:63 ‹z› step \`a\` reads \`steps.z\`, which no step provides; check the name
      9:13 ‹promt› I-GEN-A has no field \`promt\`; did you mean \`prompt\`?"
    `);
  });

  it('texts that YAML reads as something else', () => {
    expect(told('? [a, b]\n: c\nsteps: { a: { model: I-GEN-A, with: { prompt: x } } }\n')).toMatchInlineSnapshot(
      `"3:3 ‹[a, b]› a key must be a plain text; lists and mappings cannot be keys"`,
    );
  });

  it('brackets, commas and comments gone wrong', () => {
    expect(told('env: ["HOME" "PATH"]\n')).toMatchInlineSnapshot(
      `"3:14 ‹"› entries are not separated; put a comma between them"`,
    );
    expect(told('description: "x"#y\n')).toMatchInlineSnapshot(
      `"3:17 ‹#y› a \`#\` right behind a value; put a blank before a comment, or "…" around the text"`,
    );
  });

  it('text that is no UTF-8', () => {
    expect(said(new TextDecoder().decode(Buffer.from('name: caf\xe9\n', 'latin1')))).toMatchInlineSnapshot(
      `"1:10 ‹�› the file is not UTF-8 text; save it as UTF-8"`,
    );
    expect(said(new TextDecoder().decode(Buffer.from('shotlist: 1\n', 'utf16le')))).toMatchInlineSnapshot(
      `"1:2 ‹�› the file is not UTF-8 text; save it as UTF-8"`,
    );
  });

  it('a byte order mark and Windows line ends change nothing', () => {
    const text = dedent(`
      shotlist: 1
      name: film
      steps:
        a: { model: I-GEN-A, with: { prompt: x } }
    `);
    expect(said(`\ufeff${text.replaceAll('\n', '\r\n')}`)).toBe('');
    expect(said(`\ufeff${text.replaceAll('\n', '\r\n').replace('I-GEN-A', 'I-GEN-Q')}`)).toMatchInlineSnapshot(
      `"4:15 ‹I-GEN-Q› no model is called \`I-GEN-Q\`; did you mean \`I-GEN-A\`?"`,
    );
  });

  it('nesting without end', () => {
    expect(told(`description: ${'['.repeat(80)}${']'.repeat(80)}\n`).split('\n')[0]).toMatchInlineSnapshot(
      `"3:77 ‹[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]› nested deeper than 64 levels; flatten it"`,
    );
    expect(told(`description:\n  ${'- '.repeat(20_000)}x\n`).split('\n')[0]).toMatch(
      /^4:\d+ ‹[- …]+› nested deeper than 64 levels; flatten it$/,
    );
  });
});
