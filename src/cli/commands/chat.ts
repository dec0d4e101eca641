/** `shotlist chat MODEL`: a conversation in the terminal, or one answer to a prompt that is given or piped in. */
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import type { CatalogModel } from '../../api/catalog.ts';
import { modelLibrary } from '../../api/models.ts';
import { validateRequest } from '../../api/validate.ts';
import { wrapWords } from '../../domain/cells.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { Model } from '../../domain/model.ts';
import { nearest } from '../../domain/nearest.ts';
import { parse, UsageError } from '../arguments.ts';
import { modelOf } from '../catalog-model.ts';
import { requestOf } from '../field-values.ts';
import { guarded } from '../guarded.ts';
import { answered, INTERRUPTED, type OneOff, oneOff, say } from '../one-off.ts';
import { print, printAsItCame } from '../outlets.ts';
import { safeJson, shown } from '../shown.ts';
import { Stop } from '../stop.ts';
import { ask, converse, opening, type Person, spentLine, type Talk, unusual, whyNot } from '../talk.ts';
import { wordWrap } from '../word-wrap.ts';

export const main = guarded(async args => {
  const { values, positionals } = parse(args, {
    service: { type: 'string' },
    system: { type: 'string' },
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
  return oneOff(values, async given => {
    const { model, found } = await findModel(name, given);
    const talk: Talk = {
      service: given.service,
      name,
      model,
      pricing: found?.pricing,
      bills: given.choice.hosted,
      fields: { ...onceWhole(question, given), ...requestOf(model, fields) },
      system: values.system,
      write: values.json ? () => {} : writer(),
      tell: line => say(wrapWords(shown(line), columnsOf(process.stderr)).join('\n')),
    };
    checked(talk, question);
    return question === '' ? atTheTerminal(talk, given) : onceOnly(talk, question, given, values.json);
  });
});

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
function checked(talk: Talk, question: string): void {
  const messages = [...opening(talk), { role: 'user', content: question }];
  const reasons = validateRequest(talk.model, { ...talk.fields, messages });
  if (reasons.length > 0) {
    throw new UsageError(`nothing was sent:\n${reasons.map(({ message }) => `  ${message}`).join('\n')}`);
  }
}

async function onceOnly(talk: Talk, question: string, { signal }: OneOff, json: boolean): Promise<number> {
  const answer = await ask(talk, [...opening(talk), { role: 'user', content: question }], signal);
  if (answer.is === 'not') {
    const { outcome } = answer;
    const isKey = outcome.is === 'refused' && (outcome.status === 401 || outcome.status === 403);
    const exit = signal.aborted ? INTERRUPTED : isKey || outcome.is === 'unreached' ? 6 : 1;
    throw new Stop(exit, shown(whyNot(outcome)));
  }
  const { is: _, ...said } = answer;
  if (json) print(`${safeJson({ model: talk.name, ...said })}\n`);
  const end = unusual(answer.finish_reason);
  if (end !== undefined) talk.tell(end);
  talk.tell(spentLine(talk, answer));
  return 0;
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
