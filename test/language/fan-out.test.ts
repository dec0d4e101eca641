import { describe, expect, it } from 'vitest';
import { compiled, film, told } from './said.ts';

const matrix = (text: string): string =>
  told(
    `params: { seeds: { type: array, items: { type: integer } }, one: { type: integer } }\nsteps:\n  a:\n    model: I-GEN-A\n    matrix: ${text}\n    with: { prompt: x }\n`,
  );

describe('matrix', () => {
  it('lists, lists with expressions, and an expression that gives a list', () => {
    expect(matrix('{ seed: [1, 2], ratio: [16:9, 1:1] }')).toBe('');
    expect(matrix('{ seed: [1, "${{ params.one }}"] }')).toBe('');
    expect(matrix('{ seed: "${{ params.seeds }}" }')).toBe('');
    expect(
      matrix('{ seed: [1, 2], ratio: [a, b], include: [{ seed: 7, ratio: c }], exclude: [{ seed: 1, ratio: a }] }'),
    ).toBe('');
    expect(matrix('{ include: [{ seed: 7, ratio: c }] }')).toBe('');
  });

  it('what is no axis', () => {
    expect(matrix('{}')).toMatchInlineSnapshot(
      `"7:13 ‹{}› \`steps.a.matrix\` is empty; write \`matrix: { item: [11, 22] }\` and read \`\${{ matrix.item }}\`"`,
    );
    expect(matrix('{ seed: [] }')).toMatchInlineSnapshot(
      `"7:21 ‹[]› \`steps.a.matrix.seed\` is empty; write \`seed: [11, 22]\`"`,
    );
    expect(matrix('{ seed: 3 }')).toMatchInlineSnapshot(
      `"7:21 ‹3› \`steps.a.matrix.seed\` is 3, and must be a text or a list; write \`seed: [3]\`"`,
    );
    expect(matrix('{ seed: three }')).toMatchInlineSnapshot(
      `"7:21 ‹three› the axis \`seed\` takes a list, a range or one expression that gives a list; write \`seed: […]\` or \`seed: 1..8\`"`,
    );
    expect(matrix('{ seed: [[1], { a: 1 }] }')).toMatchInlineSnapshot(
      `"7:22 ‹[1]› \`steps.a.matrix.seed\` is a list, and must be a text, a number, true or false or a mapping; write \`seed: [11, 22]\`"`,
    );
    expect(matrix('{ seed: "${{ params.one }}" }')).toMatchInlineSnapshot(
      `"7:21 ‹"\${{ params.one }}"› the axis \`seed\` takes a list, but this is a whole number; write \`[…]\`"`,
    );
    expect(matrix('{ seed: ["${{ params.seeds }}"] }')).toMatchInlineSnapshot(
      `"7:22 ‹"\${{ params.seeds }}"› a value of the axis \`seed\` is a text, a number, true, false or a row (\`{ name: value }\`), but this is a list of whole numbers"`,
    );
    expect(matrix('{ Seed: [1] }')).toMatchInlineSnapshot(
      `"7:15 ‹Seed› \`Seed\` cannot be a name in \`matrix\` of step \`a\`; use small letters, digits and underscores, a letter first, like \`seed\`"`,
    );
    expect(matrix('{ seed: [1, 2, 1] }')).toMatchInlineSnapshot(`
      "7:28 ‹1› the axis \`seed\` has 1 twice, and two instances would share one key; keep one
        note 7:22 ‹1› first declared here"
    `);
    expect(matrix('{ include: [] }')).toMatchInlineSnapshot(
      `"7:13 ‹{ include: [] }› \`matrix\` has no axis and no \`include\`; give it an axis"`,
    );
  });

  it('an axis must be known before the run', () => {
    expect(
      told(`
          steps:
            script: { run: [cat, beats.json] }
            a: { model: I-GEN-A, matrix: { beat: "\${{ steps.script.json.beats }}" }, with: { prompt: "\${{ matrix.beat }}" } }
        `),
    ).toMatchInlineSnapshot(
      `"5:40 ‹"\${{ steps.script.json.beats }}"› how many there will be in \`beat\` is known only when the step it reads has run; say how many at most beside \`matrix\`, like \`max: 12\`, or by \`maxItems\` in the schema of the chat that writes it, so that the plan can tell what it may cost"`,
    );
  });

  it('include and exclude', () => {
    expect(
      matrix('{ seed: [1, 2], ratio: [a, b], include: [{ seed: 7 }], exclude: [{ sed: 1 }, { seed: 3 }] }'),
    ).toMatchInlineSnapshot(`
      "7:54 ‹{ seed: 7 }› a combination names every axis; add \`ratio\`
      7:80 ‹sed› the matrix has no axis \`sed\`; did you mean \`seed\`?
      7:98 ‹3› the axis \`seed\` never is 3, so nothing is left out; use one of its values"
    `);
  });
});

describe('each', () => {
  it('inherits coordinates along the chain, and adds its own', () => {
    const pipeline = compiled(
      film(`
        steps:
          shot: { model: V-T2V-A, matrix: { seed: [1, 2] }, with: { prompt: x, seed: "\${{ matrix.seed }}" } }
          framed:
            each: \${{ steps.shot }}
            matrix: { ratio: [9:16, 1:1] }
            model: V-RF
            with: { input_video: "\${{ each.result_url }}", prompt: x, aspect_ratio: "\${{ matrix.ratio }}" }
          final:
            each: \${{ steps.framed }}
            model: V-UP
            with: { input_video: "\${{ each.result_url }}" }
        outputs:
          film: { from: "\${{ steps.final }}", to: "out/film-{seed}-{ratio}.mp4" }
      `),
    );
    expect(pipeline.steps.map(step => [step.name, step.fanOut.each.map(source => source.step), step.upstream])).toEqual(
      [
        ['shot', [], []],
        ['framed', ['shot'], ['shot']],
        ['final', ['framed'], ['framed']],
      ],
    );
  });

  it('takes a whole, fanned-out step', () => {
    expect(
      told(`
          steps:
            one: { model: V-T2V-A, with: { prompt: x } }
            many: { model: V-T2V-A, matrix: { seed: [1, 2] }, with: { prompt: x } }
            a: { each: many, model: V-UP, with: { input_video: "\${{ each.result_url }}" } }
            b: { each: "\${{ steps.many.result_url }}", model: V-UP, with: { input_video: "\${{ each.result_url }}" } }
            c: { each: "\${{ steps.one }}", model: V-UP, with: { input_video: "\${{ each.result_url }}" } }
            d: { each: "\${{ steps.d }}", model: V-UP, with: { input_video: "\${{ each.result_url }}" } }
            e: { each: "\${{ steps.many }}", matrix: { seed: [3] }, model: V-UP, with: { input_video: "\${{ each.result_url }}" } }
            f: { each: "\${{ steps.many }}", model: V-UP, with: { input_video: "\${{ each.result }}" } }
            g: { each: "some \${{ steps.many }}", model: V-UP, with: { input_video: a.mp4 } }
        `),
    ).toMatchInlineSnapshot(`
      "6:14 ‹many› \`each\` takes a whole step; write \`each: \${{ steps.many }}\`
      7:14 ‹"\${{ steps.many.result_url }}"› \`each\` takes a whole step; write \`each: \${{ steps.many }}\`
      8:25 ‹one› step \`one\` is not fanned out, so there is only one; take it out of \`each\` and read \`steps.one\` directly
      9:25 ‹d› step \`d\` reads its own result; a step can only read others
      10:45 ‹seed› the axis \`seed\` comes already from \`many\` through \`each\`; give this one another name
      11:79 ‹result› \`each\` (a video result) has no \`result\`; write \`each.result_url\`
      12:14 ‹"some \${{ steps.many }}"› \`each\` takes a whole step; write \`each: \${{ steps.name }}\`"
    `);
  });
});

describe('what follows from a mistake', () => {
  it('a broken fan-out is told once, and nothing is said about what is made from it', () => {
    expect(
      told(`
          steps:
            one: { model: V-T2V-A, with: { prompt: x } }
            a: { each: "\${{ steps.one }}", model: V-UP, with: { input_video: "\${{ each.result_url }}" } }
            b: { each: "\${{ steps.a }}", model: V-UP, with: { input_video: "\${{ each.result_url }}" } }
            c: { model: V-UP, with: { input_video: "\${{ steps.b.whatever }}" } }
          outputs:
            film: { from: "\${{ steps.b }}", to: "out/{seed}.mp4" }
        `),
    ).toMatchInlineSnapshot(
      `"5:25 ‹one› step \`one\` is not fanned out, so there is only one; take it out of \`each\` and read \`steps.one\` directly"`,
    );
  });

  it('a model nobody knows gives results of which nothing is said', () => {
    expect(
      told(`
          steps:
            a: { model: V-T3V, matrix: { n: [1, 2] }, with: { whatever: "\${{ matrix.m }}" } }
            b: { each: "\${{ steps.a }}", model: V-UP, with: { input_video: "\${{ each.something }}" } }
        `),
    ).toMatchInlineSnapshot(`
      "4:15 ‹V-T3V› no model is called \`V-T3V\`; use a label (\`V-T2V-A\`), a name from \`models:\`, or an id of the catalog (\`vendor/name\`)
      4:75 ‹m› the matrix of \`a\` has no axis \`m\`; it has \`n\`"
    `);
  });
});

describe('cycles', () => {
  it('the whole cycle is told, with a place for each link', () => {
    expect(
      told(`
          steps:
            start: { model: I-GEN-A, with: { prompt: x } }
            a: { model: V-UP, with: { input_video: "\${{ steps.c.result_url }}" } }
            b: { model: V-UP, needs: start, with: { input_video: "\${{ steps.a.result_url }}" } }
            c: { model: V-UP, needs: [b], with: { input_video: a.mp4 } }
            after: { model: V-UP, with: { input_video: "\${{ steps.c.result_url }}" } }
        `),
    ).toMatchInlineSnapshot(`
      "5:53 ‹c› steps wait for each other: a → c → b → a; take one of these references out
        note 7:29 ‹b› \`c\` waits for \`b\` here
        note 6:67 ‹a› \`b\` waits for \`a\` here"
    `);
  });

  it('two cycles are two diagnostics; a step that reads itself is none', () => {
    expect(
      told(`
          steps:
            a: { model: V-UP, with: { input_video: "\${{ steps.b.result_url }}" } }
            b: { model: V-UP, with: { input_video: "\${{ steps.a.result_url }}" } }
            c: { each: "\${{ steps.d }}", model: V-UP, with: { input_video: "\${{ each.result_url }}" } }
            d: { each: "\${{ steps.c }}", matrix: { n: [1, 2] }, model: V-UP, with: { input_video: "\${{ each.result_url }}" } }
            e: { model: V-UP, with: { input_video: "\${{ steps.e.result_url }}" } }
        `),
    ).toMatchInlineSnapshot(`
      "4:53 ‹b› steps wait for each other: a → b → a; take one of these references out
        note 5:53 ‹a› \`b\` waits for \`a\` here
      6:25 ‹d› steps wait for each other: c → d → c; take one of these references out
        note 7:25 ‹c› \`d\` waits for \`c\` here
      8:53 ‹e› step \`e\` reads its own result; a step can only read others"
    `);
  });

  it('a chain of two thousand steps is no cycle', () => {
    const steps = Array.from({ length: 2000 }, (_, i) =>
      i === 0
        ? '  s0: { model: V-T2V-A, matrix: { n: [1, 2] }, with: { prompt: x } }\n'
        : `  s${i}: { each: "\${{ steps.s${i - 1} }}", model: V-UP, with: { input_video: "\${{ each.result_url }}" } }\n`,
    );
    expect(told(`steps:\n${steps.reverse().join('')}`)).toBe('');
  });
});
