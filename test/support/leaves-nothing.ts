/**
 * A setup file for tests that share one thread's modules and globals: a test file that leaves something behind there fails, with what it
 * is. Otherwise the file after it would fail, on another day, for no reason of its own.
 *
 * What a test file or its hooks can change by themselves is compared with what was there before the file was imported. Names of globals,
 * listeners and resources are compared with what was there after the imports, because libraries add some when they are first loaded.
 */
import { createHook } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { isMainThread, type Worker } from 'node:worker_threads';
import { afterAll, beforeAll, expect } from 'vitest';

/** Milliseconds. What ends by itself within this is not left behind. */
const SETTLE = 1_000;
/** Turns of the event loop in which something that was asked for last may begin. */
const TURNS = 3;

/** The channel on which Node tells of each new thread. */
const STARTED = 'worker_threads';

/** Resources that Node counts where they keep the thread alive. */
const RESOURCES: ReadonlyMap<string, string> = new Map([
  ['TCPServerWrap', 'a server'],
  ['ProcessWrap', 'a child process'],
  ['FSEventWrap', 'a watched folder'],
]);

/** Functions and classes that tests replace: how they are called in a message, whose they are, their names. */
const REPLACED: readonly (readonly [prefix: string, owner: object, names: readonly string[]])[] = [
  [
    '',
    globalThis,
    ['fetch', 'Date', 'Response', 'URL', 'WebSocket', 'EventSource', 'structuredClone', 'queueMicrotask'],
  ],
  ['', globalThis, ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'clearImmediate']],
  ['Date.', Date, ['now']],
  ['Math.', Math, ['random']],
  ['performance.', performance, ['now']],
  ['crypto.', crypto, ['randomUUID', 'getRandomValues']],
  ['AbortSignal.', AbortSignal, ['timeout', 'any']],
  ['console.', console, ['log', 'info', 'warn', 'error', 'debug']],
  // Not `cwd` and `chdir`: a library of the browser's driver replaces them when it is first loaded. Their value is compared.
  ['process.', process, ['exit', 'kill', 'nextTick', 'hrtime', 'emitWarning', 'platform']],
  ['process.stdout.', process.stdout, ['write', 'isTTY', 'columns', 'rows']],
  ['process.stderr.', process.stderr, ['write', 'isTTY', 'columns', 'rows']],
  ['process.', process, ['stdin', 'stdout', 'stderr', 'argv', 'env']],
  ['Error.', Error, ['stackTraceLimit', 'prepareStackTrace']],
];

/**
 * Timers that were set since the file was imported and have not ended. Node counts timers as well, but without telling those of the test
 * runner from others.
 */
const timers = new Map<number, { readonly timer: NodeJS.Timeout; readonly set: Error }>();
const hook = createHook({
  init: (id, type, _, resource) => {
    if (type === 'Timeout') timers.set(id, { timer: resource as NodeJS.Timeout, set: new Error() });
  },
  destroy: id => void timers.delete(id),
  // They are many, and no timers.
  trackPromises: false,
}).enable();

const before = { values: valuesNow(), env: environmentNow() };
let atFirstTest: Shared;

beforeAll(() => {
  atFirstTest = sharedNow();
});

afterAll(async () => {
  await settled();
  hook.disable();
  unsubscribe(STARTED, heard);
  const left = [
    ...changed(before.values, valuesNow()).map(name => `${name} is changed`),
    ...changed(before.env, environmentNow()).map(name => `process.env.${name} is changed`),
    ...leftOf(sharedNow()),
    ...timersLeft(),
    ...[...threads].map(() => 'a worker thread'),
  ];
  timers.clear();
  if (left.length === 0) return;
  const error = new Error(`${expect.getState().testPath ?? 'a test file'} leaves behind: ${left.join('; ')}`);
  // The place of this hook tells nothing.
  error.stack = error.message;
  throw error;
});

interface Shared {
  readonly globals: ReadonlySet<string>;
  /** Each by its event. */
  readonly listeners: ReadonlyMap<string, readonly unknown[]>;
  /** How many there are of each kind. */
  readonly resources: ReadonlyMap<string, number>;
}

function sharedNow(): Shared {
  const resources = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo()) resources.set(kind, (resources.get(kind) ?? 0) + 1);
  return {
    globals: new Set(Object.getOwnPropertyNames(globalThis)),
    listeners: new Map(heardEvents().map(event => [event, process.rawListeners(event)])),
    resources,
  };
}

/** Without signals in a thread, which gets none: Ink listens to them there all the same. */
const heardEvents = (): readonly string[] =>
  process
    .eventNames()
    .map(String)
    .filter(event => isMainThread || !event.startsWith('SIG'));

function leftOf(now: Shared): readonly string[] {
  const { globals, listeners } = atFirstTest;
  return [
    ...[...now.globals].filter(name => !globals.has(name)).map(name => `globalThis.${name} is new`),
    ...[...globals].filter(name => !now.globals.has(name)).map(name => `globalThis.${name} is gone`),
    ...[...now.listeners]
      .filter(([event, all]) => all.some(one => !listeners.get(event)?.includes(one)))
      .map(([event]) => `a listener of process for ${event}`),
    ...[...listeners]
      .filter(([event, all]) => all.some(one => !now.listeners.get(event)?.includes(one)))
      .map(([event]) => `a listener of process for ${event} is gone`),
    ...resourcesLeft(now),
  ];
}

const resourcesLeft = (now: Shared): readonly string[] =>
  [...RESOURCES].flatMap(([kind, name]) => {
    const more = (now.resources.get(kind) ?? 0) - (atFirstTest.resources.get(kind) ?? 0);
    return more > 0 ? [`${name}${more > 1 ? ` (${more} of them)` : ''}`] : [];
  });

/** Those that keep the thread alive, of which none is the test runner's, with the place where each was set. */
function timersLeft(): readonly string[] {
  return [...timers.values()].flatMap(({ timer, set }) => {
    if (!timer.hasRef()) return [];
    const frames = (set.stack ?? '')
      .split('\n')
      .filter(frame => /^\s+at /.test(frame) && !/\(node:|at node:/.test(frame));
    const [by = '', ...others] = frames.filter(frame => !frame.includes('leaves-nothing'));
    if (/node_modules\/(@?vitest|tinypool)\//.test(by)) return [];
    const own = [by, ...others].find(frame => !frame.includes('/node_modules/')) ?? by;
    return [`a timer that was set ${own.trim()}`];
  });
}

/** Threads that were started since the file was imported, still run and keep the process alive; Node does not count them. */
const threads = new Set<Worker>();
const heard = (message: unknown): void => {
  const { worker } = message as { readonly worker: Worker };
  threads.add(worker);
  worker.once('exit', () => threads.delete(worker));
  const { ref, unref } = worker;
  worker.ref = () => {
    threads.add(worker);
    ref.call(worker);
  };
  worker.unref = () => {
    threads.delete(worker);
    unref.call(worker);
  };
};
subscribe(STARTED, heard);

/** Waits for what is beginning, such as a server that listens with the next turn, and for what is ending. */
async function settled(): Promise<void> {
  const latest = performance.now() + SETTLE;
  for (let turn = 0; turn < TURNS; turn++) await new Promise(setImmediate);
  const isEnding = () => timersLeft().length > 0 || threads.size > 0 || resourcesLeft(sharedNow()).length > 0;
  while (isEnding() && performance.now() < latest) await new Promise(setImmediate);
}

/** Values that tests replace, and settings of the process. */
function valuesNow(): ReadonlyMap<string, unknown> {
  const values = new Map<string, unknown>([
    ['process.cwd()', process.cwd()],
    ['process.exitCode', process.exitCode],
    // In a thread it cannot be changed, and to read it would change it for a moment, for all threads.
    ...(isMainThread ? ([['process.umask()', process.umask()]] as const) : []),
  ]);
  for (const [prefix, owner, names] of REPLACED)
    for (const name of names) values.set(`${prefix}${name}`, Reflect.get(owner, name));
  return values;
}

/** Without what the library of pictures sets when it is first loaded. */
function environmentNow(): ReadonlyMap<string, unknown> {
  const { VIPSHOME: _, ...others } = process.env;
  return new Map(Object.entries(others));
}

/** Names of what has another value than before. */
function changed(before: ReadonlyMap<string, unknown>, now: ReadonlyMap<string, unknown>): readonly string[] {
  return [...new Set([...before.keys(), ...now.keys()])].filter(name => before.get(name) !== now.get(name));
}
