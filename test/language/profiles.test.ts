/** Profiles: the same graph with other models, defaults and params; what a used file has of them; where their films go. */
import { describe, expect, test } from 'vitest';
import { modelLibrary } from '../../src/api/model-library.ts';
import { type CompileOptions, compile } from '../../src/language/compile.ts';
import { formatDiagnostics } from '../../src/language/yaml/excerpt.ts';
import { placeIn } from '../../src/model/profile.ts';

const FILM = `shotlist: 1
name: spot
params:
  takes: { type: integer, default: 4, maximum: 6 }
  look: { type: string }
models: { film: V-T2V-A, still: I-GEN-A }
defaults: { with: { resolution: 1080P, seed: 7 }, timeout: 20m, cache: off }
budget: { usd: 25 }
profiles:
  draft:
    description: to choose takes from
    models: { film: V-T2V-C }
    defaults: { with: { resolution: 480p }, timeout: 5m }
    params: { takes: 2, look: rough }
    budget: { usd: 3 }
  final:
    params: { look: noir }
steps:
  shot: { model: film, takes: "\${{ params.takes }}", with: { prompt: "a fox, \${{ params.look }}" } }
  hero: { model: still, with: { prompt: a fox } }
outputs:
  shots: { from: "\${{ steps.shot }}", to: "out/{take}.mp4" }
  hero: { from: "\${{ steps.hero }}", to: hero.png }
`;

function read(text: string, profile?: string) {
  const { pipeline, diagnostics, profiles } = compile({ path: 'film.yaml', text }, modelLibrary, { profile });
  if (!pipeline || diagnostics.length > 0) throw new Error(formatDiagnostics(diagnostics));
  const shot = pipeline.steps.find(({ name }) => name === ('shot' as string));
  if (!shot || !('with' in shot) || !('model' in shot)) throw new Error('no shot');
  const fields = Object.fromEntries(
    shot.with.entries.map(({ name, value }) => [name, value.is === 'literal' ? value.value : value.is]),
  );
  const defaults = Object.fromEntries(pipeline.params.map(({ name, schema }) => [name, schema.default]));
  return { pipeline, profiles, shot, fields, defaults };
}

describe('a film', () => {
  test('is made as its file stands where nobody names a profile, and as `final` says where there is one', () => {
    const { pipeline, shot, fields, defaults } = read(FILM);
    expect([shot.model, fields, defaults]).toEqual([
      'V-T2V-A',
      { prompt: 'text', resolution: '1080P', seed: 7 },
      { takes: 4, look: 'noir' },
    ]);
    expect([pipeline.profile, pipeline.profileBudget]).toEqual([undefined, undefined]);
    expect(pipeline.outputs.map(({ to }) => to)).toEqual(['out/{take}.mp4', 'hero.png']);
    expect(read(FILM, 'final').pipeline).toEqual(pipeline);
  });

  test('has in a profile what that changes, key by key and field by field, and all the rest', () => {
    const { pipeline, shot, fields, defaults } = read(FILM, 'draft');
    expect([shot.model, fields, defaults]).toEqual([
      'V-T2V-C',
      { prompt: 'text', resolution: '480p' },
      { takes: 2, look: 'rough' },
    ]);
    expect([shot.timeout?.total, shot.cache]).toEqual([300_000, false]);
    expect([pipeline.profile, pipeline.budget?.limits, pipeline.profileBudget?.limits]).toEqual([
      'draft',
      { usd: 25 },
      { usd: 3 },
    ]);
    expect(pipeline.steps.map(({ name }) => name)).toEqual(read(FILM).pipeline.steps.map(({ name }) => name));
  });

  test('tells its profiles, whatever is wrong with the rest of it', () => {
    const { profiles } = compile(
      { path: 'film.yaml', text: FILM.replace('model: still', 'model: stil') },
      modelLibrary,
    );
    expect(profiles.map(({ name, description }) => [name, description])).toEqual([
      ['draft', 'to choose takes from'],
      ['final', undefined],
    ]);
  });
});

test.each([
  ['out/fox.mp4', 'out/draft/fox.mp4'],
  ['out/a/{ratio}.mp4', 'out/draft/a/{ratio}.mp4'],
  ['fox.mp4', 'draft/fox.mp4'],
  ['./out/fox.mp4', 'out/draft/fox.mp4'],
  ['{ratio}/fox.mp4', 'draft/{ratio}/fox.mp4'],
])('%s is in draft at %s', (path, place) => {
  expect(placeIn('draft', path)).toBe(place);
  expect(read(FILM.replace('hero.png', 'x/hero.png'), 'draft').pipeline.outputs[1]?.to).toBe('x/draft/hero.png');
});

describe('a used file', () => {
  const PART = `shotlist: 1
name: part
params: { look: { type: string, default: plain }, n: { type: integer, default: 3 } }
models: { film: V-T2V-A }
profiles:
  draft: { models: { film: V-T2V-C }, params: { look: rough, n: 1 }, budget: { usd: 1 } }
  other: { models: { film: V-T2V-B } }
steps:
  shot: { model: film, takes: "\${{ params.n }}", with: { prompt: "a fox, \${{ params.look }}" } }
outputs: { film: { from: "\${{ steps.shot }}", to: "out/{take}.mp4" } }
`;
  const USER = (profiles: string) => `shotlist: 1
name: film
profiles: ${profiles}
steps:
  part: { uses: part.yaml, with: { look: given } }
`;
  const files = {
    read: (path: string) => ({ path, text: PART, sha256: 'ab' }),
    list: () => ({ paths: [] }),
    relativeTo: () => files,
  };
  const partIn = (profile: string) => {
    const text = USER('{ draft: { description: quick }, cheap: { description: cheaper } }');
    const { pipeline } = compile({ path: 'film.yaml', text }, modelLibrary, { files, profile });
    const shot = pipeline?.steps.find(({ name }) => name.endsWith('/shot'));
    const defaults = shot?.inside?.file.params.map(({ name, schema }) => [name, schema.default]);
    return [shot && 'model' in shot && shot.model, defaults, pipeline?.profileBudget];
  };

  test('has the profile of the same name where it has one, and what it is given stays given', () => {
    expect(partIn('draft')).toEqual([
      'V-T2V-C',
      [
        ['look', 'rough'],
        ['n', 1],
      ],
      undefined,
    ]);
  });

  test('is as it stands in a profile that it does not have', () => {
    expect(partIn('cheap')).toEqual([
      'V-T2V-A',
      [
        ['look', 'plain'],
        ['n', 3],
      ],
      undefined,
    ]);
  });
});

test('a draft goes beside the film that is to last, whatever the profile', () => {
  const text = `shotlist: 1
name: fox
profiles: { look: { defaults: { with: { seed: 1 } } } }
steps:
  shot: { model: V-T2V-A, with: { prompt: a fox }, save: out/fox.mp4 }
  other: { model: V-T2V-A, with: { prompt: an owl }, save: owl.mp4 }
`;
  const places = (options: CompileOptions) =>
    compile({ path: 'fox.yaml', text }, modelLibrary, options).pipeline?.outputs.map(({ to }) => to);
  expect(places({})).toEqual(['out/fox.mp4', 'owl.mp4']);
  expect(places({ draft: true })).toEqual(['out/draft/fox.mp4', 'draft/owl.mp4']);
  expect(places({ draft: true, profile: 'look' })).toEqual(['out/draft/look/fox.mp4', 'look/draft/owl.mp4']);
  const taken = compile({ path: 'fox.yaml', text: text.replace('owl.mp4', 'out/draft/fox.mp4') }, modelLibrary, {
    draft: true,
  });
  expect(taken.diagnostics.map(({ message }) => message)).toEqual([
    'as a draft this goes to out/draft/fox.mp4, which is the place of the output `other`; change `to` of one of them',
  ]);
});
