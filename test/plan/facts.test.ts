/** What is known of each label's result before it exists, and what it costs, by what is known of its request and its media. */
import { describe, expect, test } from 'vitest';
import { modelLibrary } from '../../src/api/model-library.ts';
import type { MediaFacts } from '../../src/model/media/media.ts';
import type { InstanceKey, StepName } from '../../src/model/run/key.ts';
import type { Result } from '../../src/model/run/result.ts';
import { expand } from '../../src/plan/graph/expand.ts';
import type { LocalMedia } from '../../src/plan/plan.ts';
import { contextOf, media, planOf, Shelf, shown, type World } from './support.ts';

const CLIP: MediaFacts = {
  ...{ kind: 'video', format: 'mp4', width: 1280, height: 720, duration: 12.4, fps: 24 },
  audio_codec: null,
};
const STILL: MediaFacts = { kind: 'image', format: 'png', width: 1600, height: 900 };
const SOUND: MediaFacts = { kind: 'audio', format: 'wav', duration: 20 };

const local = (name: string, facts: MediaFacts | undefined): LocalMedia => ({
  ...{ sha256: name, url: `file:///film/${name}`, bytes: 1_000 },
  facts,
});
const FILES = {
  'clip.mp4': local('clip.mp4', CLIP),
  'long.mp4': local('long.mp4', { kind: 'video', duration: 40 }),
  'still.png': local('still.png', STILL),
  'theme.wav': local('theme.wav', SOUND),
};

/** `1280x720 16:9 5 s 24/s webp hevc silent | $0.50`: what a plan says of one instance. */
function told(text: string, key: string, world: World = {}): string {
  const instance = planOf(text, { files: FILES, ...world }).instances.get(key as InstanceKey)!;
  const { kind, width, height, duration, fps, format, video_codec, audio_codec } = instance.facts ?? {};
  const ratio = instance.ratio;
  const facts = [
    kind ?? 'nothing',
    width === undefined ? undefined : `${width}x${height}`,
    ratio === undefined ? undefined : `ratio ${Math.round(ratio * 1000) / 1000}`,
    duration === undefined ? undefined : `${duration} s`,
    fps === undefined ? undefined : `${fps}/s`,
    ...[format, video_codec, audio_codec === null ? 'silent' : audio_codec],
  ];
  const price = instance.price === null ? `? ${instance.priceBasis}` : `$${instance.price}`;
  return `${facts.filter(fact => fact !== undefined).join(', ')} | ${price}`;
}

const PROMPT = 'prompt: a fox';
const FROM_STILL = `${PROMPT}, input_image: still.png`;
const OF_CLIP = 'input_video: clip.mp4';
const CHAT = 'messages: [{ role: user, content: hello }]';

/** One request of each label and more, made of a clip of 12.4 s (1280x720, 24/s, silent) or a still of 1600x900. */
/** Without `max_tokens`: as much as each can write. */
const MOST_OF_CHAT: { readonly [label: string]: string } = {
  ...{ 'C-A': '$2.6000054', 'C-B': '$0.0384009', 'C-C': '$0.0576081', 'C-D': '$0.4190313' },
  ...{ 'C-F': '$1.28001125', 'C-G': '$0.8800099', 'C-H': '$3.200045', 'V-context-E': '$1.9200225' },
};

const OF_A_REQUEST: readonly (readonly [label: string, request: string, told: string])[] = [
  ['V-T2V-A', PROMPT, 'video, 1920x1080, ratio 1.778, 5 s | $0.75'],
  [
    'V-T2V-A',
    `${PROMPT}, aspect_ratio: "3:4", resolution: 720P, duration: 3`,
    'video, 720x960, ratio 0.75, 3 s | $0.3',
  ],
  ['V-T2V-A', `${PROMPT}, audio_url: theme.wav`, 'video, 1920x1080, ratio 1.778, 5 s | $0.75'],
  ['V-T2V-B', PROMPT, 'video | $1.2'],
  [
    'V-T2V-B',
    `${PROMPT}, resolution: 768P, duration: 15, aspect_ratio: "16:9"`,
    'video, 1366x768, ratio 1.778, 15 s | $1.2',
  ],
  ['V-T2V-C', `${PROMPT}, duration: -1`, 'video | $1.5'],
  ['V-T2V-C', `${PROMPT}, duration: 4, generate_audio: false`, 'video, 4 s, silent | $0.32'],
  ['V-T2V-C', `${PROMPT}, duration: 4, generate_audio: true`, 'video, 4 s | $0.4'],
  ['V-I2V-A', FROM_STILL, 'video, 960x540, ratio 1.778, 5 s | $0.25'],
  [
    'V-I2V-A',
    `${FROM_STILL}, duration: 10s, resolution: 1080p, aspect_ratio: "1:3"`,
    'video, 1080x3240, ratio 0.333, 10 s | $1.4',
  ],
  ['V-I2V-B', FROM_STILL, 'video | $1.5'],
  ['V-I2V-B', `${FROM_STILL}, tail_image_url: still.png, duration: 15, resolution: 480p`, 'video, 15 s | $1.5'],
  ['V-I2V-C', FROM_STILL, 'video, ratio 1.778 | $5.4'],
  ['V-I2V-C', `${FROM_STILL}, duration: auto, resolution: 720p`, 'video, 1280x720, ratio 1.778 | $3'],
  [
    'V-I2V-C',
    `${FROM_STILL}, duration: 30s, resolution: 1080p, generate_audio: false`,
    'video, 1920x1080, ratio 1.778, 30 s, hevc, silent | $5.4',
  ],
  ['V-I2V-D', FROM_STILL, 'video | ? $0.10 a second, length not known'],
  ['V-I2V-D', `${FROM_STILL}, duration: 5`, 'video, 5 s | $0.5'],
  ['V-I2V-E', PROMPT, 'video | ? $0.20 a second, length not known'],
  [
    'V-I2V-E',
    `${FROM_STILL}, aspect_ratio: "9:16", resolution: 1080p, duration: 8`,
    'video, 1080x1920, ratio 0.563, 8 s | $1.6',
  ],
  ['V-V2V', `${PROMPT}, ${OF_CLIP}`, 'video, ratio 1.778 | ? $0.20 a second, length not known'],
  ['V-V2V', `${PROMPT}, ${OF_CLIP}, resolution: 540p, duration: 5s`, 'video, 960x540, ratio 1.778, 5 s | $0.4'],
  ['V-RF', `${PROMPT}, ${OF_CLIP}, aspect_ratio: "9:16"`, 'video, ratio 0.563, 12.4 s, 24/s, silent | $1.488'],
  [
    'V-RF',
    `${PROMPT}, ${OF_CLIP}, aspect_ratio: "1:1", resolution: 1080p`,
    'video, 1080x1080, ratio 1, 12.4 s, 24/s, silent | $1.488',
  ],
  ['V-RT', OF_CLIP, 'video, 1920x1080, ratio 1.778, 12.4 s, 24/s | $1.24'],
  ['V-UP', OF_CLIP, 'video, ratio 1.778, 12.4 s, 24/s, silent | $1.24'],
  [
    'V-UP',
    `${OF_CLIP}, resolution: 720p, target_fps: 60`,
    'video, 1280x720, ratio 1.778, 12.4 s, 60/s, silent | $0.372',
  ],
  // How many frames it puts in between is not told.
  ['V-UP', `${OF_CLIP}, interpolate_frames: true`, 'video, ratio 1.778, 12.4 s, silent | $1.24'],
  ['V-UP', `${OF_CLIP}, interpolate_frames: false`, 'video, ratio 1.778, 12.4 s, 24/s, silent | $1.24'],
  ['V-REF', `${PROMPT}, input_videos: [clip.mp4]`, 'video | ? $0.12 a second, length not known'],
  [
    'V-REF',
    `${PROMPT}, input_images: [still.png], duration: 6, resolution: 480p, generate_audio: false`,
    'video, 6 s, silent | $0.36',
  ],
  ['I-GEN-A', PROMPT, 'image, webp | $0.01'],
  ['I-GEN-A', `${PROMPT}, output_format: jpg`, 'image, jpg | $0.01'],
  // The document does not say that an edit keeps the size of what it is given.
  ['I-EDIT-A', `${PROMPT}, input_image: [still.png]`, 'image | $0.04'],
  ['I-EDIT-A', `${PROMPT}, aspect_ratio: "16:9", output_format: webp`, 'image, ratio 1.778, webp | $0.04'],
  ['I-EDIT-B', `${PROMPT}, input_image: [still.png], resolution: 4K`, 'image | $0.08'],
  ['I-EDIT-C', `${PROMPT}, aspect_ratio: "1:1", resolution: 2K, quality: low`, 'image, ratio 1 | $0.03'],
  ...modelLibrary.labels
    .filter(label => modelLibrary.get(label)?.produces === 'text')
    .map(label => [label, CHAT, `nothing | ${MOST_OF_CHAT[label]}`] as const),
];

const step = (name: string, label: string, request: string): string =>
  `  ${name}:\n    model: ${label}\n    with: { ${request} }\n`;

test.each(OF_A_REQUEST)('%s { %s }', (label, request, said) => {
  expect(told(`steps:\n${step('made', label, request)}`, 'made')).toBe(said);
});

test('the table holds every label', () => {
  expect([...new Set(OF_A_REQUEST.map(([label]) => label))].toSorted()).toStrictEqual(
    modelLibrary.labels.toSorted((a, b) => (a < b ? -1 : 1)),
  );
});

const A = step('a', 'V-T2V-A', `${PROMPT}, duration: 12`);
const B = step('b', 'V-T2V-A', 'prompt: an owl, duration: 12');
const SHORT = step('b', 'V-T2V-A', 'prompt: an owl, duration: 5');
const ASK = '  ask: { run: [ask] }\n';
const SHOTS = `  shots:\n    matrix: { n: [4, 12] }\n    model: V-T2V-A\n    with: { ${PROMPT}, duration: "\${{ matrix.n }}" }\n`;
const made = (of: string, fanOut = ''): string =>
  `  made:\n${fanOut}    model: V-UP\n    with: { input_video: "\${{ ${of} }}" }\n`;

describe('what an expression is made of', () => {
  const UNKNOWN = 'video | ? $0.10 a second, length not known';
  const TWELVE = 'video, ratio 1.778, 12 s | $1.2';
  const FOUR = 'video, ratio 1.778, 4 s | $0.4';

  test.each([
    ['another step', A + made('steps.a.result_url'), 'made', TWELVE],
    ['the file of another step', A + made('steps.a.file'), 'made', TWELVE],
    ['a name in brackets', A + made("steps['a']['result_url']"), 'made', TWELVE],
    ['each', SHOTS + made('each.result_url', '    each: ${{ steps.shots }}\n'), 'made[n=12]', TWELVE],
    [
      'one of those that are joined',
      SHOTS +
        step('late', 'V-UP', 'input_video: "${{ each.file }}"').replace(':\n', ':\n    each: ${{ steps.shots }}\n') +
        made('each.two.file', '    each: { one: "${{ steps.shots }}", two: "${{ steps.late }}" }\n'),
      'made[n=4]',
      FOUR,
    ],
    ['one of many, by its place', SHOTS + made('steps.shots[1].result_url'), 'made', TWELVE],
    [
      'one of many, by a coordinate',
      SHOTS + made('steps.shots[matrix.part].file', '    matrix: { part: [0, 1] }\n'),
      'made[part=1]',
      TWELVE,
    ],
    ['the last of many', SHOTS + made('steps.shots.last().result_url'), 'made', TWELVE],
    ['a place that is not known', ASK + SHOTS + made('steps.shots[int(steps.ask.json.n)].file'), 'made', UNKNOWN],
    [
      'the one before',
      made("has(previous.file) ? previous.file : 'clip.mp4'", '    matrix: { part: 1..3 }\n'),
      'made[part=3]',
      'video, ratio 1.778, 12.4 s, 24/s, silent | $1.24',
    ],
    ['a side that a param takes', `${A}${SHORT}${made('params.long ? steps.a.file : steps.b.file')}`, 'made', TWELVE],
    [
      'two sides that agree',
      A + B + ASK + made('steps.ask.json.yes ? steps.a.file : steps.b.result_url'),
      'made',
      TWELVE,
    ],
    [
      'two sides that do not',
      A + SHORT + ASK + made('steps.ask.json.yes ? steps.a.file : steps.b.file'),
      'made',
      'video, ratio 1.778 | ? $0.10 a second, length not known',
    ],
    [
      'a side of which nothing is known',
      A + ASK + made('steps.ask.json.yes ? steps.a.file : steps.ask.json.file'),
      'made',
      UNKNOWN,
    ],
    [
      'a film and a picture',
      A + step('still', 'I-GEN-A', PROMPT) + ASK + made('steps.ask.json.yes ? steps.a.file : steps.still.file'),
      'made',
      UNKNOWN,
    ],
    [
      'a result and a file',
      A + ASK + made("steps.ask.json.yes ? steps.a.file : 'clip.mp4'"),
      'made',
      'video, ratio 1.778 | ? $0.10 a second, length not known',
    ],
    [
      'files on both sides',
      ASK + made("steps.ask.json.yes ? 'clip.mp4' : 'clip.mp4'"),
      'made',
      'video, ratio 1.778, 12.4 s, 24/s, silent | $1.24',
    ],
    [
      'a file of a command',
      `  cut: { run: [cut], creates: { film: film.mp4 } }\n${made('steps.cut.files.film.file')}`,
      'made',
      UNKNOWN,
    ],
    ['a name that is bound', A + made('cel.bind(x, steps.a, x.result_url)'), 'made', TWELVE],
    ['an address that is made longer', A + made("steps.a.result_url + '#t=2'"), 'made', UNKNOWN],
    [
      'an address of somebody else',
      step('made', 'V-UP', 'input_video: "https://clips.example/a.mp4"'),
      'made',
      UNKNOWN,
    ],
  ])('%s', (_, steps, key, said) => {
    expect(told(`params: { long: { type: boolean, default: true } }\nsteps:\n${steps}`, key)).toBe(said);
  });

  test('a photo of a row is the file it names', () => {
    const film = `steps:\n  made:\n    matrix: { row: [{ photo: still.png }] }\n    model: V-I2V-C\n    with: { prompt: a fox, input_image: "\${{ matrix.row.photo }}", resolution: 720p, duration: 4s }\n`;
    const [one] = planOf(film, { files: FILES }).instances;
    expect(one?.facts).toMatchObject({ width: 1280, height: 720, duration: 4 });
  });
});

describe('a chain of which nothing exists', () => {
  const CHAIN = [
    step('shot', 'V-T2V-A', `${PROMPT}, duration: 6, resolution: 720P`),
    step('framed', 'V-RF', `${PROMPT}, input_video: "\${{ steps.shot.result_url }}", aspect_ratio: "9:16"`),
    step('large', 'V-UP', 'input_video: "${{ steps.framed.result_url }}", resolution: 1080p, target_fps: 60'),
    step('mended', 'V-RT', 'input_video: "${{ steps.large.result_url }}", retake_start_time: 2, retake_duration: 4'),
  ].join('');

  test('is known to its last link', () => {
    const said = (key: string) => told(`steps:\n${CHAIN}`, key);
    expect(['shot', 'framed', 'large', 'mended'].map(said)).toStrictEqual([
      'video, 1280x720, ratio 1.778, 6 s | $0.6',
      'video, ratio 0.563, 6 s | $0.72',
      'video, 1080x1920, ratio 0.563, 6 s, 60/s | $0.3',
      'video, 1080x1920, ratio 0.563, 6 s, 60/s | $0.6',
    ]);
  });

  test('a picture that is made, and a film of it that keeps its shape', () => {
    const film = `steps:\n${step('still', 'I-EDIT-C', `${PROMPT}, aspect_ratio: "2:1"`)}${step('shot', 'V-I2V-C', `${PROMPT}, input_image: "\${{ steps.still.result_url }}", tail_image_url: still.png, resolution: 720p, duration: 8s`)}`;
    expect(told(film, 'shot')).toBe('video, 1440x720, ratio 2, 8 s | $0.8');
  });

  test('by what it really became, where a link exists: it is longer than it was asked for', () => {
    const shelf = new Shelf();
    const shot = planOf(`steps:\n${CHAIN}`).instances.get('shot' as InstanceKey)!;
    shelf.put(
      shot,
      media('shot', { kind: 'video', width: 1280, height: 720, duration: 6.2, fps: 25, audio_codec: 'aac' }),
    );
    const said = (key: string) => told(`steps:\n${CHAIN}`, key, { owned: shelf });
    expect(['framed', 'large', 'mended'].map(said)).toStrictEqual([
      'video, ratio 0.563, 6.2 s, 25/s | $0.744',
      'video, 1080x1920, ratio 0.563, 6.2 s, 60/s | $0.31',
      'video, 1080x1920, ratio 0.563, 6.2 s, 60/s | $0.62',
    ]);
  });
});

describe('what stands in for a step', () => {
  const BIG = (condition: string) =>
    `  big: { if: "\${{ ${condition} }}", else: "\${{ steps.a }}", model: V-T2V-A, with: { prompt: an owl, duration: 2 } }\n`;
  const film = (condition: string) => `steps:\n${A}${ASK}${BIG(condition)}${made('steps.big.result_url')}`;

  test('is what is read of it where it is off', () => {
    expect(told(film('false'), 'made')).toBe('video, ratio 1.778, 12 s | $1.2');
    expect(told(film('false'), 'big')).toBe('video, 1920x1080, ratio 1.778, 12 s | $0');
  });

  test('counts as well while nobody knows whether it is off: what both have in common is known', () => {
    expect(told(film('steps.ask.json.up'), 'big')).toBe('video, 1920x1080, ratio 1.778 | $0.3');
    expect(told(film('steps.ask.json.up'), 'made')).toBe('video, ratio 1.778 | ? $0.10 a second, length not known');
    const mended = film('steps.ask.json.up').replace('model: V-UP', 'model: V-RT');
    expect(shown(mended)).toMatch(/^film {2}/);
    expect(shown(film('true').replace('model: V-UP', 'model: V-RT'))).toContain('(from big) is 2 s long');
  });
});

describe('a plan that grows while a film runs', () => {
  const TAIL = `  script: { run: [script] }
${ASK}${A}${B}  tail:
    matrix: { beat: "\${{ steps.script.json.beats }}" }
    max: 4
    model: V-UP
`;
  const grown = (fields: string, results: { readonly [key: string]: Result }, world: World = {}) => {
    const made = planOf(`steps:\n${TAIL}    with: { ${fields} }\n`, { files: FILES });
    const known = (key: InstanceKey) => results[key];
    const [first] = expand(made, 'tail' as StepName, known, contextOf({ files: FILES, ...world })).expansions;
    return first?.instances.map(({ price, priceBasis, facts }) => [facts?.duration, price, priceBasis]);
  };
  const script: Result = { is: 'command', stdout: '', json: { beats: ['clip.mp4'] }, files: {} };
  const longer = (name: string) => media(name, { kind: 'video', duration: 13 });

  test('goes by what is real where a choice is still open', () => {
    const either = 'input_video: "${{ steps.ask.json.yes ? steps.a.file : steps.b.file }}"';
    expect(grown(either, { script })).toStrictEqual([[12, 1.2, '12 s × $0.10']]);
    expect(grown(either, { script, a: longer('a') })).toStrictEqual([
      [undefined, null, '$0.10 a second, length not known'],
    ]);
    expect(grown(either, { script, a: longer('a'), b: longer('b') })).toStrictEqual([[13, 1.3, '13 s × $0.10']]);
  });

  test('tells no price of a file that nobody has looked at yet, not even none', () => {
    const named = 'input_video: "${{ matrix.beat }}"';
    expect(grown(named, { script })).toStrictEqual([[12.4, 1.24, '12.4 s × $0.10']]);
    expect(grown(named, { script }, { files: {} })).toStrictEqual([[undefined, null, 'not known yet']]);
  });
});
