import { readdirSync, readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { modelLibrary } from '../../src/api/model-library.ts';
import { fieldOf, type Model } from '../../src/model/model.ts';
import { staticCatalog } from '../../src/studio/service/studio-catalog.ts';

const folder = new URL('../../schema/models/', import.meta.url);
const files = readdirSync(folder).filter(name => name.endsWith('.json'));
const readJson = (url: URL) => JSON.parse(readFileSync(url, 'utf8'));
const get = (label: string): Model => {
  const model = modelLibrary.get(label);
  if (!model) throw new Error(`no model ${label}`);
  return model;
};

test.each(files)('%s has the shape of a model, and the library serves it', name => {
  const file = readJson(new URL(name, folder));
  const validate = new Ajv({ allErrors: true, strictTypes: false }).compile(
    readJson(new URL('../model.schema.json', folder)),
  );
  validate(file);
  expect(validate.errors).toBeNull();
  expect(`${file.label}.json`).toBe(name);
  expect(modelLibrary.get(file.label)).toStrictEqual(file);
});

test('the library knows every file and nothing else', () => {
  expect([...modelLibrary.labels].sort()).toStrictEqual(files.map(name => name.replace('.json', '')).sort());
  expect(modelLibrary.get('V-XYZ')).toBeUndefined();
});

test.each(files)('%s only names fields that it has', name => {
  const model: Model = readJson(new URL(name, folder));
  const fields = Object.keys(model.request.properties);
  const named = [
    ...model.request.required,
    ...model.rules.flatMap(rule => Object.keys(rule.if)),
    ...Object.values(model.returns).flatMap(fact => [fact.from, 'keep' in fact ? fact.keep : undefined]),
  ].filter(field => field !== undefined);
  expect(named.filter(field => !fields.includes(field))).toStrictEqual([]);
  expect(model.request.additionalProperties).toBe(model.undocumentedFields);
});

test('every label of the document is here, in its order, with the endpoint it is sent to', () => {
  expect(modelLibrary.labels.map(label => `${label} ${get(label).kind} ${get(label).endpoint}`)).toStrictEqual([
    'V-T2V-A text_to_video /videos/generate',
    'V-T2V-B text_to_video /videos/generate',
    'V-T2V-C text_to_video /videos/generate',
    'V-I2V-A image_to_video /videos/generate',
    'V-I2V-B image_to_video /videos/generate',
    'V-I2V-C image_to_video /videos/generate',
    'V-I2V-D image_to_video /videos/generate',
    'V-I2V-E image_to_video /videos/generate',
    'V-V2V video_to_video /videos/generate',
    'V-RF reframe /videos/generate',
    'V-RT retake /videos/generate',
    'V-UP upscale /videos/generate',
    'V-REF reference_to_video /videos/generate',
    'I-EDIT-A image_edit /images/edit',
    'I-EDIT-B image_edit /images/edit',
    'I-EDIT-C image_edit /images/edit',
    'I-GEN-A image_generate /images/generate',
    'C-A chat /chat/completions',
    'C-B chat /chat/completions',
    'C-C chat /chat/completions',
    'C-D chat /chat/completions',
    'V-context-E chat /chat/completions',
    'C-F chat /chat/completions',
    'C-G chat /chat/completions',
    'C-H chat /chat/completions',
  ]);
});

test('the catalog tells which chat models take images', () => {
  const catalog = staticCatalog(modelLibrary);
  const chats = modelLibrary.labels.filter(label => get(label).kind === 'chat');
  const inputs = chats.map(label => `${label} ${catalog.get(label)?.capabilities.input.join(' ')}`);
  expect(inputs).toStrictEqual([
    'C-A text',
    'C-B text image',
    'C-C text',
    'C-D text',
    'V-context-E text',
    'C-F text',
    'C-G text',
    'C-H text image',
  ]);
});

/** The interface document's table of a model, one line a field, `*` marks required. */
function table(label: string): string {
  const model = get(label);
  return Object.entries(model.request.properties)
    .map(([name, field]) => {
      const inner = field.items ?? field;
      const bounds =
        [field.minimum, field.maximum].some(bound => bound !== undefined) &&
        `${field.minimum ?? ''}..${field.maximum ?? ''}`;
      const notes = [
        field.items ? `${field.type} of ${inner.type}` : field.type,
        inner.format,
        inner.media?.kind,
        field.enum?.join('|'),
        bounds,
        field.maxLength !== undefined && `≤${field.maxLength}`,
        field.maxItems !== undefined && `≤${field.maxItems}`,
        field.atLeast && `≥${field.atLeast}`,
        field.atMost && `≤${field.atMost.join('|')}`,
        field.default !== undefined && `=${field.default}`,
        field.examples && `e.g. ${field.examples.join('|')}`,
      ];
      return `${name}${model.request.required.includes(name) ? '*' : ''}: ${notes.filter(Boolean).join(' ')}`;
    })
    .join('\n');
}

/** Every model that makes media, as the document's tables have it. */
const TABLES = `V-T2V-A
prompt*: string ≤500
audio_url: string uri audio
aspect_ratio: string 16:9|9:16|1:1|4:3|3:4 =16:9
resolution: string 720P|1080P =1080P
duration: integer 2..15 =5
negative_prompt: string ≤500
prompt_extend: boolean =true
watermark: boolean =false
seed: integer 0..2147483647

V-I2V-A
prompt*: string
input_image*: string uri image
reference_image_urls: array of string image
aspect_ratio: string 3:1|2:1|21:9|16:9|4:3|3:2|1:1|3:4|2:3|9:16|1:2|1:3 =16:9
resolution: string 540p|720p|1080p =540p
duration: string 5s|10s =5s
loop: boolean

V-RF
input_video*: string uri video
prompt*: string
aspect_ratio*: string ≥1:3 ≤3:1 e.g. 3:1|2:1|21:9|16:9|4:3|3:2|1:1|3:4|2:3|9:16|1:2|1:3
resolution: string ≤1080p e.g. 540p|1080p

V-RT
input_video*: string uri video
retake_start_time: number
retake_duration: number
retake_mode: string e.g. replace_audio_and_video
prompt: string

V-UP
input_video*: string uri video
resolution: string e.g. 1080p
interpolate_frames: boolean e.g. false
target_fps: number e.g. 30
compression: number e.g. 0
details: number e.g. 0
noise: number e.g. 0
blur: number e.g. 0
halo: number e.g. 0
grain: number e.g. 0.05

I-GEN-A
prompt*: string
num_inference_steps: integer 1..50 =8
seed: integer
output_format: string webp|jpg|png =webp

I-EDIT-A
prompt*: string
input_image: array of string uri image
aspect_ratio: string e.g. 16:9
resolution: string ≤4 MP e.g. 1 MP|2 MP|4 MP
num_inference_steps: integer e.g. 30
guidance: number e.g. 2
output_format: string e.g. webp
output_quality: integer e.g. 80
disable_safety_checker: boolean e.g. false

V-REF
prompt*: string
input_face_images: array of string uri image
input_images: array of string uri image
input_face_videos: array of string uri video
input_videos: array of string uri video
input_audios: array of string uri audio
generate_audio: boolean
aspect_ratio: string e.g. 16:9
duration: integer e.g. -1
resolution: string 480p|720p
watermark: boolean

V-I2V-C
prompt*: string
input_image*: string uri image
input_image_has_face: boolean
tail_image_url: string uri image
tail_image_url_has_face: boolean
generate_audio: boolean =true
resolution: string 480p|720p|1080p
duration: string ≥4s ≤30s e.g. auto
output_format: string e.g. mp4
watermark: boolean

I-EDIT-C
prompt*: string
input_image: array of string uri image ≤16
aspect_ratio: string e.g. 16:9
resolution: string ≤4K|3840x2160 e.g. 2K|4K
quality: string e.g. high
output_format: string e.g. png
background: string e.g. auto
moderation: string e.g. low

V-T2V-B
prompt*: string
resolution: string 480P|768P
duration: integer 5..15
aspect_ratio: string
enable_safety_checker: boolean
prompt_expansion_mode: string balanced|quality
sync_mode: boolean

V-T2V-C
prompt*: string
generate_audio: boolean
aspect_ratio: string
duration: integer -1|4|5|6|7|8|9|10|11|12|13|14|15
resolution: string 480p|720p
watermark: boolean

V-I2V-B
prompt*: string
input_image*: string uri image
input_image_has_face: boolean
tail_image_url: string uri image
tail_image_url_has_face: boolean
generate_audio: boolean
aspect_ratio: string
duration: integer -1|4|5|6|7|8|9|10|11|12|13|14|15
resolution: string 480p|720p
watermark: boolean

V-I2V-D
prompt*: string
input_image*: string uri image
tail_image_url: string uri image
duration: integer e.g. 5

V-I2V-E
prompt*: string
input_image: string uri image
aspect_ratio: string e.g. 16:9
resolution: string e.g. 1080p
duration: integer e.g. 8

V-V2V
input_video*: string uri video
prompt*: string
resolution: string ≤1080p e.g. 540p|1080p
duration: string e.g. 5s

I-EDIT-B
prompt*: string
input_image: array of string uri image ≤14
aspect_ratio: string e.g. 16:9
resolution: string e.g. 2K|4K`.split('\n\n');

test.each(TABLES.map(rows => rows.split(/\n(.*)/s)))('%s takes what the document says', (label = '', rows = '') => {
  expect(table(label)).toBe(rows);
});

test('every model that makes media has its table', () => {
  const makers = modelLibrary.labels.filter(label => get(label).kind !== 'chat');
  expect(TABLES.map(rows => rows.split('\n')[0]).sort()).toStrictEqual([...makers].sort());
});

test('fields that the document names and does not show', () => {
  expect(get('V-RF').undocumentedFields).toBe(true);
  expect(fieldOf(get('I-EDIT-B'), 'acme_search')?.type).toBe('boolean');
  expect(fieldOf(get('I-EDIT-B'), 'acme_serch')).toBeUndefined();
  expect(fieldOf(get('V-RF'), 'constructor')).toBeUndefined();
});

test('V-I2V-C: 1080p is 10-bit HEVC, sound is on by default, the ratio is that of the first frame', () => {
  expect(get('V-I2V-C').returns).toStrictEqual({
    ratio: { keep: 'input_image' },
    resolution: { from: 'resolution' },
    duration: { from: 'duration' },
    audio: { from: 'generate_audio', default: true },
    video_codec: { from: 'resolution', cases: { '1080p': 'hevc' } },
    color_bits: { from: 'resolution', cases: { '1080p': 10 } },
    format: { from: 'output_format' },
  });
});

test.each(modelLibrary.labels.filter(label => get(label).kind === 'chat'))('%s takes what the document says', label => {
  const limit = get(label).chat?.maxOutputTokens;
  expect(table(label)).toBe(
    `messages*: array of object
temperature: number 0..2
max_tokens: integer 1..${limit ?? ''}
stream: boolean
top_p: number 0..1
frequency_penalty: number -2..2
presence_penalty: number -2..2`,
  );
  expect(get(label).pricing.method).toBe('token');
});
