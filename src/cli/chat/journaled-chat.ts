/**
 * A chat whose every turn is a run of one step: its question is on the disk before it is sent, and its answer before the next one. A turn
 * whose answer was lost is never sent again by itself: nothing could tell whether it was paid for.
 */
import type { Pricing } from '../../api/catalog.ts';
import type { ChatRequest } from '../../api/chat-completions.ts';
import type { ChatAnswer, Service } from '../../api/service.ts';
import { cleanText } from '../../domain/clean.ts';
import type { Reporter } from '../../domain/event.ts';
import type { Failure } from '../../domain/failure.ts';
import type { Json, JsonObject } from '../../domain/json.ts';
import type { Model } from '../../domain/model.ts';
import type { JournalListener } from '../../run/ports/journal.ts';
import { start } from '../../run/run.ts';
import type { RunEnvironment } from '../../run/run-environment.ts';
import { Stop } from '../errors/command-error.ts';
import { type OneStep, oneStep } from '../generate/single-step.ts';
import { giveUp, type OneFilm } from '../generate/workspace.ts';
import type { ServiceChoice } from '../service/choose-service.ts';
import { onUnknown as decideUnknown, runEnvironment } from '../session/world.ts';

export interface Speaker {
  readonly name: string;
  readonly model: Model;
  readonly pricing: Pricing | undefined;
  readonly choice: ServiceChoice;
}

/** The request as the step it is, without the model's name. */
export function questionStep(speaker: Speaker, request: ChatRequest): OneStep {
  const { model: _, ...fields } = request;
  return oneStep({ ...speaker, what: 'chat', fields: fields as unknown as JsonObject });
}

export interface Asking {
  readonly speaker: Speaker;
  readonly film: OneFilm;
  /** Of an answer that an earlier command lost; one that is lost now is never asked for twice. */
  readonly onUnknown: 'fail' | 'resubmit';
  readonly again: string;
}

/** As `Service.chat`. @throws Stop where an earlier command has asked the very same and never heard the answer. */
export function askingWith({ speaker, film, onUnknown, again }: Asking): Pick<Service, 'name' | 'chat'> {
  const journal = lastListenerOf(film);
  const { admission } = worldFor({ ...film, journal }, questionStep(speaker, HELLO), again, []);
  const chat: Service['chat'] = async (request, signal, written) => {
    const step = questionStep(speaker, request);
    if (!step.plan) return { is: 'unreached', message: step.diagnostics.map(({ message }) => message).join('; ') };
    let last: ChatAnswer | undefined;
    let failure: Failure | undefined;
    const once: Service['chat'] = async (asked, late, page, nonce) => {
      const both = AbortSignal.any([late, signal]);
      const heard = (text: string) => {
        written?.(text);
        page?.(text);
      };
      last = await film.service.chat(asked, both, heard, nonce);
      // Who is talked to decides how long to be patient.
      if (last.is === 'refused' || last.is === 'unreached') run.detach();
      return last;
    };
    const listens: Reporter = {
      report: event => {
        if (event.type === 'failed') failure = event.failure;
      },
      close: () => Promise.resolve(),
    };
    const world = worldFor({ ...film, journal, service: { ...film.service, chat: once } }, step, again, [listens]);
    const decider: RunEnvironment['decider'] = {
      choose: (question, signal) => decideUnknown(last === undefined ? onUnknown : 'fail').choose(question, signal),
    };
    const run = start(step.plan, { ...world, admission, decider });
    const stop = () => run.detach();
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
    const outcome = await run.done.finally(() => signal.removeEventListener('abort', stop));
    // Whoever stops an answer has seen as much of it as they want, and may ask the same again.
    const { fingerprint } = [...step.plan.instances][0] ?? {};
    if (signal.aborted)
      await giveUp(
        journal.ledger.open.filter(open => open.fingerprint === fingerprint),
        journal,
      );
    if (last) return last;
    if (failure) throw new Stop(1, lostBefore(failure, again));
    return { is: 'unreached', message: outcome.reason ?? 'stopped' };
  };
  return { name: film.service.name, chat };
}

const HELLO: ChatRequest = { model: '', messages: [{ role: 'user', content: '' }] };

function worldFor(
  film: Omit<OneFilm, typeof Symbol.asyncDispose>,
  { context }: OneStep,
  resume: string,
  reporters: readonly Reporter[],
): RunEnvironment {
  const settings = { root: film.root, resume, onInterrupt: 'detach' } as const;
  return runEnvironment({ ...film, context, reporters, settings });
}

function lostBefore(failure: Failure, again: string): string {
  const message = cleanText(failure.message);
  if (failure.code !== 'submit_unknown') return message;
  return `this was asked before, and its answer never came: ${message}\n  \`${again} --on-unknown resubmit\` asks it again`;
}

/** Each turn is a run that listens to the journal for good: of a long conversation only the last one is told. */
function lastListenerOf({ journal }: OneFilm): OneFilm['journal'] {
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

/** A conversation's turn as it is kept: its own question, as what was said before stands in the turns before it. */
export function ownWords<T>(value: T): T {
  const { request, result } = value as { readonly request?: Json; readonly result?: { readonly request?: Json } };
  if (request !== undefined) return { ...value, request: shorter(request) };
  return result?.request === undefined ? value : { ...value, result: { ...result, request: shorter(result.request) } };
}

/** What a first turn may have: what the model is told beforehand, and the question. */
const OPENING = 2;

function shorter(request: Json): Json {
  const { messages } = request as { readonly messages?: Json };
  if (!Array.isArray(messages) || messages.length <= OPENING) return request;
  return { ...(request as JsonObject), messages: messages.slice(-1), said_before: messages.length - 1 };
}
