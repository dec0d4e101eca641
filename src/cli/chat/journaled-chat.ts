/**
 * A chat in which every turn is a run of one step: its question is on the disk before it is sent, and its answer before the next one. A turn
 * with a lost answer is sent again only when a person asks for it: it may have been paid for.
 */
import type { Pricing } from '../../api/catalog.ts';
import type { ChatRequest } from '../../api/chat-completions.ts';
import type { ChatAnswer, Service } from '../../api/service.ts';
import { onUnknown as decideUnknown, runEnvironment } from '../../app/local-environment.ts';
import type { Model } from '../../model/model.ts';
import { moreAt } from '../../model/run/decision-page.ts';
import type { Reporter } from '../../model/run/event.ts';
import type { Failure } from '../../model/run/failure.ts';
import { cleanText } from '../../model/text/clean.ts';
import type { Json, JsonObject } from '../../model/text/json.ts';
import type { PlanContext } from '../../plan/plan.ts';
import type { JournalListener } from '../../records/journal/journal.ts';
import { start } from '../../run/engine/run.ts';
import type { RunEnvironment } from '../../run/engine/run-core.ts';
import { CommandError } from '../errors/command-error.ts';
import { type SingleStep, singleStep } from '../generate/single-step.ts';
import type { Workspace } from '../generate/workspace.ts';
import type { ServiceChoice } from '../service/choose-service.ts';
import { forgetSubmissions } from '../service/end-at-service.ts';

export interface ChatModel {
  readonly name: string;
  readonly model: Model;
  readonly pricing: Pricing | undefined;
  readonly choice: ServiceChoice;
  /** Files that a message shows, read already; absent where it shows none. */
  readonly localMedia?: PlanContext['localMedia'] | undefined;
}

/** The request as the step it is, without the model's name. */
export function chatStep({ localMedia, ...chatModel }: ChatModel, request: ChatRequest): SingleStep {
  const { model: _, ...fields } = request;
  const asked = { ...chatModel, what: 'chat', fields: fields as unknown as JsonObject };
  return singleStep({ ...asked, ...(localMedia && { localMedia }) });
}

interface JournaledChatOptions {
  readonly chatModel: ChatModel;
  readonly workspace: Workspace;
  /** What becomes of an answer that an earlier command lost; one that is lost now is never asked for twice. */
  readonly onUnknown: 'fail' | 'resubmit';
  readonly again: string;
}

/** As `Service.chat`. @throws CommandError where an earlier command asked the very same, and its answer was lost. */
export function journaledChat({
  chatModel,
  workspace,
  onUnknown,
  again,
}: JournaledChatOptions): Pick<Service, 'name' | 'chat'> {
  const journal = withLatestListener(workspace);
  const { admission } = environmentFor({ ...workspace, journal }, chatStep(chatModel, NO_QUESTION), again, []);
  const chat: Service['chat'] = async (request, signal, written) => {
    const step = chatStep(chatModel, request);
    if (!step.plan) return { is: 'unreached', message: step.diagnostics.map(({ message }) => message).join('; ') };
    let last: ChatAnswer | undefined;
    let failure: Failure | undefined;
    const observed: Service['chat'] = async (asked, runSignal, writtenToRun, nonce) => {
      const either = AbortSignal.any([runSignal, signal]);
      const both = (text: string) => {
        written?.(text);
        writtenToRun?.(text);
      };
      last = await workspace.service.chat(asked, either, both, nonce);
      // Whether a refused question is asked again is the caller's to decide, not the run's.
      if (last.is === 'refused' || last.is === 'unreached') run.detach();
      return last;
    };
    const failures: Reporter = {
      report: event => {
        if (event.type === 'failed') failure = event.failure;
      },
      close: () => Promise.resolve(),
    };
    const service = { ...workspace.service, chat: observed };
    const environment = environmentFor({ ...workspace, journal, service }, step, again, [failures]);
    const decider: RunEnvironment['decider'] = {
      choose: (question, signal) => decideUnknown(last === undefined ? onUnknown : 'fail').choose(question, signal),
    };
    const run = start(step.plan, { ...environment, admission, decider });
    const stop = () => run.detach();
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
    const outcome = await run.done.finally(() => signal.removeEventListener('abort', stop));
    // A person who stops an answer has seen enough of it, and may ask the same again.
    const { fingerprint } = [...step.plan.instances][0] ?? {};
    if (signal.aborted)
      await forgetSubmissions(
        journal.views.ledger.open.filter(open => open.fingerprint === fingerprint),
        journal,
      );
    if (last) return last;
    if (outcome.is === 'budget') throw new CommandError(4, outcome.reason ?? 'it does not fit into the budget');
    if (failure) throw new CommandError(1, lostAnswerText(failure, again));
    return { is: 'unreached', message: outcome.reason ?? 'stopped' };
  };
  return { name: workspace.service.name, chat };
}

/** For the admission that all turns share: what is asked does not matter to it. */
const NO_QUESTION: ChatRequest = { model: '', messages: [{ role: 'user', content: '' }] };

function environmentFor(
  workspace: Omit<Workspace, typeof Symbol.asyncDispose>,
  { context }: SingleStep,
  resume: string,
  reporters: readonly Reporter[],
): RunEnvironment {
  const settings = { root: workspace.root, resume, onInterrupt: 'detach' } as const;
  return runEnvironment({ ...workspace, context, reporters, settings });
}

function lostAnswerText(failure: Failure, again: string): string | readonly string[] {
  const message = cleanText(failure.message);
  if (failure.code !== 'submit_unknown') return message;
  return [
    `this was asked before, and its answer never came: ${message}`,
    `  \`${again} --on-unknown resubmit\` asks it again`,
    `  ${moreAt('lost-answer')}`,
  ];
}

/** Every turn is a run, and a run never stops listening to its journal: here only the latest one is notified. */
function withLatestListener({ journal }: Workspace): Workspace['journal'] {
  let last: JournalListener | undefined;
  journal.listen({ durable: () => last?.durable(), failed: failure => last?.failed(failure) });
  const listen = (listener: JournalListener) => {
    last = listener;
  };
  return new Proxy(journal, {
    get: (target, name) => {
      if (name === 'listen') return listen;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** A conversation's turn as it is journalled: with its own question alone, as earlier turns hold the earlier messages. */
export function withoutEarlierTurns<T>(value: T): T {
  // `asked` explains later what has changed; a conversation does not need it.
  const { asked: _, ...event } = value as Turned;
  const { request, result } = event;
  if (request !== undefined) return { ...event, request: lastMessageOf(request) } as T;
  if (result?.request === undefined) return event as T;
  return { ...event, result: { ...result, request: lastMessageOf(result.request) } } as T;
}

interface Turned {
  readonly asked?: unknown;
  readonly request?: Json;
  readonly result?: { readonly request?: Json };
}

/** Messages of a first turn: the system message and the question. */
const FIRST_TURN = 2;

function lastMessageOf(request: Json): Json {
  const { messages } = request as { readonly messages?: Json };
  if (!Array.isArray(messages) || messages.length <= FIRST_TURN) return request;
  return { ...(request as JsonObject), messages: messages.slice(-1), said_before: messages.length - 1 };
}
