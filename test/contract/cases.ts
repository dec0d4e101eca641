/** Every case there is, by the file that tells it, in the one shape that any service is tried with. */
import { CATALOG_CASES } from './catalog.cases.ts';
import { CHAT_CASES } from './chat.cases.ts';
import { DOOR_CASES } from './door.cases.ts';
import { IDEMPOTENCY_CASES } from './idempotency.cases.ts';
import { LIMIT_CASES } from './limits.cases.ts';
import { OBSERVED_CASES } from './observed.cases.ts';
import { CASES as QUEUE_CASES } from './queue.cases.ts';
import type { Cases, OpenCases } from './service-fixture.ts';
import { SYNC_CASES } from './sync.cases.ts';
import { TUNING_CASES } from './tuning.cases.ts';
import { WIRE_CASES } from './wire.cases.ts';

/** Stories that are given their service open. */
const opened = (stories: OpenCases): Cases =>
  Object.fromEntries(Object.entries(stories).map(([name, story]) => [name, async open => story(await open())]));

export const SUITES = {
  queue: opened(QUEUE_CASES),
  sync: opened(SYNC_CASES),
  catalog: opened(CATALOG_CASES),
  tuning: opened(TUNING_CASES),
  chat: opened(CHAT_CASES),
  limits: LIMIT_CASES,
  observed: OBSERVED_CASES,
  idempotency: IDEMPOTENCY_CASES,
  wire: WIRE_CASES,
  door: DOOR_CASES,
} as const satisfies Readonly<Record<string, Cases>>;

const OFFERED = 'it offers one';
/** Cases that a service cannot do, and why not. */
export const UNABLE: Readonly<Record<'plain' | 'strict' | 'hosted', Readonly<Record<string, string>>>> = {
  plain: {
    'a history that is not offered is absent, which is not the same as empty': OFFERED,
    'a cancel that is not offered is absent, and changes nothing': OFFERED,
  },
  strict: {
    'the history lists what was taken with the fields of its request': 'the document promises no history',
    'a cancelled generation ends as cancelled': 'the document promises no cancel',
    'whoever waits for media is told when it is called off': 'the document promises no cancel',
  },
  hosted: {
    'a history that is not offered is absent, which is not the same as empty': OFFERED,
    'a cancel that is not offered is absent, and changes nothing': OFFERED,
    'what a model does not take is refused with every reason, and nothing is begun': 'its words are its own',
    'a model of another endpoint is refused with the one that makes it': 'its words are its own',
    'what a model does not take is refused with every reason': 'its words are its own',
    'no messages at all, and more than the context holds, are refused': 'its words are its own',
    'a model that makes media is refused here, and a chat model on the queue': 'its words are its own',
  },
};
