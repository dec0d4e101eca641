/** A film whose words come of its pictures: the command, real renders, a schema of its own beside it. */
import sharp from 'sharp';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ends } from './ended.ts';
import { Stage } from './stage.ts';

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
});
afterEach(() => stage.dispose());
const run = (...args: readonly string[]) => stage.run(...args);

const FILM = `
shotlist: 1
name: looks
params: { n: { type: integer, default: 2 } }
steps:
  hero: { model: I-GEN-A, with: { prompt: a red fox crosses a frozen river at dawn } }
  look:
    model: C-B
    with: { prompt: Describe these images., images: [ "\${{ steps.hero.result_url }}", media/sea.png ] }
    save: out/look.txt
  script:
    model: C-H
    with:
      prompt: \${{ params.n }} beats about a fox who crosses a frozen river
      images: [ "\${{ steps.hero.file }}" ]
    schema: ./beats.schema.json
    save: out/script.json
`;
const SCHEMA = `{
  "type": "object",
  "required": ["beats", "palette"],
  "properties": {
    "beats": { "type": "array", "minItems": "\${{ params.n }}", "maxItems": "\${{ params.n }}", "items": { "$ref": "#/$defs/beat" } },
    "palette": { "type": "array", "minItems": 1, "items": { "type": "string" } }
  },
  "$defs": { "beat": { "type": "object", "required": ["prompt"], "properties": { "prompt": { "type": "string" } } } }
}`;
const SEA = { create: { width: 64, height: 36, channels: 3, background: '#102a60' } } as const;

test('what is made is looked at, as many beats are written as are asked for, and nothing is asked twice', async () => {
  stage.write('film.yaml', FILM);
  stage.write('beats.schema.json', SCHEMA);
  stage.write('media/sea.png', await sharp(SEA).png().toBuffer());
  const draft = (...more: string[]) => run('run', 'film.yaml', '--draft', ...more);
  const first = await draft();
  expect(first.exit, first.stderr).toBe(0);
  expect(stage.read('out/draft/look.txt')).toMatch(
    /^Image 1 is a webp of 256×256 pixels \(1:1\), mostly .* Image 2 is a png of 64×36 pixels \(16:9\), mostly dark blue/,
  );
  expect(JSON.parse(stage.read('out/draft/script.json'))).toMatchObject({
    beats: [{}, {}],
    palette: expect.arrayContaining([expect.any(String)]),
  });
  const again = await draft();
  expect(again.stderr).toContain('3 already here');
  const more = await draft('--param', 'n=3');
  expect(more.stderr).toContain('1 made, 2 already here');
  expect(JSON.parse(stage.read('out/draft/script.json')).beats).toHaveLength(3);
});

test('an image that is not there, and a slip in the schema, are said before anything is made', async () => {
  stage.write('film.yaml', FILM);
  stage.write('beats.schema.json', SCHEMA);
  await ends(run('plan', 'film.yaml'), 2, 'images[1] names "media/sea.png"');
  stage.write('beats.schema.json', SCHEMA.replace('minItems', 'minItms'));
  const slip = await ends(run('check', 'film.yaml'), 2);
  expect(slip.stderr).toContain('JSON Schema has no keyword `minItms`; did you mean `minItems`?');
  expect(slip.stderr).toContain('note: beats.schema.json:5:');
});
