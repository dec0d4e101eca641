/** `shotlist models` as a person types it: the built-in studio's shelf without a server, and a service's own catalog. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { Stage } from './stage.ts';

let stage = new Stage();
afterEach(() => {
  stage.dispose();
  stage = new Stage();
});

const FOOTNOTE = 'Prices are examples: the built-in studio charges nothing. `shotlist models ID` shows one in full.';

test('the whole list, and nothing is left behind on this machine', async () => {
  const { exit, stdout, stderr } = await stage.run('models');
  expect([exit, stderr]).toEqual([0, '']);
  expect(stdout).toBe(
    `text → video
  V-T2V-A      $0.10 to $0.15 a second  several shots in one take, and films led by a sound of yours               text to video, 720P or 1080P, 2 to 15 s, multi-shot, optional driving audio
  V-T2V-B      $0.05 to $0.08 a second  shots of up to 15 s from a short prompt, which it expands                  text to video, 480P or 768P, 5 to 15 s
  V-T2V-C      $0.05 to $0.10 a second  shots of up to 15 s with synchronized sound                                text to video, 480p or 720p, 4 to 15 s, optional audio
  fox-look     $0.0011 a second of use  text to video, tuned to one fox

image → video
  V-I2V-A      $0.05 to $0.14 a second  seamless loops, and unusual shapes from 3:1 to 1:3                         image to video with reference images and looping, 5 s or 10 s clips, up to 1080p
  V-I2V-B      $0.05 to $0.10 a second  the way from one picture to another, with sound                            first frame with optional end frame to video, 480p or 720p, 4 to 15 s
  V-I2V-C      $0.06 to $0.18 a second  the longest shots, up to 30 s, with sound, from one picture to another     first frame with optional end frame to video, audio on by default, up to 1080p, 4 to 30 s
  V-I2V-D      $0.10 a second           the way from one picture to another, with few settings                     first frame with optional end frame to video; two models share this shape
  V-I2V-E      $0.20 a second           pictures that speak: sound and lips made together                          image to video with native synchronized audio

references (faces, images, videos, sounds) → video
  V-REF        $0.06 to $0.12 a second  the same face, place, movement or voice in every shot                      video guided by reference faces, images, videos and audio, 480p or 720p

video → video, rendered anew
  V-V2V        $0.08 to $0.20 a second  another look on footage you have                                           re-render of a video, up to 1080p

video → video, in another shape (reframe)
  V-RF         $0.06 to $0.12 a second  one film in other aspect ratios, with more of the scene painted around it  reframe a video to a new aspect ratio with outpainting, up to 1080p

video → video, a section anew (retake)
  V-RT         $0.10 a second           a section that went wrong: its picture, its sound, or both                 regenerate a section of a clip, its picture, its sound or both; output is 1080p

video → video, larger and finer (upscale)
  V-UP         $0.03 to $0.10 a second  the last step: finer detail, more frames a second, grain                   detail-enhancing video upscaler

text → image
  I-GEN-A      $0.01 an image           many stills, quickly                                                       fast text to image

text, images → image (editing)
  I-EDIT-A     $0.04 an image           stills and edits of high fidelity, up to 4 megapixels                      high-fidelity image generation and editing, up to 4 megapixels
  I-EDIT-B     $0.08 an image           one picture out of many, up to 14, in 2K or 4K                             studio-quality image generation and editing, 2K and 4K, up to 14 input images
  I-EDIT-C     $0.03 to $0.19 an image  exact sizes up to 3840x2160, and transparent backgrounds                   image generation and editing, up to 16 reference images, dimensions up to 3840x2160

text → text (chat), for a million tokens
  C-A          $0.60 in, $2.50 out      long scripts, code and tools                                               large mixture-of-experts, coding and agents
  C-C          $0.90 in, $0.90 out      short texts                                                                mixture-of-experts, 141B
  C-D          $0.10 in, $0.40 out      most writing: scripts, prompts, captions                                   lower-cost general model
  V-context-E  $2.50 in, $15.00 out     reasoning over very long texts                                             reasoning and coding
  C-F          $1.25 in, $10.00 out     reasoning, and answers in a fixed shape                                    reasoning
  C-G          $1.10 in, $4.40 out      science and numbers                                                        STEM reasoning

text, images → text (chat), for a million tokens
  C-B          $0.10 in, $0.30 out      looking at pictures, such as judging takes                                 24B multimodal
  C-H          $5.00 in, $25.00 out     long work in many turns; it looks at pictures, too                         long-horizon agents

Prices are examples: the built-in studio charges nothing. \`shotlist models ID\` shows one in full.
`,
  );
  expect(existsSync(join(stage.project, '.shotlist'))).toBe(false);
});

test('it is searched, and narrowed by developer and by what can be fine-tuned', async () => {
  const upscale = await stage.run('models', 'search', 'UpScal');
  expect(upscale.stdout).toBe(
    `video → video, larger and finer (upscale)\n  V-UP  $0.03 to $0.10 a second  the last step: finer detail, more frames a second, grain  detail-enhancing video upscaler\n\n${FOOTNOTE}\n`,
  );
  const tuned = await stage.run('models', 'search', 'developer=shotlist', 'action=text_to_video');
  expect(tuned.stdout).toBe(
    `text → video\n  V-T2V-A  $0.10 to $0.15 a second  several shots in one take, and films led by a sound of yours  text to video, 720P or 1080P, 2 to 15 s, multi-shot, optional driving audio\n\n${FOOTNOTE}\n`,
  );
  const none = await stage.run('models', 'search', 'developer=nobody');
  expect([none.exit, none.stdout]).toEqual([0, 'no model fits\n']);
  // By what it does, and by its label.
  expect((await stage.run('models', 'search', 'judging', 'takes')).stdout).toMatch(/^ {2}C-B /m);
  expect((await stage.run('models', 'search', 'v-rf')).stdout).toMatch(/^ {2}V-RF /m);
});

test('one model in full', async () => {
  const { exit, stdout, stderr } = await stage.run('models', 'V-UP');
  expect([exit, stderr]).toEqual([0, '']);
  expect(stdout).toBe(
    `V-UP: detail-enhancing video upscaler

  kind       upscale
  endpoint   /videos/generate
  developer  Shotlist
  price      $0.05 a second
             $0.03 at 720p, $0.05 at 1080p, $0.10 at 4k
  gives      video
             ratio, length, frame rate and sound as input_video
  takes      video

fields (* required)
  input_video*        video URL
  resolution          text           for example 1080p
  interpolate_frames  true or false  for example false
  target_fps          number         for example 30
  compression         number         for example 0
  details             number         for example 0
  noise               number         for example 0
  blur                number         for example 0
  halo                number         for example 0
  grain               number         for example 0.05

notes
  Bounds, units and defaults of the enhancement controls are not shown.

an example, to paste below \`steps:\`
  final:
    model: V-UP
    with:
      input_video: media/clip.mp4
      resolution: 1080p
`,
  );
});

test('as JSON, in the shape of the catalog', async () => {
  const list = JSON.parse((await stage.run('models', 'search', '--json', 'reframe')).stdout);
  expect([list.object, list.data.length, list.data[0].id, list.data[0].object]).toEqual(['list', 1, 'V-RF', 'model']);
  const one = JSON.parse((await stage.run('models', 'V-context-E', '--json')).stdout);
  expect([one.id, one.endpoint, one.request_schema.required]).toEqual([
    'V-context-E',
    '/chat/completions',
    ['messages'],
  ]);
  expect(one.documented.chat.priceStep).toEqual({ aboveInputTokens: 272_000, inputFactor: 2, outputFactor: 1.5 });
});

test('a name that nobody knows, and a command line that makes no sense', async () => {
  const said = async (...args: string[]) => {
    const { exit, stdout, stderr } = await stage.run('models', ...args);
    return `${exit} ${stdout}${stderr}`;
  };
  expect(await said('V-I2V')).toBe('2 shotlist: the built-in studio has no model `V-I2V`; did you mean `V-I2V-A`?\n');
  expect(await said('V-RTT')).toBe('2 shotlist: the built-in studio has no model `V-RTT`; did you mean `V-RT`?\n');
  expect(await said('something')).toBe(
    '2 shotlist: the built-in studio has no model `something`; shotlist models lists what it has\n',
  );
  expect(await said('V-RT', 'V-RF')).toBe('2 shotlist: unexpected argument `V-RF`; shotlist models takes one model\n');
  expect(await said('search')).toBe('2 shotlist: which models? shotlist models search WORD, or developer=NAME\n');
  expect(await said('search', 'x', 'maker=me')).toBe(
    '2 shotlist: models are found by developer and action, and not by maker\n',
  );
  expect(await said('--search', 'x')).toBe(
    '2 shotlist: there is no option --search; `shotlist models search WORD` finds by name and by what they do\n',
  );
  expect(await said('--live')).toBe('2 shotlist: --live refreshes one model: shotlist models ID --live\n');
  expect(await said('--serach', 'x')).toBe('2 shotlist: there is no option --serach; see shotlist help models\n');
});

test('a service is asked for its own models', async () => {
  const { url, key } = await stage.studio();
  stage.env = { SHOTLIST_BASE_URL: url, SHOTLIST_API_KEY: key };
  const host = new URL(url).host;
  const footnote = 'Prices come from the service. `shotlist models ID` shows one model in full.';
  const found = await stage.run('models', 'search', 'tuned', 'developer=Shotlist');
  expect([found.exit, found.stdout, found.stderr]).toEqual([
    0,
    `text → video
  fox-look    $0.0011 a second of use  text to video, tuned to one fox (inactive)

text → image
  river-look  $0.0011 a second of use  text to image, tuned to one river (active)

text, images → image (editing)
  storm-look  $0.0011 a second of use  image editing, tuned to one storm; its deployment always ends in an error (inactive)

${footnote}
`,
    '',
  ]);
  const tuned = await stage.run('models', 'search', 'action=text_to_video');
  expect(tuned.stdout).toBe(
    `text → video\n  V-T2V-A  $0.10 to $0.15 a second  several shots in one take, and films led by a sound of yours  text to video, 720P or 1080P, 2 to 15 s, multi-shot, optional driving audio\n\n${footnote}\n`,
  );
  expect((await stage.run('models', 'search', 'judging', 'takes')).stdout).toMatch(/^ {2}C-B /m);
  const live = JSON.parse((await stage.run('models', 'fox-look', '--live', '--json')).stdout);
  expect([live.id, live.deployments]).toEqual(['fox-look', [{ status: 'inactive' }]]);
  const slip = await stage.run('models', 'fox-lok');
  expect([slip.exit, slip.stderr]).toEqual([
    2,
    `shotlist: ${host} has no model \`fox-lok\`; did you mean \`fox-look\`?\n`,
  ]);
});

test('a service’s own name for a label: the page is the label’s, with the service’s prices', async () => {
  const { url, key } = await stage.studio();
  writeFileSync(
    join(stage.project, 'shotlist.config.yaml'),
    `services:\n  acme: { url: "${url}", key_env: ACME_KEY, models: { I-GEN-A: river-look } }\n`,
  );
  stage.env = { ACME_KEY: key };
  const { exit, stdout, stderr } = await stage.run('models', 'I-GEN-A', '--service', 'acme');
  expect([exit, stderr]).toEqual([0, '']);
  expect(stdout).toBe(
    `I-GEN-A (river-look): text to image, tuned to one river

  kind        image generation
  endpoint    /images/generate
  developer   Shotlist
  price       $0.0011 a second of use
  gives       image
  takes       text
  made from   I-GEN-A
  deployment  active

fields (* required)
  prompt*              text
  num_inference_steps  whole number  1 to 50, default 8. Lower is faster and lower quality.
  seed                 whole number  Fixes the result for reproducibility.
  output_format        text          webp (default), jpg, png

an example, to paste below \`steps:\`
  still:
    model: I-GEN-A
    with:
      prompt: portrait of a red fox in the snow
`,
  );
  const listed = JSON.parse((await stage.run('models', '--service', 'acme', '--json')).stdout);
  expect(listed.data.filter(({ id }: { id: string }) => id === 'river-look')).toEqual([]);
});

test('how a deployment of the built-in studio stands is asked of the studio', async () => {
  const { exit, stdout } = await stage.run('models', 'river-look', '--live', '--json');
  expect([exit, JSON.parse(stdout).deployments]).toEqual([0, [{ status: 'active' }]]);
});

test('a service that refuses the key, or is not there', async () => {
  const { url, process } = await stage.studio();
  const { host } = new URL(url);
  stage.env = { SHOTLIST_BASE_URL: url, SHOTLIST_API_KEY: 'another' };
  const refused = await stage.run('models');
  expect([refused.exit, refused.stdout, refused.stderr]).toEqual([6, '', 'shotlist: unauthenticated (401)\n']);
  process.kill();
  await process.ended;
  const gone = await stage.run('models', 'V-RT');
  expect([gone.exit, gone.stderr]).toEqual([6, `shotlist: ${host}: nothing answers there (connection refused)\n`]);
});
