/** Runs as they were journalled, to tell again: the same events that a real run gives, with round times. */

import type { MediaFacts } from '../../src/model/media/media.ts';
import type { Event, PlannedInstance, RecordedEvent } from '../../src/model/run/event.ts';
import type { Failure } from '../../src/model/run/failure.ts';
import type { GenerationId, InstanceKey, RunId } from '../../src/model/run/key.ts';
import type { MediaResult, Result } from '../../src/model/run/result.ts';

export const START = Date.UTC(2026, 10, 20, 12);
export const key = (name: string): InstanceKey => name as InstanceKey;
const generation = (name: string): GenerationId => `gen_${name}` as GenerationId;

/** Seconds after the start, and what happened then. */
export type Beat = readonly [seconds: number, event: Event];
export const stamped = (beats: readonly Beat[]): readonly RecordedEvent[] =>
  beats.map(([seconds, event], index) => ({ ...event, seq: index + 1, at: START + Math.round(seconds * 1000) }));

export function media(name: string, cost: number, facts: Partial<MediaFacts>, bytes: number): MediaResult {
  return {
    ...{
      is: 'media',
      result_url: `https://service.example/results/${name}.mp4`,
      sha256: '0'.repeat(64),
      extension: '.mp4',
    },
    ...{ bytes, generation_id: generation(name), request: {}, cost, media: { kind: 'video', format: 'mp4', ...facts } },
  };
}

export const planned = (
  name: string,
  model: string,
  needs: readonly string[],
  price: number | null,
): PlannedInstance => ({
  ...{ key: key(name), model, needs: needs.map(key), price },
});

export const started = (
  name: string,
  instances: readonly PlannedInstance[],
  more: { readonly usd?: number | null; readonly resumed?: boolean; readonly service?: string } = {},
): Event => ({
  ...{
    type: 'run_started',
    run: 'run_1' as RunId,
    pipeline: `pipelines/${name}.yaml`,
    name,
    service: more.service ?? 'studio',
  },
  ...{ resumed: more.resumed ?? false, instances, usd: more.usd === undefined ? 2.4 : more.usd },
});

export const intended = (name: string, model: string, price: number): Event => ({
  ...{ type: 'submit_intended', key: key(name), nonce: `n_${name}`, fingerprint: `f_${name}` },
  ...{ model, request: { model }, price },
});
export const accepted = (name: string, found = false): Event => ({
  ...{ type: 'submit_accepted', key: key(name), nonce: `n_${name}`, generation_id: generation(name), found },
});
export const progress = (name: string, status: string, position: number | null, fraction: number | null): Event => ({
  ...{ type: 'progress', key: key(name), status, position, fraction },
});
export const generated = (name: string, cost: number | null): Event => ({
  ...{ type: 'generated', key: key(name), generation_id: generation(name), cost },
  result_url: `https://service.example/${name}.mp4`,
});
export const fetching = (name: string, bytes: number | null): Event => ({
  ...{ type: 'download_started', key: key(name), bytes },
});
const ended = (type: 'succeeded' | 'reused', name: string, result: Result): Event => ({
  ...{ type, key: key(name), fingerprint: `f_${name}`, result },
});
export const succeeded = (name: string, result: Result): Event => ended('succeeded', name, result);
export const reused = (name: string, result: Result): Event => ended('reused', name, result);
export const failed = (name: string, failure: Failure): Event => ({ type: 'failed', key: key(name), failure });

const generationFailed = (name: string, message: string): Failure => ({
  ...{ code: 'generation_failed', generation_id: generation(name), message },
});

/** Each of these fails with a message of its own. */
export const failingEach = (names: readonly string[], message: (name: string) => string): readonly RecordedEvent[] => {
  const instances = names.map(name => planned(name, 'V-T2V-A', [], 0.1));
  return stamped([
    [0, started('teaser', instances, { service: 'hosted' })],
    ...names.map((name): Beat => [1, failed(name, { code: 'request_invalid', message: message(name) })]),
    [2, finished('failed', { failed: names.length }, 0)],
  ]);
};

const counts = { succeeded: 0, reused: 0, failed: 0, blocked: 0, skipped: 0, unfinished: 0 };
export const finished = (
  outcome: 'done' | 'failed' | 'interrupted' | 'unreachable',
  some: Partial<typeof counts>,
  usd: number,
): Event => ({ type: 'run_finished', outcome, counts: { ...counts, ...some }, usd });

/** From intent to result, beginning at `from` and lasting `seconds`. */
export function made(
  name: string,
  model: string,
  price: number,
  from: number,
  seconds: number,
  result: MediaResult,
): readonly Beat[] {
  const at = (part: number) => from + seconds * part;
  return [
    [at(0), intended(name, model, price)],
    [at(0.02), accepted(name)],
    [at(0.05), progress(name, 'queued', 2, null)],
    [at(0.1), progress(name, 'queued', 1, null)],
    [at(0.15), progress(name, 'processing', null, 0)],
    [at(0.35), progress(name, 'processing', null, 0.3)],
    [at(0.6), progress(name, 'processing', null, 0.62)],
    [at(0.85), progress(name, 'processing', null, 0.95)],
    [at(0.9), generated(name, price)],
    [at(0.92), fetching(name, result.bytes)],
    [at(1), succeeded(name, result)],
  ];
}

export const TEASER = [
  planned('shot', 'V-T2V-A', [], 0.6),
  planned('framed', 'V-RF', ['shot'], 0.48),
  planned('mended', 'V-RT', ['framed'], 0.72),
  planned('final', 'V-UP', ['mended'], 0.6),
];
const SHOT = media('shot', 0.6, { width: 1280, height: 720, duration: 6 }, 4_100_000);
const FRAMED = media('framed', 0.48, { width: 720, height: 1280, duration: 6 }, 3_800_000);
const MENDED = media('mended', 0.72, { width: 720, height: 1280, duration: 6 }, 3_900_000);
const FINAL = media('final', 0.6, { width: 1080, height: 1920, duration: 6 }, 9_750_000);

/** The example film, all made. */
export const teaser = stamped([
  [0, started('teaser', TEASER)],
  [0.2, { type: 'stream_changed', up: true, reason: 'connected' }],
  ...made('shot', 'V-T2V-A', 0.6, 0.3, 6, SHOT),
  [6.4, { type: 'output_written', output: 'wide', key: key('shot'), path: 'out/teaser-wide.mp4' }],
  ...made('framed', 'V-RF', 0.48, 6.4, 4, FRAMED),
  ...made('mended', 'V-RT', 0.72, 10.5, 5, MENDED),
  ...made('final', 'V-UP', 0.6, 15.6, 8, FINAL),
  [23.7, { type: 'output_written', output: 'film', key: key('final'), path: 'out/teaser.mp4' }],
  [23.8, finished('done', { succeeded: 4 }, 2.4)],
]);

/** Run again with nothing changed. */
export const unchanged = stamped([
  [0, started('teaser', TEASER, { usd: 0 })],
  [0.01, reused('shot', SHOT)],
  [0.01, reused('framed', FRAMED)],
  [0.01, reused('mended', MENDED)],
  [0.01, reused('final', FINAL)],
  [0.02, { type: 'output_written', output: 'film', key: key('final'), path: 'out/teaser.mp4' }],
  [0.03, finished('done', { reused: 4 }, 0)],
]);

/** The reframe is failed by the service; the rest that depends on it is blocked. */
export const failing = stamped([
  [0, started('teaser', TEASER, { service: 'hosted' })],
  ...made('shot', 'V-T2V-A', 0.6, 0.3, 6, SHOT),
  [6.4, { type: 'output_written', output: 'wide', key: key('shot'), path: 'out/teaser-wide.mp4' }],
  [6.4, intended('framed', 'V-RF', 0.48)],
  [6.5, accepted('framed')],
  [7, progress('framed', 'processing', null, 0.1)],
  [9, failed('framed', generationFailed('framed', 'input video is 40.0 s long, at most 30 s are taken'))],
  [9, { type: 'blocked', key: key('mended'), by: key('framed') }],
  [9, { type: 'blocked', key: key('final'), by: key('framed') }],
  [9.1, finished('failed', { succeeded: 1, failed: 1, blocked: 2 }, 0.6)],
]);

const SHOT_SENT = { key: key('shot'), nonce: 'n_shot', fingerprint: 'f_shot' };

/** The POST of the shot is never answered, the stream and the service go away and come back; nothing is sent twice. */
export const unknown = stamped([
  [0, started('teaser', TEASER, { service: 'hosted' })],
  [0.2, { type: 'stream_changed', up: true, reason: 'connected' }],
  [
    0.3,
    { type: 'submit_refused', key: key('shot'), nonce: 'n_0', reason: 'rate limit reached', retry_at: START + 5300 },
  ],
  [5.3, intended('shot', 'V-T2V-A', 0.6)],
  [20, { type: 'stream_changed', up: false, reason: 'silent for 45 s' }],
  [35.3, { ...SHOT_SENT, type: 'submit_unknown', reason: 'connection reset after the request was sent' }],
  [36, { type: 'service_changed', reachable: false, reason: 'connect ECONNREFUSED' }],
  [60, { type: 'service_changed', reachable: true, reason: 'answered' }],
  [61, accepted('shot', true)],
  [62, progress('shot', 'queued', 3, null)],
]);

/** Ctrl-C while the reframe is under way. */
export const detached = stamped([
  ...teaser.slice(0, 20).map(({ seq: _seq, at, ...event }): Beat => [(at - START) / 1000, event as Event]),
  [9.5, { type: 'run_detached', running: [key('framed')], resume: 'shotlist run pipelines/teaser.yaml' }],
  [9.6, finished('interrupted', { succeeded: 1, unfinished: 3 }, 0.6)],
]);

const FRAMED_SENT = { fingerprint: 'f_framed', generation_id: generation('framed') };

/** …and the same command again. */
export const resumed = stamped([
  [0, started('teaser', TEASER, { resumed: true, usd: 1.32 })],
  [0.1, reused('shot', SHOT)],
  [0.2, { type: 'taken_up', key: key('framed'), nonce: 'n_framed', ...FRAMED_SENT }],
  [0.4, progress('framed', 'processing', null, 0.8)],
  [1.4, generated('framed', 0.48)],
  [1.5, fetching('framed', null)],
  [1.6, succeeded('framed', FRAMED)],
  ...made('mended', 'V-RT', 0.72, 1.7, 5, MENDED),
]);

/** Sixty instances of one step and a step that waits for each: more than a terminal holds. */
export const crowd = (() => {
  const beats = [11, 22, 33, 44, 55, 66, 77, 88, 99, 110, 121, 132, 143, 154, 165, 176, 187, 198, 209, 220].flatMap(
    seed => ['16:9', '9:16', '1:1'].map(ratio => `[seed=${seed},ratio=${ratio}]`),
  );
  const instances = beats.flatMap(at => [
    planned(`clip${at}`, 'V-T2V-A', [], 0.5),
    planned(`final${at}`, 'V-UP', [`clip${at}`], 0.25),
  ]);
  const first = beats.slice(0, 16);
  return stamped([
    [0, started('crowd', instances, { usd: 45 })],
    ...first.map((at): Beat => [0.5, intended(`clip${at}`, 'V-T2V-A', 0.5)]),
    ...first.map((at): Beat => [0.6, accepted(`clip${at}`)]),
    ...first
      .slice(0, 4)
      .map((at, index): Beat => [3 + index / 10, progress(`clip${at}`, 'processing', null, 0.2 * index)]),
    ...first.slice(4).map((at, index): Beat => [4, progress(`clip${at}`, 'queued', index + 1, null)]),
    [9, generated(`clip${first[0]}`, 0.5)],
    [9.5, succeeded(`clip${first[0]}`, media('clip', 0.5, { width: 1280, height: 720, duration: 5 }, 2_200_000))],
  ]);
})();

/** A rerun with a hundred results already here. */
export const bulk = stamped([
  [
    0,
    started(
      'bulk',
      [...Array(100).keys()]
        .map(n => planned(`clip[n=${n}]`, 'V-T2V-A', [], 0.5))
        .concat(planned('cut', 'run', ['clip[n=99]'], 0)),
    ),
  ],
  ...[...Array(100).keys()].map((n): Beat => [0.1, reused(`clip[n=${n}]`, media('clip', 0.5, {}, 1000))]),
  [0.2, { type: 'command_started', key: key('cut'), fingerprint: 'f_cut' }],
  [
    3.4,
    succeeded('cut', {
      is: 'command',
      stdout: '',
      json: null,
      files: { film: { extension: '.mp4', sha256: '0'.repeat(64), bytes: 10, media: null } },
    }),
  ],
  [3.5, finished('done', { succeeded: 1, reused: 100 }, 0)],
]);

/** Everything that other people write tries to take over the terminal. */
export const HOSTILE =
  '\x1b]52;c;cm0gLXJm\x07\x1b[2J\x9b31mred\x1b[0m \u202egpj.exe\u202c\r\nsecond\x1b]0;title\x1b\\ line\x07\x08';
export const hostile = stamped([
  [
    0,
    started(
      `film${HOSTILE}`,
      [planned(`shot[a=${HOSTILE}]`, `model${HOSTILE}`, [], 0.5), planned('next', 'V-UP', [`shot[a=${HOSTILE}]`], 0.5)],
      { service: `host${HOSTILE}` },
    ),
  ],
  [0.1, { type: 'stream_changed', up: false, reason: HOSTILE }],
  [
    0.2,
    { type: 'submit_refused', key: key(`shot[a=${HOSTILE}]`), nonce: 'n', reason: HOSTILE, retry_at: START + 9000 },
  ],
  [0.3, intended(`shot[a=${HOSTILE}]`, 'm', 0.5)],
  [0.4, { type: 'submit_unknown', key: key(`shot[a=${HOSTILE}]`), nonce: 'n', fingerprint: 'f', reason: HOSTILE }],
  [0.5, progress(`shot[a=${HOSTILE}]`, HOSTILE, null, 0.5)],
  [0.6, { type: 'service_changed', reachable: false, reason: HOSTILE }],
  [0.7, failed(`shot[a=${HOSTILE}]`, generationFailed(HOSTILE, HOSTILE))],
  [0.8, { type: 'blocked', key: key('next'), by: key(`shot[a=${HOSTILE}]`) }],
  [0.85, { type: 'skipped', key: key(`late${HOSTILE}`), why: HOSTILE }],
  [0.9, { type: 'output_written', output: HOSTILE, key: key('next'), path: `out/${HOSTILE}.mp4` }],
  [0.9, { type: 'run_detached', running: [key(`shot[a=${HOSTILE}]`)], resume: `shotlist run ${HOSTILE}` }],
  [1, finished('failed', { failed: 1, blocked: 1, skipped: 1 }, 0)],
]);

const said = [
  'Wide shot, slow pan: a fox steps out of the reeds onto the first grey ice, breath hanging in the blue light of dawn.',
  ' Medium shot, tracking: it runs, and every crack overtakes it.',
  ' Close-up, handheld: the far bank, snow, one paw in black water.',
];
/** A chat model writes; its first answer did not fit. */
export const beats: readonly RecordedEvent[] = stamped([
  [
    0,
    started('beats', [planned('script', 'C-D', [], 0.002), planned('shot', 'V-T2V-A', ['script'], 0.5)], {
      usd: 0.502,
    }),
  ],
  [0.1, intended('script', 'C-D', 0.002)],
  [0.5, { type: 'text_written', key: key('script'), text: 'Here are \x1b[31myour ' }],
  [0.6, { type: 'text_written', key: key('script'), text: 'beats!' }],
  [
    1,
    {
      type: 'answer_unfit',
      key: key('script'),
      nonce: 'n_script',
      fingerprint: 'f',
      reason: 'it is no JSON',
      cost: 0.001,
    },
  ],
  [1.1, intended('script', 'C-D', 0.002)],
  ...said.map((text, index): Beat => [2 + index, { type: 'text_written', key: key('script'), text }]),
  [
    6,
    succeeded('script', {
      is: 'text',
      text: said.join(''),
      json: null,
      finish_reason: 'stop',
      usage: null,
      request: {},
      cost: 0.003,
    }),
  ],
  [6.1, intended('shot', 'V-T2V-A', 0.5)],
]);

/** A command that acts outside is stopped while it does; four of five equal commands fail with the same words, the fifth with others. */
export const commands = stamped([
  [
    0,
    started('posted', [
      { ...planned('post', 'run', [], 0), effect: true },
      ...[1, 2, 3, 4, 5].map(n => planned(`cut[n=${n}]`, 'run', [], 0)),
    ]),
  ],
  [0.1, { type: 'command_started', key: key('post'), fingerprint: 'f_post' }],
  ...[1, 2, 3, 4, 5].flatMap((n): [number, Event][] => [
    [0.2, { type: 'command_started', key: key(`cut[n=${n}]`), fingerprint: `f_${n}` }],
    [
      1,
      failed(`cut[n=${n}]`, {
        ...{ code: 'command_failed', exit: 1, message: 'the command ended with exit code 1' },
        lines: ['\tat frame 7', n === 5 ? 'out of memory' : `cut ${n}\x1b[2J: no space left on the device`],
        log: `.shotlist/runs/posted/logs/2026-11-22T08-20-11/cut[n=${n}].log`,
      }),
    ],
  ]),
  [2, { type: 'run_detached', running: [], resume: 'shotlist run posted.yaml' }],
  [3, finished('interrupted', { failed: 5, unfinished: 1 }, 0)],
]);
