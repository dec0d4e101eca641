/** What an expression can read: the names that it begins with, and the fields of results. */

import {
  ANY,
  APPROVED,
  CHOICE,
  commandResult,
  INT,
  mediaResult,
  type RecordType,
  type Type,
  textResult,
} from '../../language/types/types.ts';
import type { Root } from '../../model/pipeline.ts';
import type { Entry } from './reference-entry.ts';

interface Words {
  readonly about: string;
  readonly example: string;
}

const ROOTS: Readonly<Record<Root, Words>> = {
  params: { about: 'What can be set from outside, by the names under `params`.', example: 'params.idea' },
  data: { about: 'What the files under `data` hold.', example: 'data.scenes' },
  steps: {
    about:
      'The results of other steps, and what makes the order of the graph. A step with a fan-out is the list of all its results, in order.',
    example: 'steps.shot.result_url',
  },
  matrix: { about: 'The coordinates of this instance, its own and inherited ones.', example: 'matrix.seed' },
  each: {
    about: 'The result of the instance that this one is made for; with names, `each.still` and `each.voice`.',
    example: 'each.result_url',
  },
  take: { about: 'Which take this is: `take.number` from 1, and `take.seed`.', example: 'take.number' },
  previous: {
    about:
      'The result of the instance before this one, in the order of the fan-out; in a step with `until`, of the round before this one. The first has none: ask with `has()`. `previous.note` is what a person has said against it on the review page, or against a take inside it.',
    example: 'has(previous.text) ? previous.text : params.idea',
  },
  this: {
    about: 'In `until`: the result of the round that was just made.',
    example: 'this.json.score >= 8',
  },
  candidate: {
    about: 'In the `rule` of a pick: each result that it chooses from, with its coordinates under `matrix`.',
    example: '-candidate.media.duration',
  },
  run: { about: 'This run: `run.id`, and `run.name`, the name of the film.', example: 'run.name' },
  env: { about: 'Environment variables, those that the file lists under `env`.', example: 'env.HOME' },
};

export const rootEntries = (): readonly Entry[] =>
  Object.entries(ROOTS).map(([name, { about, example }]) => ({
    topic: 'expression',
    name,
    about,
    examples: [`\${{ ${example} }}`],
  }));

/** Fields of results, of whatever kind they are a part. */
const FIELDS: Readonly<Record<string, string>> = {
  result_url: 'Where the service keeps it. It may expire: the file does not.',
  file: 'The file itself: a path where a command reads it.',
  sha256: 'Digest of the content.',
  bytes: 'Size of the file.',
  generation_id: "The service's own name for the generation; null where a call that answers at once made it.",
  request: 'The request as it was sent, without the key.',
  cost: 'US dollars, an estimate until the service reports the cost; null where no price is known.',
  media: 'What is known of the media.',
  first_frame:
    'Of a video: its first picture, as the address of a PNG. It is taken on this machine when something reads it, and never paid for.',
  last_frame: 'Of a video: the last picture that it shows, in the same way. Any other: `frame_at(…)`.',
  sound:
    'Of a video that has any: its sound, as the address of a WAV (48 kHz, 16 bit) that is as long as its pictures. `has(…)` shows whether there is any.',
  text: 'What the model wrote.',
  finish_reason: "Why it stopped, in the service's own word: `stop`, `length`.",
  usage: 'Tokens, as the service counts them.',
  stdout: 'What the command printed.',
  files: 'What it left, by the names under `creates`.',
  kind: '`video`, `image` or `audio`.',
  format: 'The container: `mp4`, `png`.',
  width: 'Pixels.',
  height: 'Pixels.',
  duration: 'Seconds.',
  fps: 'Frames per second.',
  video_codec: '`h264`, `hevc`.',
  audio_codec: 'Null means that it has no sound.',
  source_type:
    'IPTC’s digital source type, where its XMP names one: `trainedAlgorithmicMedia`. `has(…)` shows whether it does.',
  c2pa: 'True where it carries Content Credentials.',
  prompt_tokens: 'What was asked.',
  completion_tokens: 'What was answered.',
  total_tokens: 'Both.',
  approved: 'Whether it was approved.',
  by: 'Who decided: `person`, `flag`, `rule`, `judge`, `only` where there was one candidate; of an approval the name.',
  who: 'The name of the person, the text of the rule, or the model that judged.',
  at: 'When it was decided: `2026-11-22T18:30:00.000Z`.',
  note: 'The words of the person, rule or judge that decided; null where there are none.',
  score: 'What the rule or the judge gave it; null where a person chose.',
  choice: 'Beside all that the chosen result has: who chose it, and why.',
  matrix: 'Its coordinates among the candidates: `matrix.beat`, and `matrix.take` where they are takes.',
  take: 'Which take it is, from 1, where it was chosen among takes. `has(…)` shows it where only some of the candidates are.',
};

/** The same name for two things. */
const OF_ONE_RECORD: Readonly<Record<string, string>> = {
  'TextResult.json': 'The text read as JSON, as the step’s `schema` types it; null where it is none.',
  'CommandFile.media': 'What is known of it where it is media, as of a request; null for any other file.',
  'CommandFile.result_url': 'Its address, for a service that reads this machine’s files, as the built-in studio does.',
  'ListedFile.name':
    'What the command called it, where a star under `creates` gives a list. Each of its files has all that one file has.',
  'CommandResult.json': '`stdout` read as JSON, where it is JSON.',
};

export const resultEntries = (): readonly Entry[] => [
  result('a pick', {
    ...CHOICE,
    fields: new Map<string, Type>([
      ['choice', CHOICE],
      ['matrix', ANY],
      ['take', INT],
    ]),
  }),
  result('an approval', APPROVED),
  result('a request for media', mediaResult('media')),
  result('a chat', textResult(ANY)),
  result(
    'a command',
    commandResult([
      ['one', { path: undefined, isList: false }],
      ['many', { path: undefined, isList: true }],
    ]),
  ),
];

const result = (of: string, type: RecordType): Entry => ({
  topic: 'expression',
  name: of,
  about: '',
  parts: fieldsOf(type, ''),
});

function fieldsOf(record: RecordType, before: string): readonly Entry[] {
  return [...record.fields].flatMap(([field, type]): Entry[] => {
    const isOwnName = record.cel === 'Files';
    if (isOwnName && type.is === 'list' && type.of.is === 'record')
      return fieldsOf(type.of, `${before}NAME[0].`).filter(({ name }) => name.endsWith('.name'));
    const name = `${before}${isOwnName ? 'NAME' : field}`;
    // The facts about media are listed once, with the results of requests.
    const isCommandFile = record.cel === 'CommandFile';
    const inner = type.is === 'record' && !isCommandFile ? fieldsOf(type, `${name}.`) : [];
    const about = OF_ONE_RECORD[`${record.cel}.${field}`] ?? FIELDS[field] ?? '';
    return [
      ...(isOwnName ? [] : [{ topic: 'expression' as const, name, about, takes: TYPE_NAMES[type.is] ?? 'any value' }]),
      ...inner,
    ];
  });
}

const TYPE_NAMES: { readonly [is in Type['is']]?: string } = {
  ...{ text: 'text', int: 'whole number', double: 'number', bool: '`true` or `false`' },
  ...{ list: 'list', map: 'mapping', record: 'mapping' },
};
