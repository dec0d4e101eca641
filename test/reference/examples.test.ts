/** Every example of a key is compiled: in a film that has what it speaks of, at the place where it belongs. */
import { describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { modelLibrary } from '../../src/api/model-library.ts';
import { reference } from '../../src/cli/reference/contents.ts';
import { type Entry, withParts } from '../../src/cli/reference/reference-entry.ts';
import { compile } from '../../src/language/compile.ts';
import type { ProjectFiles } from '../../src/language/used-files.ts';
import { formatDiagnostics } from '../../src/language/yaml/excerpt.ts';

const { keys } = reference();
type Map = { readonly [name: string]: unknown };

/** A film with a step of each kind, by the names that examples speak of. */
const FILM: Map = {
  shotlist: 1,
  name: 'film',
  params: {
    idea: { type: 'string', default: 'a red fox' },
    shots: { type: 'integer', default: 3 },
    up: { type: 'boolean', default: false },
    fast: { type: 'boolean', default: false },
  },
  models: { film: 'V-T2V-A' },
  steps: {
    master: { model: 'V-T2V-A', with: { prompt: 'a fox' } },
    script: {
      model: 'C-D',
      with: { prompt: 'three beats about ${{ params.idea }}' },
      schema: parse(`
        type: object
        properties:
          beats:
            type: array
            maxItems: 12
            items:
              type: object
              properties: { slug: { type: string }, look: { type: string } }
              required: [ slug, look ]
        required: [ beats ]`),
    },
    still: { matrix: { seed: [1, 2] }, model: 'I-GEN-A', with: { prompt: 'a fox' } },
    voice: { each: '${{ steps.still }}', run: 'say a > line.wav', creates: { line: 'line.wav' } },
    shot: { model: 'V-T2V-A', with: { prompt: 'a fox' } },
    ...Object.fromEntries(['a', 'b', 'film'].map(name => [name, { model: 'V-T2V-A', with: { prompt: name } }])),
    tries: { model: 'V-T2V-A', takes: 3, with: { prompt: 'a fox' } },
    framed: {
      matrix: { ratio: ['16:9', '1:1'] },
      model: 'V-RF',
      with: { input_video: '${{ steps.shot.result_url }}', prompt: 'snow', aspect_ratio: '${{ matrix.ratio }}' },
    },
  },
};

/** What else a step needs so that a key makes sense in it. */
const BESIDE: { readonly [key: string]: Map } = {
  'steps.run': { needs: 'voice' },
  'steps.matrix': { ...{ model: 'V-T2V-A', with: { prompt: 'a fox' } }, max: 12 },
  'steps.shell': { run: 'ls > names.txt' },
  'steps.env': { run: 'echo $LINE' },
  'steps.files': { run: 'ls' },
  'steps.creates': { run: 'say a > line.wav' },
  'steps.effect': { run: ['./upload.sh'] },
  'steps.on_timeout': { ...{ model: 'V-T2V-A', with: { prompt: 'a fox' } }, timeout: '10m' },
  'steps.cut': {},
  'steps.tokenize': {},
  'steps.uses': { with: { clip: '${{ steps.shot.result_url }}' } },
  'steps.pick': { each: '${{ steps.tries }}' },
  'steps.count': { pick: '${{ steps.tries }}' },
  'steps.rule': { pick: '${{ steps.tries }}' },
  'steps.judge': { pick: '${{ steps.tries }}' },
  'steps.approve': {},
  'steps.ask': { approve: '${{ steps.film }}' },
  'steps.with': { model: 'V-T2V-A' },
  'steps.schema': { model: 'C-D', with: { prompt: 'a title' } },
  'steps.only': { matrix: { by: ['V-T2V-A', 'V-T2V-B'] }, model: '${{ matrix.by }}', with: { prompt: 'a fox' } },
  'steps.model': { matrix: { by: ['V-T2V-A', 'V-T2V-B'] }, with: { prompt: '${{ matrix.by }}' } },
  'steps.else': { if: '${{ params.fast }}', model: 'V-UP', with: { input_video: '${{ steps.master.result_url }}' } },
  'steps.until': {
    model: 'C-D',
    with: { prompt: "a title ${{ has(previous.json) ? string(previous.json.score) : '' }}" },
    schema: { type: 'object', properties: { score: { type: 'integer' } }, required: ['score'] },
  },
  'steps.key': { ...beats('${{ matrix.beat.look }}'), max: 12 },
  'steps.max': beats('${{ matrix.beat.look }}'),
};
function beats(prompt: string): Map {
  return { matrix: { beat: '${{ steps.script.json.beats }}' }, model: 'I-GEN-A', with: { prompt } };
}
const ANY_STEP: Map = { model: 'V-T2V-A', with: { prompt: 'a fox' } };

/** The film with this example in it. */
function filmWith({ name }: Entry, example: string): Map {
  const value: unknown = Object.values(parse(example) as Map)[0];
  const [top = '', ...path] = name.split('.');
  if (top !== 'steps' || path.length === 0) {
    const key = top === 'models' ? 'model' : top === 'concurrency' ? top : undefined;
    const steps = key === undefined ? {} : { a: { ...ANY_STEP, [key]: Object.keys(value as Map)[0] } };
    const needed = key !== undefined ? { steps: { ...(FILM.steps as Map), ...steps } } : {};
    const own = path.length === 0 ? value : nested(path, value);
    // The other steps of the film need their params.
    return { ...FILM, ...needed, [top]: top === 'params' ? { ...(FILM.params as Map), ...(own as Map) } : own };
  }
  const step = { ...(BESIDE[`steps.${path[0]}`] ?? ANY_STEP), ...nested(path, value) };
  return { ...FILM, steps: { ...(FILM.steps as Map), example: step } };
}

const nested = ([name = '', ...path]: readonly string[], value: unknown): Map => ({
  [name]: path.length === 0 ? value : nested(path, value),
});

/** The files that examples speak of. */
const FILES: { readonly [path: string]: string } = {
  'scenes.csv': 'look,seed\nsnow,1\n',
  'prompts/director.md': 'You are a director.\n',
  'in/fox.jpg': '',
  './clean.yaml': `shotlist: 1
name: clean
params: { clip: { type: string } }
steps: { large: { model: V-UP, with: { input_video: "\${{ params.clip }}" } } }
outputs: { film: { from: "\${{ steps.large }}", to: out/clean.mp4 } }
`,
  './beats.schema.json': '{ "type": "object", "properties": { "title": { "type": "string" } } }',
};
const files: ProjectFiles = {
  read: path => ({ path, text: FILES[path] ?? '', sha256: 'ab' }),
  list: () => ({ paths: ['in/fox.jpg'] }),
  relativeTo: () => files,
};

const said = (film: Map): string => {
  const source = { path: 'film.yaml', text: stringify(film) };
  const found = ['final', 'draft'].flatMap(profile => compile(source, modelLibrary, { files, profile }).diagnostics);
  return formatDiagnostics(found);
};

/** Those that stand at the key itself; others are a part of these. */
const withExamples = keys.entries.flatMap(entry =>
  entry.name === 'steps' ? [entry, ...(entry.parts ?? [])] : [entry],
);

describe('an example', () => {
  test.each(withExamples.flatMap(entry => (entry.examples ?? []).map(example => ({ entry, example }))))(
    'of $entry.name: $example',
    ({ entry, example }) => {
      expect(said(filmWith(entry, example))).toBe('');
    },
  );

  test('stands at every key, or in the example of a key around it', () => {
    const bare = keys.entries.flatMap(withParts).filter(({ examples = [] }) => examples.length === 0);
    expect(bare.map(({ name }) => name)).toEqual([]);
  });
});
