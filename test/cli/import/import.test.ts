/** A workflow of another system → a pipeline that has no mistake, and every line that could not be carried over. */
import { describe, expect, test } from 'vitest';
import { modelLibrary } from '../../../src/api/model-library.ts';
import { pipelineText, readWorkflow } from '../../../src/cli/commands/tools/import.ts';
import type { Imported } from '../../../src/cli/import/imported.ts';
import { compile } from '../../../src/language/compile.ts';
import { formatDiagnostics } from '../../../src/language/yaml/excerpt.ts';
import { WORKFLOWS } from './workflows.ts';

function imported(name: keyof typeof WORKFLOWS): Imported {
  const found = readWorkflow(JSON.stringify(WORKFLOWS[name]), 'fox');
  if (typeof found === 'string') throw new Error(found);
  return found;
}

describe.each(Object.keys(WORKFLOWS) as (keyof typeof WORKFLOWS)[])('%s', name => {
  test('what comes of it has no mistake', () => {
    const text = pipelineText(imported(name));
    const { diagnostics, pipeline } = compile({ path: 'fox.yaml', text }, modelLibrary);
    expect(formatDiagnostics(diagnostics)).toBe('');
    expect(pipeline?.outputs.length).toBeGreaterThan(0);
  });
  test('every line that could not be carried over is a comment of it', () => {
    const found = imported(name);
    const text = pipelineText(found);
    for (const line of found.left) expect(text).toContain(`# ${`  ${line}`}`);
  });
  test('its text', () => expect(pipelineText(imported(name))).toMatchSnapshot());
});

test('a graph is the same picture, saved or exported', () => {
  const [exported, saved] = [imported('API_IMAGE'), imported('SAVED')];
  expect(saved.steps).toEqual(exported.steps);
  expect(saved.outputs).toEqual(exported.outputs);
  expect(exported.steps).toMatchObject([
    { name: 'still', model: 'I-GEN-A', takes: 2, fields: { seed: { value: 42 }, num_inference_steps: { value: 20 } } },
  ]);
  expect(exported.left.join('\n')).toContain('snow.safetensors');
  expect(saved.left.join('\n')).toContain('node 11 (Note) says: the fox looks left always');
  expect(saved.left.join('\n')).toContain('node 13 (PreviewImage) is muted: it is left out');
});

test.each([
  ['not JSON', '{', /^it is no JSON/],
  ['another JSON', '{"a": 1}', /^it is no workflow that we read/],
  ['a list', '[]', /^it is no workflow that we read/],
  ['null', 'null', /^it is no workflow that we read/],
  [
    'custom nodes alone',
    '{"1": {"class_type": "Magic", "inputs": {}}}',
    /^nothing in it could be carried over:\n {2}node 1 \(Magic\)/,
  ],
])('%s is refused in a sentence', (_, text, message) => {
  expect(readWorkflow(text, 'x')).toMatch(message);
});

test('a graph that goes in a circle, links to nowhere, and texts that would be code end well', () => {
  const graph = {
    '1': {
      class_type: 'KSampler',
      inputs: { seed: 1, positive: ['2', 0], latent_image: ['9', 0] },
      _meta: { title: 'x\n  model: evil' },
    },
    '2': { class_type: 'ConditioningCombine', inputs: { conditioning_1: ['2', 0], conditioning_2: ['3', 0] } },
    '3': { class_type: 'CLIPTextEncode', inputs: { text: '${{ env.HOME }} "quoted"\n# fox\u2028y', clip: ['99', 0] } },
    '8': { class_type: 'SaveImage', inputs: { filename_prefix: '../../etc/passwd', images: ['1', 0] } },
  };
  const found = readWorkflow(JSON.stringify(graph), 'x') as Imported;
  const { diagnostics, pipeline } = compile({ path: 'x.yaml', text: pipelineText(found) }, modelLibrary);
  expect(formatDiagnostics(diagnostics)).toBe('');
  expect(found.outputs).toMatchObject([{ to: 'out/etc-passwd.webp' }]);
  expect(pipeline?.steps).toHaveLength(1);
});
