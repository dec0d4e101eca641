/** `schema/pipeline.schema.json` is what editors show; the compiler must say yes and no to the same files. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import pipelineSchema from '../../schema/pipeline.schema.json' with { type: 'json' };
import { modelLibrary } from '../../src/api/model-library.ts';
import { Findings } from '../../src/language/checks/findings.ts';
import { checkShape } from '../../src/language/checks/shape-check.ts';
import { compile } from '../../src/language/compile.ts';
import { readTree } from '../../src/language/yaml/yaml-tree.ts';
import { filesBeside, pipelineFiles } from '../support/pipelines.ts';

const validate = new Ajv2020({
  strict: true,
  strictTypes: false,
  strictRequired: false,
  keywords: ['markdownDescription'],
}).compile(pipelineSchema);

function compilerAgrees(text: string): boolean {
  const findings = new Findings({ path: 'film.yaml', text });
  const tree = readTree(findings.source, findings);
  if (!tree) throw new Error(JSON.stringify(findings.list));
  checkShape(tree, findings, () => false);
  return findings.list.length === 0;
}

const HEAD = 'shotlist: 1\nname: film\n';
const STEPS = 'steps: { a: { model: m } }\n';
const GOOD = [
  HEAD + STEPS,
  `${HEAD}description: x\nparams: { a: { type: string, default: x }, b: { type: array, items: { type: integer, minimum: 1 } } }\n${STEPS}`,
  `${HEAD}env: [HOME, _x]\nmodels: { film: V-RF }\ndefaults: { with: { a: 1 }, timeout: 5m, cache: off }\n${STEPS}`,
  `${HEAD}models: { a: { id: x, activate: true }, b: { id: x }, c: { id: x, activate: false } }\n${STEPS}`,
  `${HEAD}steps: { a: { model: m, with: { a: [1, { b: null }] }, needs: b, if: true, each: x, timeout: { queue: 5m, run: 1.5h }, cache: false, save: a } }\n`,
  `${HEAD}steps: { a: { run: [a, 1, true, null], env: { A: 1 }, files: { x: y }, creates: { x: y }, needs: [a, b] } }\n`,
  `${HEAD}steps: { a: { run: ls, shell: bash, matrix: { a: [1, x, true], b: x, include: [{ a: 1 }], exclude: [] } } }\n`,
  `${HEAD}${STEPS}outputs: { film: { from: x, to: y } }\n`,
  `${HEAD}steps: { a: { model: m, schema: ./beats.json }, b: { model: m, schema: { type: object } } }\n`,
];
const BAD = [
  `${HEAD}steps: { a: { model: m, schema: "" } }\n`,
  `${HEAD}steps: { a: { model: m, schema: {} } }\n`,
  `${HEAD}steps: { a: { model: m, schema: [x] } }\n`,
  'name: film\n',
  `shotlist: 2\nname: film\n${STEPS}`,
  `shotlist: "1"\nname: film\n${STEPS}`,
  `shotlist: 1\nname: 3\n${STEPS}`,
  `shotlist: 1\nname: ""\n${STEPS}`,
  `shotlist: 1\nname: ${'x'.repeat(101)}\n${STEPS}`,
  `${HEAD}steps: {}\n`,
  `${HEAD}steps: []\n`,
  `${HEAD}steps:\n`,
  `${HEAD}extra: 1\n${STEPS}`,
  `${HEAD}steps: { A: { model: m } }\n`,
  `${HEAD}steps: { a: { modle: m } }\n`,
  `${HEAD}steps: { a: { with: {} } }\n`,
  `${HEAD}steps: { a: x }\n`,
  `${HEAD}steps: { a: { model: m, run: x } }\n`,
  `${HEAD}steps: { a: { model: "" } }\n`,
  `${HEAD}steps: { a: { model: m, with: [] } }\n`,
  `${HEAD}steps: { a: { model: m, shell: sh } }\n`,
  `${HEAD}steps: { a: { model: m, cut: x } }\n`,
  `${HEAD}steps: { a: { pick: 3 } }\n`,
  `${HEAD}steps: { a: { model: m, takes: 0 } }\n`,
  `${HEAD}steps: { a: { run: [] } }\n`,
  `${HEAD}steps: { a: { run: [[x]] } }\n`,
  `${HEAD}steps: { a: { run: 3 } }\n`,
  `${HEAD}steps: { a: { run: x, env: { 1A: x } } }\n`,
  `${HEAD}steps: { a: { run: x, env: { A: [] } } }\n`,
  `${HEAD}steps: { a: { run: x, files: { a: 3 } } }\n`,
  `${HEAD}steps: { a: { run: x, creates: { A: x } } }\n`,
  `${HEAD}steps: { a: { model: m, timeout: 5 } }\n`,
  `${HEAD}steps: { a: { model: m, timeout: 5 min } }\n`,
  `${HEAD}steps: { a: { model: m, timeout: {} } }\n`,
  `${HEAD}steps: { a: { model: m, timeout: { que: 5m } } }\n`,
  `${HEAD}steps: { a: { model: m, cache: no } }\n`,
  `${HEAD}steps: { a: { model: m, needs: [1] } }\n`,
  `${HEAD}steps: { a: { model: m, if: 3 } }\n`,
  `${HEAD}steps: { a: { model: m, each: [x] } }\n`,
  `${HEAD}steps: { a: { model: m, save: "" } }\n`,
  `${HEAD}steps: { a: { model: m, matrix: {} } }\n`,
  `${HEAD}steps: { a: { model: m, matrix: { a: [] } } }\n`,
  `${HEAD}steps: { a: { model: m, matrix: { a: 3 } } }\n`,
  `${HEAD}steps: { a: { model: m, matrix: { a: [[1]] } } }\n`,
  `${HEAD}steps: { a: { model: m, matrix: { A: [1] } } }\n`,
  `${HEAD}steps: { a: { model: m, matrix: { include: {} } } }\n`,
  `${HEAD}steps: { a: { model: m, matrix: { a: [1], exclude: [{}] } } }\n`,
  `${HEAD}params: { a: {} }\n${STEPS}`,
  `${HEAD}params: { a: { type: text } }\n${STEPS}`,
  `${HEAD}params: { a: { type: string, minLength: -1 } }\n${STEPS}`,
  `${HEAD}params: { a: { type: string, minLength: 1.5 } }\n${STEPS}`,
  `${HEAD}params: { a: { type: string, enum: [] } }\n${STEPS}`,
  `${HEAD}params: { a: { type: string, pattern: x } }\n${STEPS}`,
  `${HEAD}params: { A: { type: string } }\n${STEPS}`,
  `${HEAD}env: HOME\n${STEPS}`,
  `${HEAD}env: [A-B]\n${STEPS}`,
  `${HEAD}models: { a: 3 }\n${STEPS}`,
  `${HEAD}models: { a: { activate: true } }\n${STEPS}`,
  `${HEAD}models: { a: { id: "" } }\n${STEPS}`,
  `${HEAD}models: { a: { id: x, activate: yes } }\n${STEPS}`,
  `${HEAD}models: { a: { id: x, price: 3 } }\n${STEPS}`,
  `${HEAD}defaults: { retry: 3 }\n${STEPS}`,
  `${HEAD}${STEPS}outputs: { film: { from: x } }\n`,
  `${HEAD}${STEPS}outputs: { film: { from: x, to: "" } }\n`,
  `${HEAD}${STEPS}outputs: { film: x }\n`,
];

describe('schema and compiler', () => {
  it.each(GOOD)('both take %j', text => {
    expect([validate(parse(text)), compilerAgrees(text)]).toEqual([true, true]);
  });

  it.each(BAD)('both refuse %j', text => {
    expect([validate(parse(text)), compilerAgrees(text)]).toEqual([false, false]);
  });

  it.each(pipelineFiles())('pipelines/$name is valid and compiles without a word', ({ name, text }) => {
    expect(validate(parse(text))).toBe(true);
    expect(compile({ path: name, text }, modelLibrary, { files: filesBeside(name) }).diagnostics).toEqual([]);
  });

  it('everything an editor offers is explained', () => {
    const bare: string[] = [];
    const walk = (schema: unknown, path: string): void => {
      if (typeof schema !== 'object' || schema === null) return;
      for (const [name, inner] of Object.entries(schema)) {
        // Values, not schemas; a key of this name holds a schema.
        if (name === 'examples' && Array.isArray(inner)) continue;
        if (name === 'properties')
          for (const [key, property] of Object.entries(inner as Record<string, object>))
            if (!('description' in property) && !('$ref' in property)) bare.push(`${path}.${key}`);
        walk(inner, name === 'properties' || name === '$defs' ? path : `${path}.${name}`);
      }
    };
    walk(pipelineSchema, '');
    expect(bare).toEqual([]);
  });
});
