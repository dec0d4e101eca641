/** What `shotlist models` shows, compared whole. */
import { expect, test } from 'vitest';
import type { CatalogModel } from '../../src/api/catalog.ts';
import { modelLibrary } from '../../src/api/model-library.ts';
import { modelList } from '../../src/cli/models/model-catalog.ts';
import { modelPage } from '../../src/cli/models/model-page.ts';
import { priceLines, priceRange } from '../../src/cli/models/model-prices.ts';
import { staticCatalog } from '../../src/studio/service/studio-catalog.ts';

const catalog = staticCatalog(modelLibrary);
const get = (id: string): CatalogModel => {
  const model = catalog.get(id);
  if (!model) throw new Error(`no model ${id}`);
  return model;
};
/** Of a service we know nothing else about. */
const foreign: CatalogModel = {
  id: 'acme/storm-2',
  object: 'model',
  created: 1,
  owned_by: 'acme',
  display_name: 'Storm \u001b[2J2',
  description: null,
  summary: null,
  model_type: 'custom',
  endpoint: '/videos/generate',
  capabilities: { input: ['text', 'image'], output: ['video'] },
  pricing: { method: 'per_video_output_second', cost_per_second: 0.2, cost_per_second_high_res: 0.4 },
  fine_tuning: { actions: ['train'], cost_per_second: 0.001 },
  deployments: [{ status: 'inactive' }],
  developer: { name: 'Acme', logo: null },
  source_model: null,
  image_url: null,
  released_at: null,
  request_schema: {
    type: 'object',
    required: ['prompt', 'frames', 'first_frame'],
    properties: {
      prompt: { type: 'string' },
      frames: { type: 'integer', minimum: 8, description: 'how\u0007 many' },
      first_frame: { type: 'string', format: 'uri' },
      mood: { anyOf: [{ type: 'string' }, { type: 'null' }] },
      tags: { type: 'array', items: { type: 'string' } },
      broken: true,
    },
  },
};

test('models stand by what they make of what, aligned, each with its price and what it is best for', () => {
  const some = ['C-F', 'V-RF', 'V-T2V-A', 'fox-look', 'I-GEN-A'].map(get);
  expect(modelList([...some, foreign, { ...foreign, id: 'acme/voice', endpoint: '/speech' }], 80)).toBe(
    `text → video
  V-T2V-A       $0.10 to $0.15 a second  several shots in one take, and films
                                         led by a sound of yours
  fox-look      $0.0011 a second of use  text to video, tuned to one fox

image → video
  acme/storm-2  $0.20 to $0.40 a second  Storm 2 (inactive)

video → video, in another shape (reframe)
  V-RF          $0.06 to $0.12 a second  one film in other aspect ratios, with
                                         more of the scene painted around it

text → image
  I-GEN-A       $0.01 an image           many stills, quickly

text → text (chat), for a million tokens
  C-F           $1.25 in, $10.00 out     reasoning, and answers in a fixed shape

other
  acme/voice    $0.20 to $0.40 a second  Storm 2 (inactive)`,
  );
});

test('one model: what it takes, gives and costs, and a step to paste', () => {
  expect(modelPage(get('V-RT'), 100)).toBe(
    `V-RT: regenerate a section of a clip, its picture, its sound or both; output is 1080p

  kind       retake
  endpoint   /videos/generate
  developer  Shotlist
  price      $0.10 a second
  gives      video, 1080p
             ratio, length and frame rate as input_video
  takes      text, video

fields (* required)
  input_video*       video URL  at least 3 s, longer side at most 4096 pixels. Inputs up to 4K;
                                output is 1080p.
  retake_start_time  number     Start of the section, seconds.
  retake_duration    number     Length of the section, seconds.
  retake_mode        text       for example replace_audio_and_video. The model can replace video,
                                audio, or both.
  prompt             text       Guides the regenerated section.

notes
  The bounds of the time fields and the other values of retake_mode are not shown.

an example, to paste below \`steps:\`
  mended:
    model: V-RT
    with:
      input_video: media/clip.mp4
      retake_start_time: 2
      retake_duration: 1.5
      prompt: the fox stops and listens`,
  );
});

test('a field with choices, a rule, and a search switch', () => {
  expect(modelPage(get('V-I2V-A'), 80)).toBe(
    `V-I2V-A: image to video with reference images and looping, 5 s or 10 s clips, up
to 1080p

  kind       image to video
  endpoint   /videos/generate
  developer  Shotlist
  price      $0.08 a second
             $0.05 at 540p, $0.08 at 720p, $0.14 at 1080p
  gives      video
  takes      text, image

fields (* required)
  prompt*               text                Motion or scene description.
  input_image*          image URL           Source image; the video starts from
                                            it.
  reference_image_urls  list of image URLs  Guide images.
  aspect_ratio          text                3:1, 2:1, 21:9, 16:9 (default), 4:3,
                                            3:2, 1:1, 3:4, 2:3, 9:16, 1:2, 1:3
  resolution            text                540p (default), 720p, 1080p
  duration              text                5s (default), 10s
  loop                  true or false       Seamless loop; supported for 5s
                                            clips, not supported for 10s.

rules
  loop is supported for 5s clips only: set duration to 5s or leave loop out

an example, to paste below \`steps:\`
  shot:
    model: V-I2V-A
    with:
      prompt: slow push in while snow falls
      input_image: media/fox.png`,
  );
  expect(modelPage(get('I-EDIT-B'), 100)).toBe(
    `I-EDIT-B: studio-quality image generation and editing, 2K and 4K, up to 14 input images

  kind       image editing
  endpoint   /images/generate
  developer  Shotlist
  price      $0.08 an image
  gives      image
  takes      text, image

fields (* required)
  prompt*       text
  input_image   list of image URLs  up to 14. Reference or source images.
  aspect_ratio  text                for example 16:9
  resolution    text                for example 2K, 4K
  …_search      true or false       for example false. Search grounding switch; the name begins with
                                    a vendor's word.

an example, to paste below \`steps:\`
  portrait:
    model: I-EDIT-B
    with:
      prompt: relight it at dusk
      input_image:
        - media/fox.png`,
  );
});

test('a chat model: context, output, effort, and the step in its price', () => {
  expect(modelPage(get('V-context-E'), 100)).toBe(
    `V-context-E: reasoning and coding

  kind       chat
  endpoint   /chat/completions
  developer  Shotlist
  price      $2.50 in, $15.00 out, for a million tokens
             above 272,000 input tokens 2× in and 1.5× out, for the whole session
  gives      text
  takes      text
  context    1,050,000 tokens
  answer     at most 128,000 tokens
  effort     none, low, medium, high, xhigh

fields
  system             text              What the model is told beforehand: the first of its
                                       \`messages\`.
  prompt             text              What it is asked: the last of its \`messages\`, which may be
                                       written instead.
  messages           list of mappings  Each has a role (for example user) and a content.
  temperature        number            0 to 2
  max_tokens         whole number      1 to 128000
  stream             true or false
  top_p              number            0 to 1
  frequency_penalty  number            -2 to 2
  presence_penalty   number            -2 to 2

notes
  The field that carries the reasoning effort is not shown.

an example, to paste below \`steps:\`
  beats:
    model: V-context-E
    with:
      prompt: three beats about a fox who crosses a frozen river`,
  );
});

test('a custom model is told with what its source takes', () => {
  expect(modelPage(get('river-look'), 100)).toBe(
    `river-look: text to image, tuned to one river

  kind        image generation
  endpoint    /images/generate
  developer   Shotlist
  price       $0.0011 a second of use
  gives       image
  takes       text
  made from   I-GEN-A
  deployment  unknown; --live asks

fields (* required)
  prompt*              text
  num_inference_steps  whole number  1 to 50, default 8. Lower is faster and lower quality.
  seed                 whole number  Fixes the result for reproducibility.
  output_format        text          webp (default), jpg, png

an example, to paste below \`steps:\`
  still:
    model: river-look
    with:
      prompt: portrait of a red fox in the snow`,
  );
});

test('a model that only a catalog knows: its own schema, as far as it can be read, and nothing that steers a terminal', () => {
  expect(modelPage(foreign, 100)).toBe(
    `acme/storm-2 (Storm 2)

  kind         image to video
  endpoint     /videos/generate
  developer    Acme
  price        $0.20 a second
               $0.40 a second in high resolution
  gives        video
  takes        text, image
  fine-tuning  train, $0.001 a second
  deployment   inactive

fields (* required)
  prompt*       text
  frames*       whole number   at least 8. how many
  first_frame*  URL
  mood          value
  tags          list of texts

an example, to paste below \`steps:\`
  shot:
    model: acme/storm-2
    with:
      prompt: slow push in while snow falls
      frames: 8
      first_frame: https://example.com/media`,
  );
  expect(modelList([{ ...foreign, id: 'acme/\u001b]52;c;AAAA\u0007evil' }])).toBe(
    'image → video\n  acme/evil  $0.20 to $0.40 a second  Storm 2 (inactive)',
  );
  // What is to be pasted is written as YAML writes it: exact, and harmless to look at.
  const evil = modelPage({ ...foreign, id: 'acme/\u001b]52;c;AAAA\u0007evil', request_schema: null }, 100).split('\n');
  expect([evil[0], evil.at(-3)]).toStrictEqual(['acme/evil (Storm 2)', '    model: "acme/\\e]52;c;AAAA\\aevil"']);
  const silent = { ...foreign, id: 'acme/silent', request_schema: null, capabilities: { input: [], output: [] } };
  expect(modelPage(silent, 100)).toBe(
    `acme/silent (Storm 2)

  kind         text to video
  endpoint     /videos/generate
  developer    Acme
  price        $0.20 a second
               $0.40 a second in high resolution
  fine-tuning  train, $0.001 a second
  deployment   inactive

an example, to paste below \`steps:\`
  shot:
    model: acme/silent
    with:
      prompt: a red fox crosses a frozen river in a single shot`,
  );
});

test('prices, as far as the catalog tells them', () => {
  expect(priceRange({ method: 'per_image', cost_per_image: null })).toBe('not known');
  expect(priceRange({ method: 'token', input_cost_per_token: 0.0000005 })).toBe('not known');
  expect(priceRange({ method: 'per_video_output_second', cost_per_second: 0.1 })).toBe('$0.10 a second');
  expect(priceLines({ method: 'time', cost_per_second: 0.0011 }, undefined)).toStrictEqual(['$0.0011 a second of use']);
  expect(priceLines({ method: 'per_video_output_second' }, undefined)).toStrictEqual(['not known']);
  expect(
    priceLines(
      {
        method: 'per_video_output_second',
        cost_per_second: 0.08,
        cost_per_second_high_res: 0.2,
        cost_per_second_with_audio: 0.1,
        cost_per_second_by_resolution: { '480p': 0.05, '720p': 0.08 },
      },
      undefined,
    ),
  ).toStrictEqual([
    '$0.08 a second',
    '$0.20 a second in high resolution',
    '$0.10 a second with sound',
    '$0.05 at 480p, $0.08 at 720p',
  ]);
});
