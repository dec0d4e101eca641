import { describe, expect, it } from 'vitest';
import { told } from './said.ts';

describe('names that lead nowhere', () => {
  it('a model nobody knows', () => {
    expect(
      told('models: { film: V-RFF }\nsteps:\n  a: { model: flim, with: { prompt: x } }\n  b: { model: film }\n'),
    ).toMatchInlineSnapshot(`
      "3:17 ‹V-RFF› no model is called \`V-RFF\`; did you mean \`V-RF\`?
      5:15 ‹flim› no model is called \`flim\`; did you mean \`film\`?"
    `);
    expect(
      told('params: { m: { type: string } }\nsteps:\n  a: { model: "${{ params.m }}", with: { prompt: x } }\n'),
    ).toMatchInlineSnapshot(
      `"5:15 ‹"\${{ params.m }}"› a model is named, not computed; write its label, or an axis of \`matrix\` that lists models: \`\${{ matrix.by }}\`"`,
    );
  });

  it('an id of the catalog is taken as it is, and its result can be anything', () => {
    expect(
      told(`
          models: { some: { id: vendor/some-model } }
          steps:
            a: { model: some, with: { whatever: 3 } }
            b: { model: V-RF, with: { input_video: "\${{ steps.a.result_url }}", prompt: x, aspect_ratio: 1:1 } }
            c: { model: I-EDIT-A, with: { input_image: ["\${{ steps.a.result_url }}"], prompt: x } }
        `),
    ).toBe('');
    expect(told('steps:\n  a: { model: kling/v2, with: { whatever: 3 } }\n')).toMatchInlineSnapshot(
      `"4:15 ‹kling/v2› warning: nothing is known here of a model \`kling/v2\`, so its fields and its price are not checked; if your service has it, name it under \`models:\` with \`{ id: kling/v2 }\`"`,
    );
  });

  it('a step nobody provides is told once, and nothing follows from it', () => {
    expect(
      told(`
          steps:
            shot: { model: V-T2V-A, with: { prompt: x } }
            framed:
              model: V-RF
              with:
                input_video: \${{ steps.shoot.result_url }}
                prompt: \${{ steps.shoot.nothing.at.all }}
                aspect_ratio: 1:1
            final:
              each: \${{ steps.frmaed }}
              model: V-UP
              with: { input_video: "\${{ each.reslt_url }}" }
          outputs:
            film: { from: "\${{ steps.finl }}", to: out/a.mp4 }
        `),
    ).toMatchInlineSnapshot(`
      "8:30 ‹shoot› step \`framed\` reads \`steps.shoot\`, which no step provides; did you mean \`shot\`?
      9:25 ‹shoot› step \`framed\` reads \`steps.shoot\`, which no step provides; did you mean \`shot\`?
      12:21 ‹frmaed› step \`final\` reads \`steps.frmaed\`, which no step provides; did you mean \`framed\`?
      16:28 ‹finl› this reads \`steps.finl\`, which no step provides; did you mean \`final\`?"
    `);
  });

  it('needs', () => {
    expect(
      told(`
          steps:
            a: { model: I-GEN-A, needs: [a, bb, "\${{ steps.b }}"], with: { prompt: x } }
            b: { model: I-GEN-A, with: { prompt: x } }
        `),
    ).toMatchInlineSnapshot(`
      "4:32 ‹a› step \`a\` waits for itself; take it out of \`needs\`
      4:35 ‹bb› step \`a\` needs \`bb\`, which no step provides; did you mean \`b\`?
      4:39 ‹"\${{ steps.b }}"› \`needs\` takes names of steps, not \`\${{ steps.b }}\`; write the name alone"
    `);
  });

  it('params, axes, variables, the run and everything else', () => {
    expect(
      told(`
          params: { idea: { type: string } }
          env: [HOME]
          steps:
            idea_shot:
              matrix: { seed: [1, 2] }
              model: I-GEN-A
              with:
                prompt: >-
                  \${{ params.idae }} \${{ matrix.sed }} \${{ env.HOM }} \${{ run.nmae }} \${{ each.file }} \${{ take }}
                  \${{ idea }} \${{ idea_shot }} \${{ prams.idea }} \${{ params }} \${{ whatever.x }} \${{ steps }}
            other:
              model: I-GEN-A
              with: { prompt: "\${{ matrix.seed }}" }
        `),
    ).toMatchInlineSnapshot(`
      "11:20 ‹idae› no param is called \`idae\`; did you mean \`idea\`?
      11:39 ‹sed› the matrix of \`idea_shot\` has no axis \`sed\`; did you mean \`seed\`?
      11:54 ‹HOM› the file does not declare the variable \`HOM\`; did you mean \`HOME\`?
      11:69 ‹nmae› \`run\` has no \`nmae\`; it has \`id\` and \`name\`
      11:81 ‹each› step \`idea_shot\` has no \`each\`, so \`each\` has no value here; add \`each: \${{ steps.… }}\` or read \`steps\`
      11:98 ‹take› \`take\` alone has no value; say which, like \`take.number\`
      12:13 ‹idea› expressions do not know \`idea\`; write \`params.idea\`
      12:25 ‹idea_shot› expressions do not know \`idea_shot\`; write \`steps.idea_shot\`
      12:42 ‹prams› expressions do not know \`prams\`; did you mean \`params\`?
      12:60 ‹params› \`params\` alone has no value; say which, like \`params.name\`
      12:74 ‹whatever› expressions do not know \`whatever\`; they can read \`params\`, \`data\`, \`steps\`, \`matrix\`, \`each\`, \`take\`, \`previous\`, \`run\` and \`env\`
      12:92 ‹steps› \`steps\` alone has no value; say which, like \`steps.name\`
      15:26 ‹matrix› step \`other\` has no \`matrix\`, so \`matrix\` has no value here; add one, or read \`params\`"
    `);
  });

  it('a file without params says where to declare one', () => {
    expect(told('steps:\n  a: { model: I-GEN-A, with: { prompt: "${{ params.idea }}" } }\n')).toMatchInlineSnapshot(
      `"4:52 ‹idea› no param is called \`idea\`; declare it under \`params:\`"`,
    );
  });
});
