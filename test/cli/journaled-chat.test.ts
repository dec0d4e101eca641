/** A chat as runs of one step: what is on the disk before a question leaves, and what becomes of answers that never came. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, test } from 'vitest';
import type { ChatMessage, ChatRequest } from '../../src/api/chat-completions.ts';
import { modelLibrary } from '../../src/api/model-library.ts';
import type { ChatAnswer, Service } from '../../src/api/service.ts';
import { journaledChat, withoutEarlierTurns } from '../../src/cli/chat/journaled-chat.ts';
import { undeliveredResult, type Workspace } from '../../src/cli/generate/workspace.ts';
import type { ServiceChoice } from '../../src/cli/service/choose-service.ts';
import { CommandRunner } from '../../src/machine/process/command-runner.ts';
import { Redactor } from '../../src/machine/redactor.ts';
import { systemClock } from '../../src/machine/time/clock.ts';
import type { InstanceKey } from '../../src/model/run/key.ts';
import { openJournal } from '../../src/records/journal/journal-file.ts';
import { LocalStore } from '../../src/records/store/local-store.ts';
import { DEFAULT_LIMITS } from '../../src/run/engine/limits.ts';
import { STUDIO_PROOF } from '../../src/run/requests/proof-of-absence.ts';
import { temporaryFolder } from '../support/temp.ts';

const USAGE = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
const answered = (text: string): ChatAnswer => ({ is: 'answered', text, finish_reason: 'stop', usage: USAGE });
const LOST: ChatAnswer = { is: 'unknown', message: 'hub: answered 504', gateway: true };
const KEY = 'chat' as string as InstanceKey;
const never = new AbortController().signal;

const workspaces: Workspace[] = [];
afterEach(async () => {
  for (const workspace of workspaces.splice(0)) await workspace[Symbol.asyncDispose]();
});

const CHOICE: ServiceChoice = {
  ...{ name: 'hub', hosted: true, elsewhere: {}, baseUrl: 'https://hub.example', limits: DEFAULT_LIMITS },
  ...{ onUnknown: 'fail', proof: STUDIO_PROOF, onInterrupt: 'detach', pace: { slow: 1, least: 1 }, ui: undefined },
  connect: () => Promise.reject(new Error('nobody connects')),
};

/** A service that only chats, over a journal in `folder`. */
async function hub(folder: string, chat: Service['chat'], more: Partial<Parameters<typeof journaledChat>[0]> = {}) {
  const journal = openJournal({ folder, film: 'chat', clock: systemClock, to: 'run' });
  const commands = new CommandRunner({ environment: {} });
  const workspace: Workspace = {
    choice: CHOICE,
    service: { name: 'hub', account: 'hub', modelId: (label: string) => label, chat } as Partial<Service> as Service,
    ...{ journal, commands, secrets: new Redactor([]), failpoint: () => {}, isRunning: () => false },
    isUnmarked: false,
    store: await LocalStore.open(join(folder, 'store')),
    ...{ root: folder, work: join(folder, 'runs', 'chat') },
    [Symbol.asyncDispose]: async () => {
      await commands.close();
      await journal.close();
    },
  };
  workspaces.push(workspace);
  const chatModel = { name: 'C-D', model: modelLibrary.get('C-D')!, pricing: undefined, choice: CHOICE };
  const service = journaledChat({ chatModel, workspace, onUnknown: 'fail', again: 'shotlist chat C-D hello', ...more });
  return { workspace, journal, ask: service.chat };
}

const question = (...said: readonly string[]): ChatRequest => ({
  model: 'C-D',
  stream: true,
  messages: said.map(
    (content, index): ChatMessage => ({ role: index % 2 === 0 ? 'user' : 'assistant', content }) as ChatMessage,
  ),
});

/** What another process would read at this moment. */
function onDisk(folder: string): readonly string[] {
  using database = new DatabaseSync(join(folder, 'journal.db'), { readOnly: true });
  return database
    .prepare("SELECT type FROM event WHERE type <> 'run_started' ORDER BY id")
    .all()
    .map(({ type }) => String(type));
}

test('a question is on the disk before it is sent, its answer when it is told, and the text comes as it is written', async () => {
  const folder = await temporaryFolder();
  const asked: ChatRequest[] = [];
  const nonces: unknown[] = [];
  let before: readonly string[] = [];
  const { ask, journal } = await hub(folder, async (request, _signal, written, nonce) => {
    before = onDisk(folder);
    asked.push(request);
    nonces.push(nonce);
    written?.('A ');
    written?.('fox.');
    return answered('A fox.');
  });
  const pieces: string[] = [];
  expect(await ask(question('${{ who }}?'), never, text => void pieces.push(text))).toEqual(answered('A fox.'));
  expect(before).toEqual(['submit_intended']);
  expect(onDisk(folder).slice(0, 2)).toEqual(['submit_intended', 'succeeded']);
  expect(pieces).toEqual(['A ', 'fox.']);
  expect(asked).toEqual([question('${{ who }}?')]);
  expect(nonces).toEqual([expect.stringMatching(/^[\da-f-]{36}$/)]);
  expect(undeliveredResult(journal, KEY)).toMatchObject({ is: 'text', text: 'A fox.' });
});

describe('an answer that never came', () => {
  test('is asked for once and told as it is; the person may ask the same again', async () => {
    const folder = await temporaryFolder();
    const answers = [LOST, answered('Yes.')];
    let posts = 0;
    const { ask, journal } = await hub(folder, async () => answers[posts++] ?? LOST);
    expect(await ask(question('one'), never)).toEqual(LOST);
    expect(posts).toBe(1);
    expect(journal.views.ledger.open).toMatchObject([{ state: 'unknown', via: 'chat' }]);
    expect(await ask(question('one'), never)).toEqual(answered('Yes.'));
    expect(posts).toBe(2);
  });

  test('of an earlier process it is not asked for again, unless that was asked for; and then once', async () => {
    const folder = await temporaryFolder();
    const first = await hub(folder, async () => LOST);
    await first.ask(question('one'), never);
    await workspaces.pop()?.[Symbol.asyncDispose]();
    let posts = 0;
    const lostAgain = async () => {
      posts += 1;
      return LOST;
    };
    const second = await hub(folder, lostAgain);
    await expect(second.ask(question('one'), never)).rejects.toThrow(
      /^this was asked before, and its answer never came: .* may have been taken and paid for\. .*\n {2}`shotlist chat C-D hello --on-unknown resubmit` asks it again\n {2}more: `shotlist explain lost-answer`$/,
    );
    expect(posts).toBe(0);
    await workspaces.pop()?.[Symbol.asyncDispose]();
    const third = await hub(folder, lostAgain, { onUnknown: 'resubmit' });
    expect(await third.ask(question('one'), never)).toEqual(LOST);
    expect(posts).toBe(1);
  });

  test('one that the person stopped is given up: it is waited for no more', async () => {
    const folder = await temporaryFolder();
    const stop = new AbortController();
    const { ask, journal } = await hub(folder, async (_request, signal) => {
      stop.abort();
      expect(signal.aborted).toBe(true);
      return { is: 'unknown', message: 'hub: stopped' };
    });
    expect(await ask(question('one'), stop.signal)).toEqual({ is: 'unknown', message: 'hub: stopped' });
    expect(journal.views.ledger.open).toEqual([]);
    expect(onDisk(folder)).toContain('submission_forgotten');
  });
});

test('what is refused or not reached ends the turn at once, and leaves nothing open', async () => {
  const folder = await temporaryFolder();
  const answers: ChatAnswer[] = [
    { is: 'refused', status: 429, message: 'too many requests', retryAfter: 60_000 },
    { is: 'unreached', message: 'hub: nothing answers there' },
    { is: 'refused', status: 401, message: 'no key' },
  ];
  let posts = 0;
  const { ask, journal } = await hub(folder, async () => answers[posts++] ?? LOST);
  for (const answer of answers) expect(await ask(question('one'), never)).toEqual(answer);
  expect(posts).toBe(3);
  expect(journal.views.ledger.open).toEqual([]);
});

test('a hundred turns take the room of a hundred turns, not of their square', async () => {
  const folder = await temporaryFolder();
  const { ask, journal } = await hub(folder, async () => answered('y'.repeat(1_000)));
  journal.hiding(withoutEarlierTurns);
  const said: string[] = [];
  const sizeAfter = async (turns: number) => {
    while (said.length < 2 * turns) {
      said.push(`${said.length} ${'x'.repeat(1_000)}`);
      const answer = await ask(question(...said), never);
      said.push(answer.is === 'answered' ? answer.text : '');
    }
    using database = new DatabaseSync(join(folder, 'journal.db'), { readOnly: true });
    const [{ bytes } = {}] = database
      .prepare(
        'SELECT (SELECT sum(length(body) + coalesce(length(asked), 0)) FROM event) + (SELECT sum(length(body)) FROM submission) AS bytes',
      )
      .all();
    return Number(bytes);
  };
  const [half, whole] = [await sizeAfter(50), await sizeAfter(100)];
  expect(whole / half).toBeCloseTo(2, 1);
  expect(whole / 100).toBeLessThan(10_000);
  expect(statSync(join(folder, 'journal.db')).isFile()).toBe(true);
});
