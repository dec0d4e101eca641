import { describe, expect, it } from 'vitest';
import { Findings } from '../../src/language/checks/findings.ts';
import { evaluate } from '../../src/language/types/evaluate.ts';
import { readValue } from '../../src/language/types/values.ts';
import type { Node } from '../../src/language/yaml/syntax-tree.ts';
import { readTree } from '../../src/language/yaml/yaml-tree.ts';
import type { Scope, Value } from '../../src/model/pipeline.ts';
import type { Json } from '../../src/model/text/json.ts';

const video = {
  is: 'media',
  result_url: 'https://example.org/a.mp4',
  file: '/store/a.mp4',
  sha256: 'ab',
  bytes: 1000,
  generation_id: 'g1',
  request: { prompt: 'a fox', seed: 7 },
  cost: 1,
  media: { kind: 'video', width: 1280, height: 720, duration: 5, fps: 24 },
};

const scope: Scope = {
  params: { idea: 'a fox', count: 3, words: ['a', 'b'], big: 2 ** 53 - 1 },
  steps: {
    shot: video,
    many: [video, { ...video, sha256: 'cd' }],
    cmd: { stdout: 'x', json: { beats: [{ text: 'run' }], n: 2 }, files: {} },
  },
  data: {},
  matrix: { ratio: '9:16' },
  each: video,
  take: {},
  previous: {},
  run: { id: 'r1', name: 'film' },
  env: { HOME: '/home/me' },
};

/** The value of this YAML text in the scope above. */
function value(text: string): Value {
  const findings = new Findings({ path: 'film.yaml', text: `value: ${text}\n` });
  const tree = readTree(findings.source, findings);
  if (!tree) throw new Error(JSON.stringify(findings.list));
  const node: Node = tree.entries[0]!.value;
  return readValue(node, {
    findings,
    secrets: new Set<string>(),
    isReal: () => false,
  });
}

function result(text: string): Json {
  const evaluated = evaluate(value(text), scope);
  if (evaluated.is === 'error') throw new Error(evaluated.message);
  return evaluated.value;
}

function failure(text: string): string {
  const evaluated = evaluate(value(text), scope);
  return evaluated.is === 'error'
    ? `${evaluated.at.start}-${evaluated.at.end} ${evaluated.message}`
    : `gave ${JSON.stringify(evaluated.value)}`;
}

describe('values on what is known', () => {
  it('plain values are themselves', () => {
    expect(result('{ a: [1, 2.5, true, null, text], b: { c: x } }')).toEqual({
      a: [1, 2.5, true, null, 'text'],
      b: { c: 'x' },
    });
  });

  it('a scalar that is one expression keeps its type', () => {
    expect(result('${{ params.count }}')).toBe(3);
    expect(result('${{ params.words }}')).toEqual(['a', 'b']);
    expect(result('${{ steps.shot.media }}')).toEqual(video.media);
    expect(result('${{ each.result_url }}')).toBe('https://example.org/a.mp4');
    expect(result('${{ each }}')).toEqual(video);
    expect(result('${{ matrix.ratio }} on ${{ run.name }} in ${{ env.HOME }}')).toBe('9:16 on film in /home/me');
  });

  it('lists of results', () => {
    expect(result('${{ steps.many.map(s, s.sha256) }}')).toEqual(['ab', 'cd']);
    expect(result('${{ steps.many[1].sha256 + steps.shot.sha256 }}')).toBe('cdab');
    expect(result('${{ size(steps.many) }}')).toBe(2);
    expect(result('${{ steps.cmd.json.beats.map(b, b.text).join(", ") }}')).toBe('run');
    expect(result('\'${{ has(steps.shot.media.audio_codec) ? "sound" : "silent" }}\'')).toBe('silent');
  });

  it('reading one result twice does not mix the two readings up', () => {
    expect(result('${{ string(steps.shot.bytes) + steps.shot.media.kind + string(steps.many.size()) }}')).toBe(
      '1000video2',
    );
    expect(result('${{ steps.shot.media.width + size(steps.shot.sha256) }}')).toBe(1282);
    expect(result('${{ steps.shot }}')).toEqual(video);
  });

  it('values that turn out to be missing, or of no use', () => {
    expect(failure('${{ steps.shot.media.audio_codec }}')).toBe('7-42 `steps.shot.media.audio_codec` has no value');
    expect(failure('a ${{ params.words }}')).toBe('9-28 `params.words` gave a list, which cannot stand inside a text');
    expect(failure('${{ params.big + 1 }}')).toMatchInlineSnapshot(
      `"7-28 \`params.big + 1\` gave a whole number too big to be exact"`,
    );
    expect(failure('${{ steps.cmd.json.title + "x" }}')).toMatchInlineSnapshot(
      `"11-31 \`steps.cmd.json.title\` has no value"`,
    );
  });

  it('nothing but the scope can be reached', () => {
    expect(failure('${{ params.constructor }}')).toBe('7-32 `params.constructor` has no value');
    expect(failure('${{ params.__proto__ }}')).toBe('7-30 `params.__proto__` has no value');
    expect(failure('${{ params.idea.constructor.constructor("return 1")() }}')).toMatchInlineSnapshot(
      `"58-59 \`params.idea.constructor.constructor("return 1")()\`: \`(\` does not fit here; this is not a valid expression"`,
    );
    expect(failure('${{ steps.cmd.json["__proto__"] }}')).toMatchInlineSnapshot(
      `"7-41 \`steps.cmd.json.__proto__\` has no value"`,
    );
    expect(failure('${{ process.env }}')).toBe('7-25 `process.env` has no value');
    expect(failure('${{ process.env + "x" }}')).toMatchInlineSnapshot(`"11-22 \`process.env\` has no value"`);
  });

  it('what would take for ever or fill the memory is refused', () => {
    const doubled = (depth: number): string =>
      depth === 0 ? 'params.idea' : `cel.bind(x${depth}, ${doubled(depth - 1)}, x${depth} + x${depth})`;
    expect(failure(`\${{ ${doubled(24)} }}`)).toMatchInlineSnapshot(
      `"537-546 \`x18 + x18\`: this makes a text of more than 1000000 characters; give it shorter texts"`,
    );
    expect(
      failure(`"${'${{ params.words.join(params.idea) }}'.repeat(3)}${'x'.repeat(1_000_000)}"`),
    ).toMatchInlineSnapshot(`"7-1000120 the text would be longer than 1000000 characters"`);
  });
});
