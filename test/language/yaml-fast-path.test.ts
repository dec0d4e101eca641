/** The quick reader may give up on anything, but what it does read must be what YAML says. */
import { describe, expect, it } from 'vitest';
import { Findings } from '../../src/language/checks/findings.ts';
import type { Node } from '../../src/language/yaml/syntax-tree.ts';
import { readSimpleYaml } from '../../src/language/yaml/yaml-fast-path.ts';
import { readFullYaml } from '../../src/language/yaml/yaml-tree.ts';
import { pipelineFiles } from '../support/pipelines.ts';

const examples = pipelineFiles().map(({ text }) => text);
const SAMPLE = `# a comment
shotlist: 1
name: film
params: { a: { type: string, default: "x: y" }, b: { type: integer, default: -3 } }
steps:
  # another
  shot:
    matrix: { ratio: [16:9, 9:16, "1:1"], n: [1, 2.5, true, x y] }
    model: vendor/name

    with:
      prompt: a fox, \${{ params.a }} [not a list] {nor a map} "quoted" it's
      seed: 7
      size: 1.25
      text: 'single'
      long: http://example.org/#x
      last: 720P
  b: {model: m, with: {}}
outputs: []
`;
const ODD = [
  'a: b: c',
  'a: b #c',
  'a: b#c',
  'a: "b" c',
  "a: 'b''c'",
  'a: "b\\n"',
  'a: |\n  x',
  'a: >-\n  x',
  'a: &x b',
  'a: *x',
  'a: !t b',
  'a: - b',
  'a:\n- b',
  'a:\n  - b',
  'a: b\n  c',
  'a: b\n c: d',
  'a:\n  b: 1\n c: 2',
  'a:\n b: 1\n  c: 2',
  'a: b\na: c',
  '"a": b',
  'a : b',
  '? a\n: b',
  'a:b',
  'a:',
  'a: ~',
  'a: Null',
  'a: TRUE',
  'a: yes',
  'a: 0x1F',
  'a: 0o17',
  'a: .5',
  'a: 5.',
  'a: +5',
  'a: 1_000',
  'a: .inf',
  'a: 12345678901234567890',
  'a: 1.',
  'a: -',
  'a: --',
  'a: -x',
  'a: ---',
  '---\na: b',
  'a: b\n---\nc: d',
  'a: b\n...',
  '%YAML 1.2\n---\na: b',
  'a: [b, c',
  'a: [b c]',
  'a: [b, ]',
  'a: [b,, c]',
  'a: [b: c]',
  'a: {b}',
  'a: {b, c}',
  'a: {b:c}',
  'a: {b: }',
  'a: {b: c,}',
  'a: {b : c}',
  'a: { b: c d , e: f }',
  'a: [ b ] c',
  'a: [b] # c',
  'a: {b: c}}',
  'a: [a:b, a: b]',
  'a: [-1, - 1]',
  'a: [#b]',
  'a: [b #c]',
  'a: ["b" , \'c\']',
  'a: ["b"c]',
  'a: [${{ x }}]',
  'a: {b: ${{ x }}}',
  'a: `b`',
  'a: @b',
  'a: %b',
  'a: ,b',
  'a: ?b',
  'a: :b',
  'a: b:',
  'a: b::c',
  'a: [b:]',
  'a: [:b]',
  'a: "b',
  "a: 'b",
  'a: b"c"',
  ' a: b',
  '  a: b\n  c: d',
  'a: 狐狸',
  'a: [狐狸]',
  '狐: b',
  'a:\tb',
  'a: b\r\nc: d',
  '\ufeffa: b',
  'a: \u00a0b',
  'a:  b  ',
  'a: 9:16',
  'a: 2026-01-01',
  'a: 1e3',
  'a: 1.5.2',
  'a: 08',
  'a: -0',
  'a: =',
  'a: <<',
  '<<: b',
  'null: b',
  'true: b',
  '__proto__: b',
  'a:\n\n  b: c\n\n\n  d: e\n',
  'a: {b: {c: [d, {e: f}]}}',
  'a: [x\u2028y]',
  'a: x\u2028y',
  'a: x\u0085y',
  'a: "x\u0085"',
  'a: 5 6',
  'a: [5 6]',
  'a: [1:1]',
  'a: 0.1',
  'a: 1.10',
  'a: 00',
  'a: ~x',
  'a:\n  - b\n  - {c: d}\n  - e: f\n    g: h\n',
  'a:\n  - b: c\n  - d\ne: f',
  'a:\n- b',
  'a:\n  - - b',
  'a:\n  -',
  'a:\n  - b\n    c',
  'a:\n  - b\n   - c',
  'a:\n  - b\n  c: d',
  'a:\n  b: c\n  - d',
  '- a: b',
  'a:\n  -  b: c\n     d: e',
  'a:\n  - b: c\n   d: e',
  'a:\n  - b:\n      - c\n      - d\n    e: f',
  'a:\n  - ${{ steps.b }} # c',
  'a: b # c',
  'a: "b" # c',
  'a: "b"# c',
  'a: [b] # c',
  'a: [b]# c',
  'a: # c\n  b: d',
  'a: # c',
  'a: b# c',
  'a:\n  - -1',
  'a:\n  - -b',
  'a:\n  - # c\n    b: d',
  'a: "b\\nc"',
  'a: "b\\"c" # d',
  'a: "b\\x41"',
  'a: "b\\\\"',
  "a: 'b\\nc'",
  "a: 'b''c'",
  'a: [-v, --loud, -1, "b\\n", -]',
  'a: -v',
  'a: [--]',
  'a: --b',
  'a: --',
  'a: [--, b]',
  'a: [---, b]',
  'a: { b: 1..3 }',
  'a: 1..3',
  'a: 1...3',
];

/** The ends of block mappings and lists are not compared: they lie anywhere among the blank lines and comments below. */
const told = (node: Node, text: string): unknown => {
  if (node.is === 'scalar') return [node.value, node.at];
  if (node.is === 'list')
    return [node.items.map(one => told(one, text)), text[node.at.start] === '[' ? node.at : node.at.start];
  return [node.entries.map(({ name, nameAt, value }) => [name, nameAt, told(value, text)]), node.at.start];
};

/** Says whether the quick reader read it; throws when the two do not agree. */
function agrees(text: string): boolean {
  const quick = readSimpleYaml(text);
  if (!quick) return false;
  const findings = new Findings({ path: 'film.yaml', text });
  const proper = readFullYaml(findings.source, findings);
  expect({ text, told: told(quick, text), said: [] }).toEqual({
    text,
    told: proper && told(proper, text),
    said: findings.list,
  });
  return true;
}

describe('the quick reader', () => {
  it('reads what people write', () => {
    // Anchors are left to the whole reader.
    expect(examples.map(text => agrees(text))).toEqual(examples.map(text => !/: &\w/.test(text)));
    expect(agrees(SAMPLE)).toBe(true);
    expect(agrees('a: # c\n  - b: "c" # d\n    e: [f] # g\n  - ${{ steps.h }} # i\n  - -1\n')).toBe(true);
  });

  it.each(ODD)('agrees or gives up: %j', text => {
    agrees(text);
    agrees(`${text}\n`);
    agrees(`x:\n${text.replace(/^/gm, '  ')}\ny: z\n`);
  });

  it('agrees or gives up on four thousand mutilated files', () => {
    let seed = 7;
    const random = (below: number): number => {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      return Math.floor((seed / 2147483648) * below);
    };
    const pieces = [
      ...' \n:#-,[]{}"\'&*!|>%@`?~$x1.\\',
      ': ',
      ' #',
      '\n  ',
      '${{ x }}',
      '- ',
      '0',
      'null',
      'true',
      '狐',
      '\u00a0',
      "''",
      '1.5',
      '16:9',
      '\n\n',
      'a: b',
    ];
    const texts = [SAMPLE, SAMPLE.slice(SAMPLE.indexOf('steps')), 'a: { b: [c, 1], d: "e" }\nf:\n  g: h i\n  j: 1\n'];
    let read = 0;
    for (let round = 0; round < 4_000; round++) {
      let text = texts[random(texts.length)]!;
      for (let i = random(3); i >= 0; i--) {
        const at = random(text.length + 1);
        text = text.slice(0, at) + pieces[random(pieces.length)]! + text.slice(at + random(3));
      }
      if (agrees(text)) read++;
    }
    expect(read).toBeGreaterThan(500);
  });
});
