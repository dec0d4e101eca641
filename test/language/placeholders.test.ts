import { describe, expect, it, test } from 'vitest';
import type { GenerateStep, MapValue, Value } from '../../src/model/pipeline.ts';
import { compiled, film, told } from './said.ts';

/** The prompt of a step as it is read, with expressions as `‹code›`. */
function prompt(text: string): string {
  const { steps } = compiled(
    film(`
      params: { idea: { type: string, default: a fox } }
      steps:
        shot:
          matrix: { mood: [calm, wild] }
          model: V-T2V-A
          with:
            seed: 1
            negative_prompt: \${{ matrix.mood }}
            prompt: ${text}
    `),
  );
  return shown(fieldOf((steps[0] as GenerateStep).with, 'prompt'));
}

const fieldOf = ({ entries }: MapValue, name: string): Value | undefined =>
  entries.find(entry => entry.name === name)?.value;

function shown(value: Value | undefined): string {
  if (value?.is === 'literal') return String(value.value);
  if (value?.is === 'expression') return `‹${value.code}›`;
  return value?.is === 'text'
    ? value.parts.map(part => (typeof part === 'string' ? part : `‹${part.code}›`)).join('')
    : '';
}

describe('a backslash keeps what looks like a placeholder, and is taken out', () => {
  it.each([
    ['\\{{ x }}', '{{ x }}'],
    ['a \\{{ params.idea }} sign', 'a {{ params.idea }} sign'],
    ['the words \\${idea}', 'the words ${idea}'],
    ['the words \\${{ params.idea }}', 'the words ${{ params.idea }}'],
    ['\\${{ x }} beside ${{ params.idea }}', '${{ x }} beside ‹params.idea›'],
    ['\\$idea and \\$mood', '$idea and $mood'],
    ["'{% raw %}'".replace('{%', '\\{%'), '{% raw %}'],
    // In double quotes YAML itself takes one away.
    ['"\\\\{{ x }}"', '{{ x }}'],
  ])('%s', (written, sent) => {
    expect(prompt(written)).toBe(sent);
  });

  it('in double quotes it is written twice, as YAML has it', () => {
    expect(told('steps:\n  a: { model: V-T2V-A, with: { prompt: "keep \\{{ x }}" } }\n')).toContain(
      'inside "…" a backslash is written twice; write `\\\\{`, or put the text in \'…\'',
    );
  });
});

describe('what only looks a little like one is sent as it stands', () => {
  it.each([
    '$5 a ticket, $12.50 for two, US$ 3',
    'a sign that says $ALE and $nobody',
    'back\\slash, \\n, \\$5 and C:\\films',
    'set {a, b} and {} and { "a": { "b": 1 }}',
    'a 100% {cotton} shirt',
    'a face }} {{ or {{}}',
    '${} and ${5} and {{ 5 }}',
  ])('%s', text => {
    expect(prompt(`'${text}'`)).toBe(text);
  });
});

test('arguments and variables of a command are for another program: only our own roots are told there', () => {
  const command = (argument: string) =>
    told(`steps:\n  a: { run: [tool, '${argument}'], env: { A: '${argument}' } }\n`);
  for (const fine of ['${HOME}/x', '$1', '{{.State}}', '{{ name }}', '{{ json . }}', '{% if a %}', '${params}'])
    expect(command(fine)).toBe('');
  expect(command('{{ params.idea }}').split('\n')).toHaveLength(2);
  expect(command('${steps.shot.file}').split('\n')).toHaveLength(2);
});

test('a script is a script: its own variables are left alone', () => {
  const script = (line: string, shell = '') => told(`steps:\n  a:\n    run: ${line}\n${shell}`);
  for (const fine of ['echo "${x}" $x ${x:-a} $1', "awk '{print $1}'", 'docker ps --format {{.Names}}'])
    expect(script(`|\n      ${fine}`)).toBe('');
  expect(script('|\n      print(f"{params.idea} ${env.X}")', '    shell: python3\n')).toBe('');
  expect(script('|\n      echo ${params.idea}')).toContain('a script never gets values pasted in');
});

test('the default of a param is sent as it stands, too', () => {
  const { params } = compiled(
    film(`
      params: { idea: { type: string, default: 'a \\{{ x }} sign' }, list: { type: array, items: { type: string }, default: ['\\\${y}', b] } }
      steps:
        shot: { model: V-T2V-A, with: { prompt: "\${{ params.idea }} \${{ params.list[0] }}" } }
    `),
  );
  expect(params.map(({ schema }) => schema.default)).toEqual(['a {{ x }} sign', ['${y}', 'b']]);
});
