import { describe, expect, it } from 'vitest';
import { compiled, film, told } from './said.ts';

const STEP = 'steps:\n  a: { model: look, with: { prompt: a fox } }\n';

describe('a custom model', () => {
  it('is named by any id of the catalog, and brought up where the file says so', () => {
    const pipeline = compiled(
      film(`models:
  look: { id: fox-look, activate: true }
  again: { id: fox-look, activate: true }
  kept: { id: river-look, activate: false }
  other: { id: vendor/storm }
  plain: V-T2V-A
steps:
  a: { model: look, with: { prompt: a fox } }
  b: { model: kept, with: { prompt: a river } }
  c: { model: other }
`),
    );
    expect(pipeline.steps.map(step => step.kind === 'generate' && step.model)).toEqual([
      'fox-look',
      'river-look',
      'vendor/storm',
    ]);
    expect(pipeline.deployments).toEqual(['fox-look']);
  });

  it('may stand for a label of the document, whose fields are then known', () => {
    expect(
      told('models: { look: { id: V-T2V-A } }\nsteps:\n  a: { model: look, with: { promt: x } }\n'),
    ).toMatchInlineSnapshot(`"5:29 ‹promt› V-T2V-A has no field \`promt\`; did you mean \`prompt\`?"`);
  });

  it('cannot be activated when it is a base model, of video or of chat', () => {
    expect(told(`models: { look: { id: V-T2V-A, activate: true } }\n${STEP}`)).toMatchInlineSnapshot(
      `"3:42 ‹true› \`V-T2V-A\` is a base model, which is always active; take \`activate\` out, or give the id of a custom model"`,
    );
    expect(told(`models: { talk: { id: C-D, activate: true }, look: V-T2V-A }\n${STEP}`)).toContain(
      '`C-D` is a base model, which is always active; take `activate` out, or give the id of a custom model',
    );
  });

  it('has an id and `activate`, and nothing else', () => {
    expect(told(`models: { look: { id: fox-look, activat: true, price: 3 } }\n${STEP}`)).toMatchInlineSnapshot(`
      "3:33 ‹activat› \`models.look\` has no key \`activat\`; did you mean \`activate\`?
      3:48 ‹price› \`models.look\` has no key \`price\`; it can have nothing"
    `);
    expect(told(`models: { look: { activate: true } }\n${STEP}`)).toMatchInlineSnapshot(
      `"3:11 ‹look› \`models.look\` needs \`id\`; write \`id: vendor/name\`"`,
    );
    expect(told(`models: { look: { id: fox-look, activate: yes } }\n${STEP}`)).toMatchInlineSnapshot(
      `"3:43 ‹yes› \`models.look.activate\` is "yes"; it must be true or false"`,
    );
    expect(told(`models: { look: 3, other: [fox-look] }\n${STEP}`)).toMatchInlineSnapshot(`
      "3:17 ‹3› \`models.look\` is 3, and must be a text or a mapping; write \`look: V-T2V-A\`
      3:27 ‹[fox-look]› \`models.other\` is a list, and must be a text or a mapping; write \`other: V-T2V-A\`"
    `);
  });

  it('is named, not computed', () => {
    expect(told(`models: { look: { id: "\${{ params.m }}" } }\n${STEP}`)).toMatchInlineSnapshot(
      `"3:23 ‹"\${{ params.m }}"› a model is named, not computed; write its label, or an axis of \`matrix\` that lists models: \`\${{ matrix.by }}\`"`,
    );
  });
});
