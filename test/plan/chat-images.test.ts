/** Images that a chat model is shown, on paper: known by content, refused before they are sent, and never priced by guess. */
import { expect, test } from 'vitest';
import { modelLibrary } from '../../src/api/model-library.ts';
import { localFilesInPipeline, localFilesInPlan } from '../../src/plan/media/local-file-check.ts';
import type { LocalMedia } from '../../src/plan/plan.ts';
import { linesOf } from '../language/said.ts';
import { compiled, decisions, media, planned, planOf, Shelf, shown } from './support.ts';

const picture = (sha256: string, format = 'png'): LocalMedia => ({
  sha256,
  url: `file:///film/${sha256}.${format}`,
  facts: { kind: 'image', format, width: 640, height: 360 },
  bytes: 10_000,
});

const LOOK = `
steps:
  hero: { model: I-GEN-A, with: { prompt: a fox } }
  look:
    model: C-B
    with:
      system: You are terse.
      prompt: what is missing?
      images: [ "\${{ steps.hero.result_url }}", media/ref.png ]
      max_tokens: 100
`;

test('the plan shows what it is shown, and says that nobody knows what it counts', () => {
  expect(shown(LOOK, { files: { 'media/ref.png': picture('aa') } })).toMatchInlineSnapshot(`
    "film  2 instances on studio, free: prices are list prices

    run    hero  never run                        $0.01  1 image × $0.01
           I-GEN-A · prompt a fox

    maybe  look  waits for hero                  $0.013  at most 128000 + 100 tokens
           C-B · system: You are terse. · user: what is missing?
           images [‹steps.hero.result_url›, file:///film/aa.png] · max_tokens 100

    longest path  about 30.0s: hero → look
    total         1 run, 1 maybe: free (up to $0.023 at list price)"
  `);
});

test('they become parts of what the user says', () => {
  const shelf = new Shelf();
  const world = { owned: shelf, files: { 'media/ref.png': picture('aa') } };
  const [hero] = [...planOf(LOOK, world).instances];
  shelf.put(hero!, media('hero', { kind: 'image', format: 'webp' }));
  const outcomes = shelf.make(planOf(LOOK, world), world);
  expect(outcomes.get('look' as never)).toMatchObject({
    is: 'request',
    request: {
      messages: [
        { role: 'system', content: 'You are terse.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'what is missing?' },
            { type: 'image_url', image_url: { url: 'https://results.example/hero' } },
            { type: 'image_url', image_url: { url: 'file:///film/aa.png' } },
          ],
        },
      ],
      max_tokens: 100,
    },
  });
  expect(outcomes.get('look' as never)).not.toHaveProperty('request.images');
});

test('a file that is missing, unreadable or no image is told where it stands', () => {
  const files = {
    'media/clip.mov.png': { ...picture('cc'), facts: { kind: 'video', format: 'mov', duration: 3 } as const },
    'notes.txt': { sha256: 'dd', url: 'file:///film/notes.txt', bytes: 3 },
    'media/shut.png': { unusable: 'you may not read; change its permissions, or give another file' },
  };
  expect(
    shown(
      `
steps:
  look:
    model: C-B
    with:
      prompt: what is missing?
      images:
        - media/gone.png
        - media/shut.png
        - notes.txt
        - media/clip.mov.png
  own:
    model: C-B
    with:
      messages:
        - { role: system, content: be terse }
        - role: user
          content: [ { type: text, text: what is it? }, { type: image_url, image_url: { url: media/gone.png } } ]
`,
      { files },
    ),
  ).toMatchInlineSnapshot(`
    "9:11 ‹media/gone.png› images[0] names "media/gone.png", which is not there; give a path from the pipeline file's folder, or an address with https://
    10:11 ‹media/shut.png› images[1] names "media/shut.png", which you may not read; change its permissions, or give another file
    11:11 ‹notes.txt› images[2] names "notes.txt", which is no image, video or sound that can be read; give it an image
    12:11 ‹media/clip.mov.png› images[3] is a video; C-B takes an image there
    19:94 ‹media/gone.png› messages[1].content[1].image_url.url names "media/gone.png", which is not there; give a path from the pipeline file's folder, or an address with https://"
  `);
});

test('the same content is the same request, wherever it lies and however it is written', () => {
  const print = (steps: string, files: { readonly [path: string]: LocalMedia }) =>
    [...planOf(steps, { files }).instances].at(-1)?.fingerprint;
  const with1 = (image: string) => `
steps:
  look: { model: C-B, with: { prompt: what is it?, images: [ ${image} ] } }
`;
  const own = `
steps:
  look:
    model: C-B
    with:
      messages:
        - role: user
          content: [ { type: text, text: what is it? }, { type: image_url, image_url: { url: a.png } } ]
`;
  const here = print(with1('a.png'), { 'a.png': picture('aa') });
  expect(print(with1('b.png'), { 'b.png': { ...picture('aa'), url: 'file:///elsewhere/b.png' } })).toBe(here);
  expect(print(own, { 'a.png': picture('aa') })).toBe(here);
  expect(print(with1('a.png'), { 'a.png': picture('bb') })).not.toBe(here);
});

test('why it is asked again names the image', () => {
  const shelf = new Shelf();
  const film = (image: string, prompt = 'what is it?') => `
steps:
  look: { model: C-B, with: { prompt: ${prompt}, images: [ ${image} ] } }
`;
  const world = (sha256: string) => ({ owned: shelf, files: { 'a.png': picture(sha256), 'b.png': picture('bb') } });
  const asked = film('a.png');
  shelf.make(planOf(asked, world('aa')), world('aa'));
  expect(decisions(planOf(asked, world('a2')))).toEqual(['look: run, its file a.png changed']);
  expect(decisions(planOf(film('b.png'), world('aa')))).toEqual(['look: run, its file b.png changed']);
  expect(decisions(planOf(film('a.png', 'who is it?'), world('aa')))).toEqual(['look: run, its prompt changed']);
  // The same content at another address is no change.
  const moved = { 'a.png': { ...picture('aa'), url: 'file:///elsewhere/a.png' } };
  const sent = { 'a.png': { ...picture('aa'), url: 'file:///store/aa.png' } };
  const own = new Shelf();
  own.make(planOf(asked, { owned: own, files: sent }), { owned: own, files: sent });
  expect(decisions(planOf(film('a.png', 'who is it?'), { owned: own, files: moved }))).toEqual([
    'look: run, its prompt changed',
  ]);
  expect(decisions(planOf(film('a.png, b.png'), { owned: shelf, files: world('aa').files }))).toEqual([
    'look: run, its file b.png changed',
  ]);
});

test('a list that is computed may be empty, and must be one of addresses', () => {
  const film = (images: string) => `
params: { refs: { type: array, items: { type: string }, default: [] } }
steps:
  hero: { model: C-D, with: { prompt: x }, schema: { type: object } }
  look: { model: C-B, with: { prompt: what is it?, images: "${images}" } }
`;
  expect(planned(film('${{ params.refs }}')).diagnostics).toEqual([]);
  expect(shown(film('${{ steps.hero.json.urls }}'))).toMatchInlineSnapshot(`
    "film  2 instances on studio, free: prices are list prices

    run    hero  never run                        $0.42  at most, without max_tokens
           C-D · user: x
           response_format type=json_schema, json_schema=name=answer, schema=type=o…

    maybe  look  waits for hero                  $0.051  at most, without max_tokens
           C-B · user: what is it? · images ‹steps.hero.json.urls›

    longest path  about 20.0s: hero → look
    total         1 run, 1 maybe: free (up to $0.47 at list price)"
  `);
});

test('a service on another machine cannot be shown a file of this one, and is told so where it stands', () => {
  const film = `
steps:
  look: { model: C-B, with: { prompt: what is it?, images: [ "https://images.example/a.png", a.png ] } }
`;
  const words =
    '4:94 ‹a.png› images[1] of `look` names "PLACE", a file of this machine, and prod is on another; have it published (add `publish: { s3: { bucket: NAME } }` or `publish: { command: [./publish.sh] }` to shotlist.config.yaml), or put it where it can be read, and write its https:// address';
  const early = localFilesInPipeline(compiled(film), modelLibrary, 'prod');
  expect(linesOf(early)).toBe(words.replace('PLACE', 'a.png'));
  const world = { service: 'prod', files: { 'a.png': picture('aa') } };
  expect(linesOf(localFilesInPlan(planOf(film, world)))).toBe(words.replace('PLACE', 'file:///film/aa.png'));
});

test('beside a secret in the prompt, another image is still another request', () => {
  const film = (image: string) => `
env: [HOUSE]
steps:
  look: { model: C-B, with: { prompt: "for \${{ env.HOUSE }}", images: [ ${image} ] } }
`;
  const print = (image: string, house: string) => {
    const files = { 'a.png': picture('aa'), 'b.png': picture('bb') };
    const [instance] = [...planOf(film(image), { files, env: { HOUSE: house } }).instances];
    expect(JSON.stringify(instance?.request)).not.toContain(house);
    return instance?.fingerprint;
  };
  expect(print('a.png', 'Acme')).not.toBe(print('b.png', 'Acme'));
  expect(print('a.png', 'Acme')).toBe(print('a.png', 'Other'));
});
