/** What a history says about a lost submission: each row of the table is one history, and the verdict it allows. */
import { describe, expect, test } from 'vitest';
import type { HistoryRow } from '../../src/api/queue.ts';
import type { GenerationId, InstanceKey } from '../../src/model/run/key.ts';
import type { Json, JsonObject } from '../../src/model/text/json.ts';
import type { Submission } from '../../src/records/views/ledger.ts';
import type { Witness } from '../../src/records/views/sent-requests.ts';
import { type Evidence, judge } from '../../src/run/requests/proof-of-absence.ts';
import { Random } from '../../src/studio/shared/random.ts';

const SENT = 1_800_000_000_000;
const REQUEST = {
  prompt: 'snow falls on the river',
  input_video: 'https://house.test/fox.mp4?signature=one',
  duration: 5,
  aspect_ratio: '9:16',
};
const LOST: Submission = {
  nonce: 'n-lost',
  key: 'shot' as InstanceKey,
  fingerprint: 'f-lost',
  model: 'V-RF',
  request: REQUEST,
  price: 0.5,
  at: SENT,
  lostAt: SENT + 1_000,
  state: 'unknown',
};
const EARLIER: Witness = {
  id: 'gen-1',
  model: 'V-RF',
  request: { prompt: 'a hare sleeps', input_video: 'https://house.test/hare.mp4', duration: 8, aspect_ratio: '1:1' },
  at: SENT - 100_000,
  isEarlier: true,
};
const MODELS: Readonly<Record<string, string>> = {
  'V-RF': 'reframe-2',
  'V-RF-OLD-NAME': 'reframe-2',
  'V-T2V-A': 'video-9',
};

const row = (id: string, model: string, request: JsonObject, at = SENT): HistoryRow => ({
  ...request,
  generation_id: id as GenerationId,
  status: 'processing',
  model_name: MODELS[model] ?? model,
  enqueued_at: Math.floor(at / 1000),
});
const OURS = row('gen-2', 'V-RF', REQUEST);
const KNOWN = row('gen-1', 'V-RF', EARLIER.request as JsonObject, EARLIER.at);
const without = (from: HistoryRow, ...fields: string[]) =>
  Object.fromEntries(Object.entries(from).filter(([name]) => !fields.includes(name))) as unknown as HistoryRow;

const SECOND: Submission = { ...LOST, nonce: 'n-second', request: { ...REQUEST, seed: 2 } };
const TAKES: Given = { lost: SECOND, witnesses: [], trusted: true };

interface Given {
  readonly rows?: readonly HistoryRow[];
  readonly lost?: Submission;
  readonly rivals?: readonly Submission[];
  readonly witnesses?: readonly Witness[];
  readonly claimed?: readonly string[];
  readonly trusted?: boolean;
  /** Absent: whatever is listed was made long enough after. */
  readonly witnessAfter?: number;
}

function verdict(given: Given): string {
  const { rows = [KNOWN], lost = LOST, rivals = [], witnesses = [EARLIER], claimed = [], trusted = false } = given;
  const { witnessAfter = Number.NEGATIVE_INFINITY } = given;
  const claims = new Set([...witnesses.map(({ id }) => id), ...claimed]);
  const evidence: Evidence = {
    ...{ rows, lost, rivals, witnesses, trusted, witnessAfter },
    isClaimed: id => claims.has(id),
    modelId: label => MODELS[label] ?? label,
  };
  const judged = judge(evidence);
  if (judged.is === 'found') return `found ${judged.row.generation_id}`;
  return judged.is === 'cannot tell' ? judged.why : judged.is;
}

/** The earlier one is listed as it was sent, and this one row besides. */
const beside = (...rows: readonly HistoryRow[]): Given => ({ rows: [KNOWN, ...rows] });
/** The earlier one and ours, both shown with this, or without these fields. */
const bothWith = (known: object, ours = known): Given => ({
  rows: [
    { ...KNOWN, ...known },
    { ...OURS, ...ours },
  ],
});
const bothWithout = (...fields: string[]): Given => ({ rows: [without(KNOWN, ...fields), without(OURS, ...fields)] });
const rival = (change: Partial<Submission> = {}): Submission => ({ ...LOST, nonce: 'n-rival', ...change });
const SHORTER = rival({ request: { ...REQUEST, prompt: 'snow' } });

const FOUND = 'found gen-2';
const PERHAPS = 'the service lists a generation that may be it, without saying enough to be sure';
const SEVERAL = 'what the service lists may be one of several requests of ours';
const NOT_ALL = 'the service does not list all that it is known to have taken';
const NOTHING = 'the service lists nothing at all, not even what it has taken';
const NO_WITNESS = 'nothing that the service is known to have taken before shows that its list is whole';

const CASES: Readonly<Record<string, readonly [Given, string]>> = {
  'as it was sent': [beside(OURS), FOUND],
  'as it was sent, without a witness': [{ rows: [OURS], witnesses: [] }, FOUND],
  'with fields of the service': [beside({ ...OURS, seed: 77, safety: 'on' }), FOUND],
  'a number as a text': [beside({ ...OURS, duration: '5' }), FOUND],
  'a number with its unit': [beside({ ...OURS, duration: '5s' }), FOUND],
  'a number with its unit apart': [beside({ ...OURS, duration: '5 s' }), FOUND],
  'a number with a fraction of nothing': [beside({ ...OURS, duration: '5.0' }), FOUND],
  'a blank behind its prompt': [beside({ ...OURS, prompt: `${REQUEST.prompt} ` }), FOUND],
  'line ends for blanks': [beside({ ...OURS, prompt: 'snow falls\r\non the  river' }), FOUND],
  'other letter case': [beside({ ...OURS, prompt: 'Snow falls on the river' }), FOUND],
  'an address signed anew': [beside({ ...OURS, input_video: 'https://house.test/fox.mp4?signature=two' }), FOUND],
  'an address without its signature': [beside({ ...OURS, input_video: 'https://house.test/fox.mp4' }), FOUND],
  'all of this at once': [
    beside({ ...OURS, duration: '5s', prompt: ' SNOW falls on the river', input_video: 'https://house.test/fox.mp4' }),
    FOUND,
  ],
  'the nonce, and nothing else': [
    beside({ generation_id: 'gen-2' as GenerationId, status: 'queued', idempotency_key: 'n-lost' }),
    FOUND,
  ],
  'the nonce, and another prompt': [beside({ ...OURS, prompt: 'cinematic', idempotency_key: 'n-lost' }), FOUND],
  "the model's label for its id": [beside({ ...OURS, model_name: 'V-RF' }), FOUND],
  'another label of the same id': [beside({ ...OURS, model_name: 'V-RF-OLD-NAME' }), FOUND],
  'the model under `model`': [beside({ ...without(OURS, 'model_name'), model: 'reframe-2' }), FOUND],
  'the name that the service has for the model in a row of ours': [bothWith({ model_name: 'house/rf' }), FOUND],
  'a field that the service never shows': [bothWithout('prompt'), FOUND],
  'a field that the service always shows as null': [bothWith({ prompt: null }), FOUND],
  'no date': [beside(without(OURS, 'enqueued_at')), FOUND],
  'a date some minutes before the last of ours': [
    beside({ ...OURS, enqueued_at: Math.floor(EARLIER.at / 1000) - 200 }),
    FOUND,
  ],
  'two of the same, for two that are lost': [
    { ...beside(OURS, { ...OURS, generation_id: 'gen-3' as GenerationId }), rivals: [rival()] },
    FOUND,
  ],
  'among rows of others': [beside(row('x', 'V-RF', { ...REQUEST, prompt: 'theirs' }), OURS), FOUND],
  'the first of two of the same, one of which is claimed': [
    { ...beside({ ...OURS, generation_id: 'gen-0' as GenerationId }, OURS), claimed: ['gen-0'] },
    FOUND,
  ],

  'an equal request on the wire': [{ ...beside(OURS), rivals: [rival({ state: 'intended' })] }, 'later'],
  'another request on the wire, of which the row says too little': [
    {
      ...bothWithout('prompt'),
      rivals: [rival({ state: 'intended', request: { ...REQUEST, prompt: 'rain' } })],
    },
    'later',
  ],
  'another lost request, of which the row says too little': [
    {
      ...bothWithout('prompt'),
      rivals: [rival({ request: { ...REQUEST, prompt: 'rain' } })],
    },
    SEVERAL,
  ],
  'another lost request, which the row contradicts': [
    { ...beside(OURS), rivals: [rival({ request: { ...REQUEST, prompt: 'rain' } })] },
    FOUND,
  ],
  'another lost request, whose prompt is part of its own': [{ ...beside(OURS), rivals: [SHORTER] }, SEVERAL],
  'another lost request, whose prompt is part of its own, at our own studio': [
    { rows: [OURS], witnesses: [], rivals: [SHORTER], trusted: true },
    FOUND,
  ],
  'a whole row of another lost request, of whose prompt its own is part': [
    { ...beside(OURS), lost: SHORTER, rivals: [LOST] },
    PERHAPS,
  ],
  'the same at our own studio': [
    { rows: [OURS], witnesses: [], lost: SHORTER, rivals: [LOST], trusted: true },
    'absent',
  ],
  'a prompt that goes on at our own studio, and is not that of another one': [
    { rows: [{ ...OURS, prompt: 'snow falls on the river at dawn' }], witnesses: [], rivals: [SHORTER], trusted: true },
    PERHAPS,
  ],

  'only what was answered': [{}, 'absent'],
  'as it was sent by a clock of ours that was an hour ahead': [
    { ...beside(OURS), lost: { ...LOST, at: SENT + 3_600_000, lostAt: SENT + 3_601_000 } },
    FOUND,
  ],
  'a row that does not show what tells it from one that was given up': [
    {
      ...bothWithout('duration'),
      rivals: [rival({ request: { ...REQUEST, duration: 8 }, state: 'closed', end: 'absent' })],
    },
    SEVERAL,
  ],
  'another prompt': [beside({ ...OURS, prompt: 'rain on a roof' }), 'absent'],
  'another duration': [beside({ ...OURS, duration: 8 }), 'absent'],
  'another address': [beside({ ...OURS, input_video: 'https://house.test/hare.mp4' }), 'absent'],
  'another nonce': [beside({ ...OURS, idempotency_key: 'n-else' }), 'absent'],
  'another model, which the service calls by its id': [
    {
      rows: [KNOWN, row('gen-0', 'V-T2V-A', { prompt: 'rain' }, SENT - 90_000), { ...OURS, model_name: 'video-9' }],
      witnesses: [
        EARLIER,
        { id: 'gen-0', model: 'V-T2V-A', request: { prompt: 'rain' }, at: SENT - 90_000, isEarlier: true },
      ],
    },
    'absent',
  ],
  'one that is claimed': [{ ...beside(OURS), claimed: ['gen-2'] }, 'absent'],
  'one from long before': [beside({ ...OURS, enqueued_at: Math.floor(EARLIER.at / 1000) - 3_600 }), 'absent'],
  'a later one of ours that is not listed yet': [
    { witnesses: [EARLIER, { ...EARLIER, id: 'gen-9', at: SENT + 500 }] },
    'absent',
  ],
  'nothing, at our own studio': [{ rows: [], witnesses: [], trusted: true }, 'absent'],
  'another prompt, at our own studio': [
    { rows: [{ ...OURS, prompt: 'rain on a roof' }], witnesses: [], trusted: true },
    'absent',
  ],
  'another model, at our own studio': [
    { rows: [{ ...OURS, model_name: 'video-9' }], witnesses: [], trusted: true },
    'absent',
  ],

  // The takes of one request: the first is sent without a seed.
  'the first take, where the second is lost and the service shows its seed elsewhere': [
    { ...TAKES, rows: [row('gen-1', 'V-RF', { ...REQUEST, prompt: 'rain', seed: 2 }), OURS] },
    'absent',
  ],
  'the first take and the second, where the first is lost': [
    { ...TAKES, rows: [OURS, row('gen-3', 'V-RF', SECOND.request)], lost: LOST, rivals: [SECOND] },
    FOUND,
  ],
  'the first take and the second, once the first is found': [
    { ...TAKES, rows: [OURS, row('gen-3', 'V-RF', SECOND.request)], rivals: [], claimed: ['gen-2'] },
    'found gen-3',
  ],
  'the first take, where the service is not seen to show that seed': [
    { ...TAKES, rows: [row('gen-1', 'V-RF', { ...REQUEST, prompt: 'rain', seed: 3 }), OURS] },
    PERHAPS,
  ],
  'the first take, where the service shows that seed of another model': [
    { ...TAKES, rows: [row('gen-1', 'V-T2V-A', { ...REQUEST, prompt: 'rain', seed: 2 }), OURS] },
    PERHAPS,
  ],
  'a row that leaves out more than the seed': [
    { ...TAKES, rows: [row('gen-1', 'V-RF', { ...REQUEST, prompt: 'rain', seed: 2 }), without(OURS, 'duration')] },
    PERHAPS,
  ],
  'the first take, in a history that is not trusted': [
    { ...TAKES, trusted: false, rows: [row('gen-1', 'V-RF', { ...REQUEST, prompt: 'rain', seed: 2 }), OURS] },
    'the service lists 2 generations that may be it, without saying enough to be sure',
  ],

  'nothing at all': [{ rows: [] }, NOT_ALL],
  'nothing at all, and nothing was taken before': [{ rows: [], witnesses: [] }, NOTHING],
  'others only': [{ rows: [row('x', 'V-RF', { ...REQUEST, prompt: 'rain' })] }, PERHAPS],
  'a list that was cut': [
    { rows: [KNOWN], witnesses: [{ ...EARLIER, id: 'gen-0', at: SENT - 200_000 }, EARLIER] },
    NOT_ALL,
  ],
  'a witness from after it was sent': [{ witnesses: [{ ...EARLIER, at: SENT + 500 }] }, NO_WITNESS],
  'a witness that was on the wire at the same time': [
    { witnesses: [{ ...EARLIER, at: SENT - 10, acceptedAt: SENT + 500 }] },
    NO_WITNESS,
  ],
  'a witness that was written down later, by a clock that was wrong': [
    { witnesses: [{ ...EARLIER, isEarlier: false }] },
    NO_WITNESS,
  ],
  'a field left out that others have': [beside(without(OURS, 'prompt')), PERHAPS],
  'a field left out that no row of ours ever had': [
    {
      ...bothWithout('duration'),
      witnesses: [{ ...EARLIER, request: { prompt: EARLIER.request.prompt ?? null } }],
    },
    PERHAPS,
  ],
  'all fields left out': [beside(without(OURS, ...Object.keys(REQUEST))), PERHAPS],
  'nothing but its id': [beside({ generation_id: 'gen-2' as GenerationId, status: 'queued' }), PERHAPS],
  'no model': [beside(without(OURS, 'model_name')), PERHAPS],
  'a model that nobody knows': [beside({ ...OURS, model_name: 'house/rf' }), PERHAPS],
  'a name that two models of ours have': [
    {
      rows: [
        { ...KNOWN, model_name: 'video' },
        { ...row('gen-0', 'V-T2V-A', { prompt: 'rain' }, SENT - 90_000), model_name: 'video' },
        { ...OURS, model_name: 'video' },
      ],
      witnesses: [
        EARLIER,
        { id: 'gen-0', model: 'V-T2V-A', request: { prompt: 'rain' }, at: SENT - 90_000, isEarlier: true },
      ],
    },
    PERHAPS,
  ],
  'a name that only another model of ours is known by': [
    {
      rows: [
        { ...row('gen-0', 'V-T2V-A', { ...REQUEST, prompt: 'rain' }, SENT - 90_000), model_name: 'video' },
        { ...OURS, model_name: 'video' },
      ],
      witnesses: [
        { id: 'gen-0', model: 'V-T2V-A', request: { ...REQUEST, prompt: 'rain' }, at: SENT - 90_000, isEarlier: true },
      ],
    },
    PERHAPS,
  ],
  'a prompt written anew, as that of ours was': [
    bothWith({ prompt: 'a rabbit, 8k' }, { prompt: 'winter, 8k' }),
    PERHAPS,
  ],
  'a prompt that goes on, where ours ended in a blank': [
    bothWith({ prompt: 'a hare sleeps ' }, { prompt: 'snow falls on the river, highly detailed' }),
    PERHAPS,
  ],
  'a prompt that goes on, where ours was given back': [
    beside({ ...OURS, prompt: 'snow falls on the river, highly detailed' }),
    PERHAPS,
  ],
  'a prompt that was cut, where ours was given back': [beside({ ...OURS, prompt: 'snow falls on' }), PERHAPS],
  'another prompt, where that of ours has a blank more': [
    bothWith({ prompt: 'a hare sleeps ' }, { prompt: 'winter, 8k' }),
    PERHAPS,
  ],
  'an address that was copied, as that of ours was': [
    bothWith({ input_video: 'https://copies.test/1' }, { input_video: 'https://copies.test/2' }),
    PERHAPS,
  ],
  'what held the key': [beside({ ...OURS, prompt: 'a film of (key)' }), PERHAPS],
  'another prompt, where what was sent held a secret': [
    { ...beside({ ...OURS, prompt: 'rain on a roof' }), lost: { ...LOST, masked: true } },
    PERHAPS,
  ],
  'two that may be it': [
    beside(without(OURS, 'prompt'), { ...without(OURS, 'prompt'), generation_id: 'gen-3' as GenerationId }),
    'the service lists 2 generations that may be it, without saying enough to be sure',
  ],
};

test.each(Object.entries(CASES))('%s', (_name, [given, expected]) => {
  expect(verdict(given)).toBe(expected);
});

describe('a list that may lag, or of a service that carries out late what a gateway cut off', () => {
  const FIVE_MINUTES = 300_000;
  const HOUR = 3_600_000;
  const INLOST: Submission = { ...LOST, lostAt: SENT + HOUR, isFromLostTime: true };
  const madeAfter = (ms: number): HistoryRow => row('gen-9', 'V-T2V-A', { prompt: 'rain on a roof' }, SENT + ms);
  const shown = (listed: HistoryRow, known = KNOWN): Given => ({
    ...{ rows: [known, listed], claimed: ['gen-9'], witnessAfter: FIVE_MINUTES },
  });
  const undated = shown(without(madeAfter(0), 'enqueued_at'), without(KNOWN, 'enqueued_at'));
  const later: Witness = { ...EARLIER, id: 'gen-9', at: SENT + FIVE_MINUTES, isEarlier: false };
  /** A service whose clock is an hour behind ours. */
  const behind = (listed: HistoryRow): HistoryRow => ({ ...listed, enqueued_at: (listed.enqueued_at ?? 0) - 3_600 });

  test.each<[string, Given, string]>([
    ['it shows nothing that was made after it', { witnessAfter: FIVE_MINUTES }, 'not yet'],
    ['it shows what was made four minutes after it', shown(madeAfter(240_000)), 'not yet'],
    ['it shows what was made five minutes after it', shown(madeAfter(FIVE_MINUTES)), 'absent'],
    ['the same, by a clock that is behind', shown(behind(madeAfter(FIVE_MINUTES)), behind(KNOWN)), 'absent'],
    [
      'four minutes, by a clock that is an hour ahead',
      shown(madeAfter(3_840_000), { ...KNOWN, enqueued_at: (KNOWN.enqueued_at ?? 0) + 3_600 }),
      'not yet',
    ],
    ['it shows no dates, and a later one of ours', { ...undated, witnesses: [EARLIER, later] }, 'absent'],
    ['it shows no dates, and one that is not known to be later', undated, 'not yet'],
    ['it is our own studio', { rows: [], witnesses: [], trusted: true, witnessAfter: FIVE_MINUTES }, 'absent'],
    ['it was sent in a lost time, and shows nothing later', { lost: INLOST, witnessAfter: FIVE_MINUTES }, 'not yet'],
    ['the same, five minutes after its beginning', { ...shown(madeAfter(FIVE_MINUTES)), lost: INLOST }, 'not yet'],
    ['five minutes after its end', { ...shown(madeAfter(HOUR + FIVE_MINUTES)), lost: INLOST }, 'absent'],
  ])('%s', (_, given, expected) => {
    expect(verdict(given)).toBe(expected);
  });
});

/** From 0 to 1, one after the other. */
function drawing(text: string): () => number {
  const random = new Random(text);
  return () => random.next();
}

/** Zero, false, no text, and what is the default anyway: some leave out the one, some the other, all in every row. */
const leavesOut: readonly ((value: Json, standard: Json | undefined) => boolean)[] = [
  () => false,
  value => value === 0 || value === false || value === '',
  (value, standard) => value === standard,
  (value, standard) => value === standard || value === 0 || value === false,
];
const DEFAULTS: JsonObject = { duration: 5, seed: 1, aspect_ratio: '9:16', watermark: false };

test('any history that is trusted, of a service that leaves out what says nothing which takes there are is never mistaken', () => {
  const verdicts = new Set<string>();
  for (let seed = 0; seed < 20_000; seed++) {
    const random = drawing(`takes ${seed}`);
    const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T;
    const omits = pick(leavesOut);
    const shown = (id: string, request: JsonObject) => {
      const fields = Object.entries(request).filter(([name, value]) => !omits(value, DEFAULTS[name]));
      return row(id, 'V-RF', Object.fromEntries(fields));
    };
    const request = (prompt: string): JsonObject => ({
      prompt,
      ...(random() < 0.7 && { seed: pick([0, 1, 2]) }),
      ...(random() < 0.5 && { duration: pick([5, 8]) }),
      ...(random() < 0.3 && { watermark: pick([true, false]) }),
    });
    const prompts = ['snow falls on the river', 'rain on a roof'];
    const lost: Submission = { ...LOST, request: request(prompts[0]!) };
    const rivals = Array.from({ length: Math.floor(random() * 3) }, (_, n) => ({
      ...LOST,
      nonce: `n-${n}`,
      request: request(pick(prompts)),
    })).filter(({ request: other }) => JSON.stringify(other) !== JSON.stringify(lost.request));
    const others = Array.from({ length: Math.floor(random() * 3) }, (_, n) => shown(`x-${n}`, request(pick(prompts))));
    const theirs = rivals.filter(() => random() < 0.7).map(one => shown(one.nonce, one.request));
    const said = verdict({
      rows: [...others, ...theirs, shown('gen-2', lost.request)],
      lost,
      rivals,
      witnesses: [],
      trusted: true,
    });
    verdicts.add(said.replace(/\S+$/, ''));
    expect([seed, said]).not.toEqual([seed, 'absent']);
    const found = /^found n-(\d)$/.exec(said);
    if (found) expect([seed, said]).toBe('what is another take of ours');
  }
  expect(verdicts.size).toBeGreaterThan(1);
});

describe('any history in which ours is, however it is shown', () => {
  /** How a service may show what it was sent; each does something of it to each row, or to all alike. */
  const rewritings: readonly ((field: string, value: Json, draw: number) => Json | undefined)[] = [
    (_field, value) => value,
    (_field, value) => (typeof value === 'number' ? `${value}s` : value),
    (_field, value) => (typeof value === 'number' ? String(value) : value),
    (_field, value) => (typeof value === 'string' ? `${value} ` : value),
    (field, value) => (field === 'prompt' ? String(value).toUpperCase() : value),
    (field, value) => (field === 'prompt' ? `${value}, highly detailed, cinematic light` : value),
    (field, value) => (field === 'prompt' ? `cinematic: ${value}` : value),
    (field, value, draw) => (field === 'input_video' ? `${String(value).split('?')[0]}?signature=${draw}` : value),
    () => undefined,
    () => null,
  ];
  const names = ['reframe-2', 'V-RF', 'V-RF-OLD-NAME', 'house/rf', 'video', undefined] as const;

  function history(seed: number): Given {
    const random = drawing(`history ${seed}`);
    const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T;
    const shown = (id: string, request: JsonObject, at: number): HistoryRow => {
      const fields = Object.entries(request).map(([name, value]) => [name, pick(rewritings)(name, value, random())]);
      const rewritten = Object.fromEntries(fields.filter(([, value]) => value !== undefined));
      const model_name = pick(names);
      const whole = row(id, 'V-RF', rewritten, at);
      return model_name === undefined ? without(whole, 'model_name') : { ...whole, model_name };
    };
    const request = (prompt: string): JsonObject => ({ ...REQUEST, prompt, duration: pick([5, 8, 10]) });
    const witnesses = Array.from({ length: Math.floor(random() * 4) }, (_, n) => ({
      ...EARLIER,
      id: `w-${n}`,
      request: request(`an earlier shot, number ${n}`),
      at: SENT - (n + 1) * 100_000,
    })).reverse();
    const others = Array.from({ length: Math.floor(random() * 3) }, (_, n) => shown(`x-${n}`, request('theirs'), SENT));
    const known = witnesses.map(({ id, request, at }) => shown(id, request, at));
    const rows = [...known, ...others, shown('gen-2', REQUEST, SENT)];
    return { rows: random() < 0.5 ? rows : rows.toReversed(), witnesses };
  }

  test('is never proof that it is not there', () => {
    const absent: number[] = [];
    const verdicts = new Set<string>();
    for (let seed = 0; seed < 20_000; seed++) {
      const given = history(seed);
      const said = verdict(given);
      verdicts.add(said.replace(/\d+ generations/, 'generations'));
      if (said === 'absent') absent.push(seed);
    }
    expect(absent).toEqual([]);
    expect(verdicts).toContain(FOUND);
    expect(verdicts).toContain(PERHAPS);
  });
});
