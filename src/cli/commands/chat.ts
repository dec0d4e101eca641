/** `shotlist chat MODEL`: a conversation in the terminal, or one answer to a prompt that is given or piped in. */
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import type { CatalogModel } from '../../api/catalog.ts';
import { modelLibrary } from '../../api/model-library.ts';
import { validateRequest } from '../../api/validate-request.ts';
import { asTyped } from '../../domain/as-typed.ts';
import { wrapWords } from '../../domain/cells.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { InstanceKey } from '../../domain/key.ts';
import type { Model } from '../../domain/model.ts';
import { nearest } from '../../domain/nearest.ts';
import { oneOf, parse, UsageError } from '../arguments.ts';
import {
  ask,
  converse,
  opening,
  type Person,
  requestFor,
  spentLine,
  type Talk,
  type Turned,
  unusual,
  whyNot,
} from '../chat/conversation.ts';
import { askingWith, ownWords, questionStep, type Speaker } from '../chat/journaled-chat.ts';
import { Stop } from '../errors/command-error.ts';
import { guarded } from '../errors/exit-code.ts';
import { requestOf } from '../generate/field-values.ts';
import type { OneStep } from '../generate/single-step.ts';
import { giveUp, given as handedOver, notGiven, type OneFilm, openOneFilm } from '../generate/workspace.ts';
import { modelOf } from '../models/model-from-catalog.ts';
import { print, printAsItCame } from '../outlets.ts';
import { answered, INTERRUPTED, type OneOff, oneOff, say } from '../service/with-service.ts';
import { safeJson, shown } from '../terminal/indented-json.ts';
import { wordWrap } from '../terminal/word-wrap.ts';

export const main = guarded(async args => {
  const { values, positionals } = parse(args, {
    service: { type: 'string' },
    system: { type: 'string' },
    'on-unknown': { type: 'string' },
    json: { type: 'boolean', default: false },
  });
  const [name, ...words] = positionals;
  if (name === undefined) throw new UsageError('which model? shotlist chat MODEL [PROMPT] [field=value …]');
  const fields = words.filter(isField);
  const prompt = words
    .filter(word => !isField(word))
    .join(' ')
    .trim();
  const piped = prompt === '' && !process.stdin.isTTY ? (await text(process.stdin)).trim() : '';
  const question = prompt || piped;
  if (question === '' && !process.stdin.isTTY) throw new UsageError('nothing was asked: give a prompt, or pipe one in');
  if (question === '' && values.json) throw new UsageError('--json is for one answer: give a prompt, or pipe one in');
  const { 'on-unknown': unknown } = values;
  const onUnknown = unknown === undefined ? undefined : oneOf(unknown, ['fail', 'resubmit'], 'on-unknown');
  const again = ['shotlist', 'chat', ...args].map(asTyped).join(' ');
  return oneOff(values, async given => {
    const { model, found } = await findModel(name, given);
    const about: About = {
      name,
      model,
      pricing: found?.pricing,
      bills: given.choice.hosted,
      fields: { ...onceWhole(question, given), ...requestOf(model, fields) },
      system: values.system,
      write: values.json ? () => {} : writer(),
      tell: line => say(wrapWords(shown(line), columnsOf(process.stderr)).join('\n')),
    };
    checked(about, question);
    const speaker = { name, model, pricing: found?.pricing, choice: given.choice };
    if (question === '') return conversation(about, speaker, given, again);
    return onceOnly(about, speaker, question, given, {
      ...{ json: values.json, again },
      onUnknown: onUnknown ?? given.choice.onUnknown,
    });
  });
});

/** A talk before it is known what it goes through. */
type About = Omit<Talk, 'service'>;

/** At a terminal safe and broken between words; for another program the text as it came. */
function writer(): (piece: string) => void {
  const { stdout } = process;
  if (!stdout.isTTY) return printAsItCame;
  const wrap = wordWrap(() => columnsOf(stdout));
  return piece => print(wrap(shown(piece)));
}

const columnsOf = (stream: { readonly columns?: number }): number => stream.columns ?? Number.POSITIVE_INFINITY;

/** `temperature=0.2`; a prompt that begins so can be piped in. */
const isField = (word: string): boolean => /^[A-Za-z_]\w*=/.test(word);

/**
 * One answer that nobody watches comes whole, and so tells what it used. The studio tells it at the end of a stream, too, when it is
 * asked; of another service the document does not say that it knows the question.
 */
function onceWhole(question: string, { choice }: OneOff): JsonObject {
  if (question !== '' && !process.stdout.isTTY) return { stream: false };
  return choice.hosted ? {} : { stream_options: { include_usage: true } };
}

async function findModel(
  name: string,
  { service, signal }: OneOff,
): Promise<{ readonly model: Model; readonly found: CatalogModel | undefined }> {
  const answer = await service.model(name, signal);
  const known = modelLibrary.get(name);
  // The catalog tells the price; a model of the document can be talked to without one.
  const found = answer.is === 'ok' ? answer.value : undefined;
  const model = known ?? (found && modelOf(found));
  if (model?.produces === 'text') return { model, found };
  if (model) throw new UsageError(`${name} makes ${model.produces}: shotlist generate ${name} field=value …`);
  if (answer.is !== 'absent') answered(answer, signal);
  const near = nearest(
    name,
    modelLibrary.labels.filter(label => modelLibrary.get(label)?.produces === 'text'),
  );
  const instead = near ? `did you mean \`${near}\`?` : '`shotlist models` lists what it has';
  throw new UsageError(`${service.name} has no chat model \`${name}\`; ${instead}`);
}

/** @throws UsageError with everything that is wrong with the fields. */
function checked(talk: About, question: string): void {
  const messages = [...opening(talk), { role: 'user', content: question }];
  const reasons = validateRequest(talk.model, { ...talk.fields, messages });
  if (reasons.length > 0) throw nothingSent(reasons);
}

const nothingSent = (reasons: readonly { readonly message: string }[]): UsageError =>
  new UsageError(`nothing was sent:\n${reasons.map(({ message }) => `  ${message}`).join('\n')}`);

interface Once {
  readonly json: boolean;
  readonly onUnknown: 'fail' | 'resubmit';
  readonly again: string;
}

async function onceOnly(about: About, speaker: Speaker, question: string, given: OneOff, once: Once): Promise<number> {
  const { signal } = given;
  const messages = [...opening(about), { role: 'user', content: question } as const];
  const step = questionStep(speaker, requestFor(about, messages));
  if (!step.plan) throw nothingSent(step.diagnostics);
  await using film = await openOneFilm(given, step.film, step.key);
  const talk: Talk = { ...about, service: askingWith({ ...once, speaker, film }) };
  const answer = keptAnswer(talk, film, step) ?? (await ask(talk, messages, signal));
  if (answer.is === 'not') {
    const { outcome } = answer;
    const isKey = outcome.is === 'refused' && (outcome.status === 401 || outcome.status === 403);
    const exit = signal.aborted ? INTERRUPTED : isKey || outcome.is === 'unreached' ? 6 : 1;
    throw new Stop(exit, shown(whyNot(outcome)));
  }
  const { is: _, ...said } = answer;
  if (once.json) print(`${safeJson({ model: talk.name, ...said })}\n`);
  const end = unusual(answer.finish_reason);
  if (end !== undefined) talk.tell(end);
  talk.tell(spentLine(talk, answer));
  await handedOver(film.journal, step.key);
  return 0;
}

/** What an earlier one of the very same command was answered, when it ended before it could say so. */
function keptAnswer(talk: Talk, { journal }: OneFilm, { key }: OneStep): Turned | undefined {
  const kept = notGiven(journal, key);
  if (kept?.is !== 'text') return undefined;
  const { text, finish_reason, usage, cost } = kept;
  talk.tell(`${talk.name}: answered before, and not handed over then: nothing is sent`);
  talk.write(text.endsWith('\n') ? text : `${text}\n`);
  return { is: 'answered', text, finish_reason, usage, cost };
}

/** Its turns are kept one by one; what they lost is told, and never asked for again by itself. */
async function conversation(about: About, speaker: Speaker, given: OneOff, again: string): Promise<number> {
  await using film = await openOneFilm(given, 'chat', 'chat' as string as InstanceKey);
  const { journal, secrets } = film;
  journal.hiding(value => ownWords(secrets.redactIn(value)));
  const lost = journal.ledger.open.length;
  if (lost > 0) {
    const what = lost === 1 ? 'a question' : `${lost} questions`;
    about.tell(`${what} of an earlier conversation got no answer, and may have been paid for`);
    await giveUp(journal.ledger.open, journal);
  }
  const talk: Talk = { ...about, service: askingWith({ speaker, film, onUnknown: 'fail', again }) };
  try {
    return await atTheTerminal(talk, given);
  } finally {
    // Those of this conversation were told when they were lost.
    await giveUp(journal.ledger.open, journal);
  }
}

/** What is asked goes to standard error, so that standard output holds the answers alone. */
async function atTheTerminal(talk: Talk, { signal }: OneOff): Promise<number> {
  // A terminal that was closed cannot be given back as it was; what matters is told by the signal, or by the end of what is typed.
  process.stdin.on('error', () => {});
  const lines = createInterface({ input: process.stdin, output: process.stderr, prompt: '> ', terminal: true });
  const typed = lines[Symbol.asyncIterator]();
  let answer: AbortController | undefined;
  // In a terminal that is read key by key, Ctrl-C is a key.
  lines.on('SIGINT', () => {
    if (answer) answer.abort();
    else {
      say('\n/bye or Ctrl-D ends');
      lines.prompt();
    }
  });
  signal.addEventListener('abort', () => lines.close(), { once: true });
  const person: Person = {
    line: async () => {
      answer = undefined;
      lines.prompt();
      const next = await typed.next().catch(() => undefined);
      return next?.done ? undefined : next?.value;
    },
    patience: () => {
      answer = new AbortController();
      return answer.signal;
    },
  };
  try {
    await converse(talk, person, signal);
  } finally {
    lines.close();
  }
  return signal.aborted ? INTERRUPTED : 0;
}
