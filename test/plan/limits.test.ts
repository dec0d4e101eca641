/** Every row of the document's "Limits", held against what flows through the graph before any of it exists; and what is unknown breaks none. */
import { describe, expect, test } from 'vitest';
import { modelLibrary } from '../../src/api/model-library.ts';
import type { MediaFacts, MediaKind } from '../../src/model/media/media.ts';
import type { FieldSchema } from '../../src/model/model.ts';
import type { InstanceKey } from '../../src/model/run/key.ts';
import type { LocalMedia } from '../../src/plan/plan.ts';
import { resolve } from '../../src/plan/values/resolve.ts';
import { processorTime } from '../support/processor-time.ts';
import { contextOf, media, planned, planOf, Shelf, shown } from './support.ts';

const local = (facts: MediaFacts | undefined, bytes = 1_000): LocalMedia => ({
  ...{ sha256: 'ab', url: 'file:///film/a', facts, bytes },
});
const sound = (duration: number, format = 'wav', bytes = 1_000) => local({ kind: 'audio', duration, format }, bytes);
const FILES = {
  'long.mp4': local({ kind: 'video', duration: 40 }),
  'short.mp4': local({ kind: 'video', duration: 2 }),
  'padded.mp4': local({ kind: 'video', duration: 30.04 }),
  'four-k.mp4': local({ kind: 'video', duration: 9, width: 4096, height: 2160 }),
  'wide.mp4': local({ kind: 'video', duration: 9, width: 7680, height: 4320 }),
  'still.png': local({ kind: 'image', width: 1600, height: 900 }),
  'theme.ogg': sound(20, 'ogg'),
  'blip.wav': sound(1),
  'long.mp3': sound(31, 'mp3'),
  'large.wav': sound(20, 'wav', 16 * 1024 * 1024),
  'largest.wav': sound(20, 'wav', 15 * 1024 * 1024),
};

/** The first mistake: what it says, and the text that its caret stands under. */
function mistake(steps: string, params: { readonly [name: string]: string } = {}): string {
  const declared = Object.keys(params).map(name => `  ${name}: { type: ${name === 'words' ? 'string' : 'integer'} }\n`);
  const text = `shotlist: 1\nname: film\n${declared.length > 0 ? `params:\n${declared.join('')}` : ''}steps:\n${steps}`;
  const [first] = planned(text, { files: FILES, params }).diagnostics;
  return first ? `${first.message} <- ${text.slice(first.span.start, first.span.end)}` : 'nothing';
}

const step = (name: string, label: string, request: string): string =>
  `  ${name}: { model: ${label}, with: { ${request} } }\n`;
const P = 'prompt: a fox';
const STILL = 'input_image: still.png';
const SHOT = (seconds: number) => step('shot', 'V-I2V-D', `${P}, ${STILL}, duration: ${seconds}`);
const OF_SHOT = 'input_video: "${{ steps.shot.result_url }}"';
const STILLS = (count: number) =>
  `  stills:\n    matrix: { n: 1..${count} }\n    model: I-GEN-A\n    with: { ${P}, seed: "\${{ matrix.n }}" }\n`;
const ALL = 'input_image: "${{ steps.stills.map(s, s.result_url) }}"';

describe('a limit of the document is an error of the plan', () => {
  const N = '"${{ params.n }}"';
  const number = (label: string, field: string, more = '') => step('made', label, `${P}${more}, ${field}: ${N}`);
  test.each([
    [
      'V-T2V-A prompt',
      step('made', 'V-T2V-A', 'prompt: "${{ params.words }}"'),
      { words: 'x'.repeat(501) },
      'prompt must have at most 500 characters, it has 501 <- "${{ params.words }}"',
    ],
    [
      'V-T2V-A negative_prompt',
      step('made', 'V-T2V-A', `${P}, negative_prompt: "\${{ params.words }}"`),
      { words: 'x'.repeat(501) },
      'negative_prompt must have at most 500 characters, it has 501 <- "${{ params.words }}"',
    ],
    [
      'V-T2V-A audio_url, format',
      step('made', 'V-T2V-A', `${P}, audio_url: theme.ogg`),
      {},
      'audio_url is ogg; V-T2V-A takes wav or mp3 there <- theme.ogg',
    ],
    [
      'V-T2V-A audio_url, short',
      step('made', 'V-T2V-A', `${P}, audio_url: blip.wav`),
      {},
      'audio_url is 1 s long; V-T2V-A takes at least 2 s <- blip.wav',
    ],
    [
      'V-T2V-A audio_url, long',
      step('made', 'V-T2V-A', `${P}, audio_url: long.mp3`),
      {},
      'audio_url is 31 s long; V-T2V-A takes at most 30 s <- long.mp3',
    ],
    [
      'V-T2V-A audio_url, large',
      step('made', 'V-T2V-A', `${P}, audio_url: large.wav`),
      {},
      'audio_url is 16 MB; V-T2V-A takes at most 15 MB there <- large.wav',
    ],
    ['V-T2V-A audio_url, as large as may be', step('made', 'V-T2V-A', `${P}, audio_url: largest.wav`), {}, 'nothing'],
    ['V-T2V-A duration', number('V-T2V-A', 'duration'), { n: '16' }, `duration must be at most 15, not 16 <- ${N}`],
    ['V-T2V-A duration', number('V-T2V-A', 'duration'), { n: '1' }, `duration must be at least 2, not 1 <- ${N}`],
    [
      'V-T2V-A seed',
      number('V-T2V-A', 'seed'),
      { n: '2147483648' },
      `seed must be at most 2147483647, not 2147483648 <- ${N}`,
    ],
    ['V-T2V-B duration', number('V-T2V-B', 'duration'), { n: '4' }, `duration must be at least 5, not 4 <- ${N}`],
    [
      'I-GEN-A steps',
      number('I-GEN-A', 'num_inference_steps'),
      { n: '51' },
      `num_inference_steps must be at most 50, not 51 <- ${N}`,
    ],
    [
      'V-I2V-A loop',
      step(
        'made',
        'V-I2V-A',
        `${P}, ${STILL}, loop: true, duration: "\${{ '\${params.n}' == '' ? '5s' : '10s' }}"`,
      ).replace("'${params.n}' == ''", 'params.n == 0'),
      { n: '1' },
      /^.*loop is supported for 5s clips only/,
    ],
    [
      'V-RF source, not made yet',
      SHOT(40) + step('made', 'V-RF', `${P}, ${OF_SHOT}, aspect_ratio: "1:1"`),
      {},
      'input_video (from shot) is 40 s long; V-RF takes at most 30 s <- "${{ steps.shot.result_url }}"',
    ],
    [
      'V-RF source, three links on',
      SHOT(40) +
        step('up', 'V-UP', OF_SHOT) +
        step('again', 'V-UP', 'input_video: "${{ steps.up.file }}"') +
        step('made', 'V-RF', `${P}, input_video: "\${{ steps.again.file }}", aspect_ratio: "1:1"`),
      {},
      'input_video (from again) is 40 s long; V-RF takes at most 30 s <- "${{ steps.again.file }}"',
    ],
    [
      'V-RF source, of this machine',
      step('made', 'V-RF', `${P}, input_video: long.mp4, aspect_ratio: "1:1"`),
      {},
      'input_video is 40 s long; V-RF takes at most 30 s <- long.mp4',
    ],
    [
      'V-RF source, padded by its encoder',
      step('made', 'V-RF', `${P}, input_video: padded.mp4, aspect_ratio: "1:1"`),
      {},
      'nothing',
    ],
    [
      'V-RF source, whichever it will be',
      `  ask: { run: [ask] }\n${SHOT(40)}${step('other', 'V-UP', OF_SHOT)}${step('made', 'V-RF', `${P}, input_video: "\${{ steps.ask.json.a ? steps.shot.file : steps.other.file }}", aspect_ratio: "1:1"`)}`,
      {},
      /^input_video \(from shot or other\) is 40 s long/,
    ],
    [
      'V-RT input, not made yet',
      SHOT(2) + step('made', 'V-RT', OF_SHOT),
      {},
      'input_video (from shot) is 2 s long; V-RT takes at least 3 s <- "${{ steps.shot.result_url }}"',
    ],
    [
      'V-RT input, of this machine',
      step('made', 'V-RT', 'input_video: short.mp4'),
      {},
      'input_video is 2 s long; V-RT takes at least 3 s <- short.mp4',
    ],
    [
      'V-RT input, up to 4K',
      step('made', 'V-RT', 'input_video: wide.mp4'),
      {},
      'input_video is 7680 pixels on its longer side; V-RT takes at most 4096 <- wide.mp4',
    ],
    ['V-RT input, of 4K', step('made', 'V-RT', 'input_video: four-k.mp4'), {}, 'nothing'],
    [
      'V-RT section',
      SHOT(10) + step('made', 'V-RT', `${OF_SHOT}, retake_start_time: 8, retake_duration: 3`),
      {},
      'the section to retake is 8 s to 11 s, but the clip (from shot) is 10 s long; choose a section within it <- 8',
    ],
    [
      'V-RT section without a start',
      SHOT(10) + step('made', 'V-RT', `${OF_SHOT}, retake_duration: 11`),
      {},
      'the section to retake is 11 s long, but the clip (from shot) is 10 s; choose a section within it <- 11',
    ],
    [
      'I-EDIT-B images',
      STILLS(15) + step('made', 'I-EDIT-B', `${P}, ${ALL}`),
      {},
      'input_image must have at most 14 items, it has 15 <- "${{ steps.stills.map(s, s.result_url) }}"',
    ],
    [
      'I-EDIT-C images',
      STILLS(17) + step('made', 'I-EDIT-C', `${P}, ${ALL}`),
      {},
      'input_image must have at most 16 items, it has 17 <- "${{ steps.stills.map(s, s.result_url) }}"',
    ],
    ['I-EDIT-C images', STILLS(16) + step('made', 'I-EDIT-C', `${P}, ${ALL}`), {}, 'nothing'],
    [
      'C-C context',
      step('made', 'C-C', 'messages: [{ role: user, content: "${{ params.words }}" }]'),
      { words: 'fox '.repeat(200_000) },
      /^its words are about \d+ tokens, and C-C holds 64000 of prompt and answer together/,
    ],
    [
      'C-C context, whatever the rest will be',
      `  ask: { run: [ask] }\n${step('made', 'C-C', 'messages: [{ role: user, content: "${{ params.words }}" }, { role: user, content: "${{ steps.ask.stdout }}" }]')}`,
      { words: 'fox '.repeat(200_000) },
      /^its words are about 200004 tokens, and C-C holds 64000 of prompt and answer together/,
    ],
    [
      'C-C context, of a text that goes on',
      `  ask: { run: [ask] }\n${step('made', 'C-C', 'prompt: "${{ params.words }} and ${{ steps.ask.stdout }}"')}`,
      { words: 'fox '.repeat(200_000) },
      'nothing',
    ],
    [
      'C-C context, of prompt and answer',
      step('made', 'C-C', `prompt: "\${{ params.words }}", max_tokens: ${N}`),
      { words: 'fox '.repeat(3_000), n: '63000' },
      `its words are about 3004 tokens and its answer may be 63000, and C-C holds 64000 together; ask for a shorter answer, or shorten the words <- ${N}`,
    ],
    [
      'C-C context, which may just hold both',
      step('made', 'C-C', `prompt: "\${{ params.words }}", max_tokens: ${N}`),
      { words: 'fox '.repeat(3_000), n: '62000' },
      'nothing',
    ],
    ...['V-context-E', 'C-F', 'C-H'].map(
      label =>
        [
          `${label} output`,
          step('made', label, `prompt: a fox, max_tokens: ${N}`),
          { n: '128001' },
          `max_tokens must be at most 128000, not 128001 <- ${N}`,
        ] as const,
    ),
    ...['3841x2160', '2160x3841', '3840x2161', '8K'].map(
      size =>
        [
          'I-EDIT-C dimensions',
          step('made', 'I-EDIT-C', `${P}, resolution: "\${{ params.words }}"`),
          { words: size },
          `resolution must be at most 4K or 3840x2160, not "${size}" <- "\${{ params.words }}"`,
        ] as const,
    ),
    ...['3840x2160', '2160x3840', '4K', 'huge'].map(
      size =>
        [
          'I-EDIT-C dimensions',
          step('made', 'I-EDIT-C', `${P}, resolution: "\${{ params.words }}"`),
          { words: size },
          'nothing',
        ] as const,
    ),
  ] as const)('%s', (_, steps, params, said) => {
    const told = mistake(steps, params);
    if (typeof said === 'string') expect(told).toBe(said);
    else expect(told).toMatch(said);
  });

  test.each(['V-T2V-C', 'V-I2V-B'])('%s duration', label => {
    const more = label === 'V-I2V-B' ? `, ${STILL}` : '';
    expect(mistake(number(label, 'duration', more), { n: '16' })).toMatch(/^duration must be .*15, not 16 <- /);
    expect(mistake(number(label, 'duration', more), { n: '3' })).toMatch(/^duration must be .*, not 3 <- /);
  });

  test('V-I2V-C duration', () => {
    const made = step('made', 'V-I2V-C', `${P}, ${STILL}, duration: "\${{ string(params.n) + 's' }}"`);
    expect(mistake(made, { n: '31' })).toMatch(/^duration must be at most 30s, not "31s" <- /);
    expect(mistake(made, { n: '3' })).toMatch(/^duration must be at least 4s, not "3s" <- /);
    expect(mistake(made, { n: '30' })).toBe('nothing');
  });

  test('of a step that its condition keeps from it there is nothing to say', () => {
    const guarded = (condition: string) =>
      `${SHOT(40)}  made: { if: "\${{ ${condition} }}", model: V-RF, with: { ${P}, ${OF_SHOT}, aspect_ratio: "1:1" } }\n`;
    expect(mistake(guarded('steps.shot.media.duration <= 30.0'))).toBe('nothing');
    expect(mistake(guarded('true'))).toMatch(/is 40 s long/);
    expect(mistake(guarded('false'))).toBe('nothing');
  });
});

/** Labels that take media, each with everything it needs, and every one of its media fields. */
const TAKERS = modelLibrary.labels.flatMap(label => {
  const model = modelLibrary.get(label)!;
  const fields = Object.entries(model.request.properties).flatMap(([name, field]) => {
    const limit = mediaOf(field);
    return limit ? [{ name, kind: limit.kind, isList: field.items !== undefined }] : [];
  });
  return fields.length === 0 ? [] : [{ label, fields, required: model.request.required }];
});
function mediaOf(field: FieldSchema) {
  return field.media ?? field.items?.media;
}

describe('what is unknown breaks no rule', () => {
  const REST: { readonly [field: string]: string } = { prompt: 'prompt: a fox', aspect_ratio: 'aspect_ratio: "16:9"' };
  const ODD = (kind: MediaKind): readonly (MediaFacts | undefined)[] => [
    { kind },
    { kind, format: kind === 'audio' ? 'wav' : 'unknown', video_codec: 'unknown', audio_codec: 'unknown' },
    { kind, duration: Number.NaN, fps: Number.NaN, width: Number.NaN, height: Number.NaN },
    { kind, duration: 0, width: 0, height: 0, fps: 0 },
    { kind, duration: Number.POSITIVE_INFINITY },
    { kind, audio_codec: null, video_codec: 'prores' },
  ];
  const requestOf = ({ fields, required }: (typeof TAKERS)[number], value: (kind: MediaKind) => string): string => {
    const rest = required.flatMap(name => REST[name] ?? []);
    const given = fields.map(({ name, kind, isList }) => `${name}: ${isList ? `[${value(kind)}]` : value(kind)}`);
    return [...rest, ...given].join(', ');
  };

  test.each(TAKERS)('$label, of files of this machine', taker => {
    const count = ODD('video').length;
    for (let odd = 0; odd < count; odd++) {
      const files = Object.fromEntries(
        (['video', 'image', 'audio'] as const).map(kind => [`a.${kind}`, local(ODD(kind)[odd])]),
      );
      const film = `steps:\n${step(
        'made',
        taker.label,
        requestOf(taker, kind => `a.${kind}`),
      )}`;
      const { diagnostics, plan } = planned(film, { files });
      expect(diagnostics.map(({ message }) => message)).toStrictEqual([]);
      // An unknown length is no price of nothing.
      for (const { price } of plan?.instances ?? []) expect(price).not.toBe(0);
    }
  });

  test.each(TAKERS)('$label, of results that exist', taker => {
    const makers = [step('video', 'V-I2V-E', P), step('image', 'I-GEN-A', P)].join('');
    for (let odd = 0; odd < ODD('video').length; odd++) {
      const shelf = new Shelf();
      const before = planned(`steps:\n${makers}`).plan!;
      for (const one of before.instances) {
        const facts = ODD(one.key === 'image' ? 'image' : 'video')[odd]!;
        shelf.put(one, media(one.key, facts));
      }
      const only = { ...taker, fields: taker.fields.filter(({ kind }) => kind !== 'audio') };
      const request = requestOf(only, kind => `"\${{ steps.${kind}.result_url }}"`);
      const { diagnostics, plan } = planned(`steps:\n${makers}${step('made', taker.label, request)}`, { owned: shelf });
      expect(diagnostics.map(({ message }) => message)).toStrictEqual([]);
      expect([...plan!.instances].at(-1)?.decision.is).toBe('run');
    }
  });

  test.each(TAKERS)('$label, of addresses and of files of a command', taker => {
    const commands = '  cut: { run: [cut], creates: { video: a.mp4, image: a.png, audio: a.wav } }\n';
    const made = step(
      'made',
      taker.label,
      requestOf(taker, kind => `"\${{ steps.cut.files.${kind} }}"`),
    );
    const far = step(
      'far',
      taker.label,
      requestOf(taker, kind => `"https://clips.example/a.${kind}"`),
    );
    expect(shown(`steps:\n${commands}${made}${far}`)).toMatch(/^film {2}/);
  });
});

test('two thousand that each read two thousand which are not there are planned in a moment', () => {
  const film = `${STILLS(2000)}  made:\n    matrix: { n: 1..2000 }\n    model: V-REF\n    with: { prompt: "fox \${{ matrix.n }}", input_images: "\${{ steps.stills.map(s, s.result_url) }}" }\n`;
  const worked = processorTime();
  expect(mistake(film)).toBe('nothing');
  expect(worked()).toBeLessThan(4_000);
});

const reframed = (source: string) => `
steps:
  framed:
    model: V-RF
    with:
      input_video: ${source}
      aspect_ratio: "9:16"
      prompt: forest
`;

test('a path with nothing behind it is said once', () => {
  expect(shown(reframed('clips/lost.mp4'))).toMatchInlineSnapshot(
    `"7:20 ‹clips/lost.mp4› input_video names "clips/lost.mp4", which is not there; give a path from the pipeline file's folder, or an address with https://"`,
  );
});

test('a path to something that is no file is said where it stands, for models and for commands', () => {
  const files = { 'clips/shots': { unusable: 'is a folder; name a file in it' } };
  expect(shown(reframed('clips/shots'), { files })).toMatchInlineSnapshot(
    `"7:20 ‹clips/shots› input_video names "clips/shots", which is a folder; name a file in it"`,
  );
  const cut = `
steps:
  cut:
    run: [cat, $clip]
    files: { clip: clips/shots }
`;
  expect(shown(cut, { files })).toContain('files.clip names "clips/shots", which is a folder; name a file in it');
});

test('at run time the real media are held against the same limits', () => {
  const plan = planOf(`steps:\n${SHOT(6)}${step('mended', 'V-RT', OF_SHOT)}`, { files: FILES });
  const mended = plan.instances.get('mended' as InstanceKey)!;
  const lookup = (key: InstanceKey) => media(key, { kind: 'video', duration: 2.5 });
  const resolved = resolve(plan, mended, lookup, contextOf({ files: FILES }));
  expect(resolved).toMatchObject({
    is: 'invalid',
    failure: {
      code: 'request_invalid',
      message: 'input_video (from shot) is 2.5 s long; V-RT takes at least 3 s',
    },
  });
});
