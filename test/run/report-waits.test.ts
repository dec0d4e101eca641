/** A run reports every wait after ten seconds, with its reason. */
import { expect, test } from 'vitest';
import type { Enqueued } from '../../src/api/service.ts';
import type { EventType, RecordedEvent } from '../../src/model/run/event.ts';
import { openJournal } from '../../src/records/journal/journal-file.ts';
import { DEFAULT_LIMITS } from '../../src/run/engine/limits.ts';
import type { Executor } from '../../src/run/ports/executor.ts';
import { Deployments } from './custom-service.ts';
import { LOST_ANSWER } from './fake-service.ts';
import { ONE_SHOT } from './pipelines.ts';
import { beside, ran, rig, withRig } from './rig.ts';

withRig();

const NEVER = new Promise<never>(() => {});
const film = (steps: string) => `steps:\n${steps}`;
const CHAT = film('  words: { model: C-D, with: { prompt: hello } }\n');
const LOOK = `models:
  look: { id: fox-look, activate: true }
steps:
  shot: { model: look, with: { prompt: a fox } }
`;
const CONTINUED = film(`  shot: { model: V-T2V-A, with: { prompt: a fox, duration: 5 } }
  more: { model: V-I2V-A, with: { prompt: on, input_image: "\${{ steps.shot.last_frame }}", duration: 5s } }
`);
const refused: Enqueued = { is: 'refused', status: 429, message: 'asked too often', retryAfter: 60_000 };

/** Each wait: how it is arranged, the event that begins it, and the event that reports it. */
const WAITS: readonly {
  readonly of: string;
  readonly film?: string;
  readonly arrange: () => void;
  readonly begins: EventType;
  readonly told: Partial<RecordedEvent>;
}[] = [
  {
    of: 'the answer to a POST that never comes',
    arrange: () => rig.service.trouble.push({ answer: 'never', take: true }),
    begins: 'submit_intended',
    told: { type: 'still_waiting', what: 'answer', reason: 'house has not answered the request yet' },
  },
  {
    of: 'a chat that says nothing',
    film: CHAT,
    arrange: () => rig.service.chatAnswers.push('never'),
    begins: 'submit_intended',
    told: { type: 'still_waiting', what: 'answer', reason: 'house has not answered the request yet' },
  },
  {
    of: 'a result whose address never answers',
    arrange: () => {
      rig.service.isQuick = true;
      rig.fetches.push('never');
    },
    begins: 'download_started',
    told: { type: 'still_waiting', what: 'result', reason: 'nothing has come yet from house.test' },
  },
  {
    of: 'a request whose answer was lost',
    arrange: () => {
      rig.settings = {
        proof: { settled: 90_000, settledBehindGateway: 90_000, apart: 30_000, witnessAfter: 0, trusted: false },
      };
      rig.service.trouble.push({ answer: LOST_ANSWER, take: false });
    },
    begins: 'submit_intended',
    told: { type: 'submit_unknown', reason: 'the connection was reset' },
  },
  {
    of: 'a refusal that is tried again',
    arrange: () => rig.service.trouble.push({ answer: refused, take: false }),
    begins: 'submit_intended',
    told: { type: 'pace_changed', slower: true },
  },
  {
    of: 'a service that is out of reach',
    arrange: () => {
      for (let n = 0; n < 20; n++)
        rig.service.trouble.push({ answer: { is: 'unreached', message: 'no route to house' }, take: false });
    },
    begins: 'submit_intended',
    told: { type: 'service_changed', reachable: false },
  },
  {
    of: 'a rate of the settings',
    film: film(
      '  shot: { matrix: { n: [1, 2] }, model: V-T2V-A, with: { prompt: "fox ${{ matrix.n }}", duration: 5 } }\n',
    ),
    arrange: () => {
      rig.service.isQuick = true;
      rig.settings = { rates: { per_minute: 1 } };
    },
    begins: 'submit_intended',
    told: { type: 'held_back', rate: 'per_minute' } as never,
  },
  {
    of: 'a person',
    film: film(
      '  shot: { model: V-T2V-A, takes: 2, with: { prompt: a fox, duration: 5 } }\n  best: { pick: "${{ steps.shot }}" }\n',
    ),
    arrange: () => {
      rig.service.isQuick = true;
      rig.decider = { choose: async () => undefined, decide: () => NEVER } as never;
    },
    begins: 'succeeded',
    told: { type: 'waiting_for' },
  },
  {
    of: 'a frame that takes long to be taken out of a video',
    film: CONTINUED,
    arrange: () => {
      rig.service.isQuick = true;
      rig.take = () => NEVER;
    },
    begins: 'succeeded',
    told: { type: 'still_waiting', key: 'more' as never, what: 'frames', reason: 'last_frame of shot is being taken' },
  },
  {
    of: 'a deployment that comes up for minutes',
    film: LOOK,
    arrange: () => void new Deployments(rig, { 'fox-look': 'inactive' }),
    begins: 'activation_intended',
    told: { type: 'deployment_changed', status: 'deploying' },
  },
  {
    of: 'a deployment of which the service says nothing',
    film: LOOK,
    arrange: () => Object.assign(rig.service, { model: () => NEVER }),
    begins: 'run_started',
    told: { type: 'still_waiting', what: 'deployment', reason: 'house has not answered how fox-look is' },
  },
  {
    of: 'a deployment whose activation is not answered',
    film: LOOK,
    arrange: () => new Deployments(rig, { 'fox-look': 'inactive' }).trouble.push({ answer: 'never', take: true }),
    begins: 'activation_intended',
    told: { type: 'still_waiting', what: 'deployment', reason: 'fox-look is inactive' },
  },
  {
    of: 'the end of a deployment that is not answered',
    film: LOOK,
    arrange: () => {
      rig.service.isQuick = true;
      const models = new Deployments(rig, { 'fox-look': 'inactive' });
      models.becomes = 'active';
      Object.assign(rig.service, { deactivate: () => NEVER });
    },
    begins: 'generated',
    told: { type: 'still_waiting', what: 'deployment', reason: 'fox-look is not ended yet' },
  },
  {
    of: 'an equal request of the same run',
    film: film(
      '  shot: { model: V-T2V-A, with: { prompt: a fox, duration: 5 } }\n  same: { model: V-T2V-A, with: { prompt: a fox, duration: 5 } }\n',
    ),
    arrange: () => {},
    begins: 'submit_accepted',
    told: { type: 'still_waiting', key: 'same' as never, what: 'admission', reason: 'another instance makes the same' },
  },
  {
    of: 'an equal command of the same run',
    film: film(['one', 'two'].map(step => `  ${step}: { run: 'until test -e go; do sleep 0.01; done' }\n`).join('')),
    arrange: () => {},
    begins: 'command_started',
    told: { type: 'still_waiting', key: 'two' as never, what: 'admission', reason: 'another instance makes the same' },
  },
  {
    of: 'a command that no worker of a team begins',
    film: film('  one: { run: [echo, done] }\n'),
    arrange: () => {
      rig.executor = { most: { commands: 9, cuts: 9 }, runCommand: () => NEVER } as unknown as Executor;
    },
    begins: 'run_started',
    told: { type: 'still_waiting', key: 'one' as never, what: 'admission', reason: 'no worker has begun it yet' },
  },
  {
    of: 'an input of a command whose address never answers',
    film: film('  one: { run: [cat], files: { clip: "https://clips.test/a.mp4" } }\n'),
    arrange: () => rig.fetches.push('never'),
    begins: 'run_started',
    told: { type: 'still_waiting', key: 'one' as never, what: 'input', reason: 'nothing has come yet from clips.test' },
  },
  {
    of: 'a download that waits for its turn',
    film: film(
      ['one', 'two'].map(it => `  ${it}: { run: [cat], files: { clip: "https://clips.test/${it}.mp4" } }\n`).join(''),
    ),
    arrange: () => {
      rig.settings = { limits: { ...DEFAULT_LIMITS, downloads: 1 } };
      rig.fetches.push('never');
    },
    begins: 'run_started',
    told: { type: 'still_waiting', what: 'input', reason: 'downloads are limited to 1 at once' },
  },
  {
    of: 'a budget that another request of this run may leave room in',
    film: film(
      '  shot: { matrix: { n: [1, 2] }, model: V-T2V-A, with: { prompt: "fox ${{ matrix.n }}", duration: 5 } }\n',
    ),
    arrange: () => {
      rig.pricing = new Map([['V-T2V-A', { method: 'per_video_output_second', cost_per_second: 0.1 }]]);
      rig.budgets = { maxUsd: 0.75 };
    },
    begins: 'submit_intended',
    told: {
      ...{ type: 'still_waiting', what: 'admission' },
      reason: 'it fits into the budget only if what is under way costs less than reserved',
    },
  },
  {
    of: 'a journal that does not answer whether a request may be sent',
    arrange: () => {
      rig.journalOf = async (film, clock) => {
        const journal = openJournal({ folder: rig.folder, film, clock, to: 'run', later: setImmediate });
        return Object.assign(journal, { decide: () => NEVER });
      };
    },
    begins: 'run_started',
    told: {
      ...{ type: 'still_waiting', what: 'admission' },
      reason: 'the journal has not answered whether it may be sent',
    },
  },
  {
    of: 'the real cost, which the service does not say',
    arrange: () => {
      rig.service.isQuick = true;
      rig.service.history = () => NEVER;
    },
    begins: 'succeeded',
    told: { type: 'still_waiting', what: 'cost', reason: 'house has not answered what it really cost' },
  },
];

test.each(WAITS)('$of', async ({ film: text = ONE_SHOT, arrange, begins, told }) => {
  arrange();
  const started = await rig.start(text);
  const began = await rig.runUntil(started, begins);
  // What is journalled first is journalled by a real disk.
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
  for (let second = 0; second < 10; second++) await rig.clock.advance(1_000);
  const found = started.events.find(
    event => event.seq > began.seq && Object.entries(told).every(([name, value]) => event[name as never] === value),
  );
  expect(found, JSON.stringify(started.events.map(({ type }) => type))).toBeDefined();
  expect((found?.at ?? 0) - began.at).toBeLessThanOrEqual(10_000);
});

test('a result that this machine has not: the service is asked for it, and does not answer', async () => {
  rig.service.isQuick = true;
  await ran(ONE_SHOT);
  await rig.cloneAfresh();
  rig.service.generation = () => NEVER;
  const started = await rig.start(ONE_SHOT);
  for (let second = 0; second < 11; second++) await rig.clock.advance(1_000);
  expect(started.events.find(({ type }) => type === 'still_waiting')).toMatchObject({
    ...{ key: 'shot', what: 'record', reason: 'house has not answered whether it still has the result' },
  });
});

test('a result that a team has: its store is asked for it, and does not answer', async () => {
  rig.service.isQuick = true;
  const made = (await ran(ONE_SHOT)).outcome.results.get('shot' as never)?.result;
  if (made?.is !== 'media') throw new Error('the shot was not made');
  await rig.cloneAfresh();
  rig.teamStore = new Map([[made.sha256, NEVER]]);
  const started = await rig.start(ONE_SHOT);
  for (let second = 0; second < 11; second++) await rig.clock.advance(1_000);
  expect(started.events.find(({ type }) => type === 'still_waiting')).toMatchObject({
    ...{ key: 'shot', what: 'result', reason: 'the team has not given it yet' },
  });
});

const HARES = film(`  one: { model: V-T2V-A, with: { prompt: a hare, duration: 5 } }
  words: { run: [echo, a hare that waits] }
  two: { model: V-T2V-A, with: { prompt: "\${{ steps.words.stdout }}", duration: 5 } }
`);
test.each([
  [1, ONE_SHOT, ['owl waits for the same request']],
  [1, ONE_SHOT.replace('fox', 'hare'), ['requests before it hold all places at the service']],
  // The second one waits behind the first, and does not ask the journal.
  [
    2,
    HARES,
    ['requests before it hold all places at the service', 'requests before it hold all places at the service'],
  ],
])('another film of the project at the service: %#', async (in_flight, text, reasons) => {
  rig.settings = { limits: { ...DEFAULT_LIMITS, in_flight } };
  const other = beside({ film: 'owl', settings: rig.settings });
  const fox = await other.start(in_flight === 1 ? ONE_SHOT : HARES.replaceAll('hare', 'fox'));
  await rig.runUntil(fox, 'submit_accepted');
  while (rig.service.posts.length < in_flight) await rig.clock.advance(100);
  const started = await rig.start(text);
  await started.happened(text === HARES ? 'succeeded' : 'run_started');
  for (let second = 0; second < 12; second++) await rig.clock.advance(1_000);
  const waits = started.events.filter(({ type }) => type === 'still_waiting');
  expect(waits).toMatchObject(reasons.map(reason => ({ what: 'admission', reason })));
});
