/**
 * `shotlist generate MODEL field=value …`: one request, made and saved, without a pipeline file. What an earlier one of the very same
 * request left open is taken up first; otherwise each is a new one.
 */
import type { Pricing } from '../../api/catalog.ts';
import { modelLibrary } from '../../api/model-library.ts';
import { asTyped } from '../../domain/as-typed.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { Model } from '../../domain/model.ts';
import { nearest } from '../../domain/nearest.ts';
import { oneOf, parse, UsageError } from '../arguments.ts';
import { guarded } from '../errors/exit-code.ts';
import { checkedRequest } from '../generate/check-request.ts';
import { requestOf } from '../generate/field-values.ts';
import { make } from '../generate/generate-media.ts';
import { save } from '../generate/save-files.ts';
import { type OneStep, oneStep } from '../generate/single-step.ts';
import { giveUp, given as handedOver, openOneFilm } from '../generate/workspace.ts';
import { modelOf } from '../models/model-from-catalog.ts';
import { studioLibrary } from '../models/model-library.ts';
import { print } from '../outlets.ts';
import { answered, type OneOff, oneOff } from '../service/with-service.ts';
import { stopUnlessDrawable } from '../session/stop-unless-drawable.ts';
import { safeJson } from '../terminal/indented-json.ts';

export const main = guarded(async args => {
  const { values, positionals } = parse(args, {
    service: { type: 'string' },
    draft: { type: 'boolean', default: false },
    sync: { type: 'boolean', default: false },
    'on-unknown': { type: 'string' },
    forget: { type: 'boolean', default: false },
    to: { type: 'string' },
    json: { type: 'boolean', default: false },
  });
  const [name, ...fields] = positionals;
  if (name === undefined) throw new UsageError('which model? shotlist generate MODEL field=value …');
  const { 'on-unknown': unknown, sync, to } = values;
  const onUnknown = unknown === undefined ? undefined : oneOf(unknown, ['fail', 'resubmit'], 'on-unknown');
  const again = ['shotlist', 'generate', ...args.filter(word => word !== '--forget')].map(asTyped).join(' ');
  return oneOff(values, async given => {
    const { model, pricing } = await findModel(name, given);
    const { step, request } = await planned({ name, model, pricing, fields: requestOf(model, fields), sync }, given);
    await using film = await openOneFilm(given, step.film, step.key);
    if (values.forget) await giveUp([...film.journal.ledger.open, ...film.journal.lost()], film.journal);
    const label = model.label;
    const made = await make({ given, step, film, label, sync, again, onUnknown: onUnknown ?? given.choice.onUnknown });
    const files = await save(made, { given, film, name, to, again });
    await handedOver(film.journal, step.key);
    const whole = { model: name, request, generation_id: made.generation_id, files };
    if (values.json) print(`${safeJson(whole)}\n`);
    else for (const { path } of files) print(`${path}\n`);
    return 0;
  });
});

interface Wanted {
  readonly name: string;
  readonly model: Model;
  readonly pricing: Pricing | undefined;
  readonly fields: JsonObject;
  readonly sync: boolean;
}

/** @throws UsageError with everything that is wrong with it. */
async function planned(
  wanted: Wanted,
  { choice }: OneOff,
): Promise<{ readonly step: OneStep; readonly request: JsonObject }> {
  const { request, reasons, files } = await checkedRequest(wanted.model, wanted.fields, choice.hosted);
  if (reasons.length > 0) throw nothingSent(reasons);
  const step = oneStep({ ...wanted, what: 'generate', choice, localMedia: path => files.get(path) });
  if (!step.plan) throw nothingSent(step.diagnostics.map(({ message }) => message));
  if (!choice.hosted) stopUnlessDrawable(step.plan, step.context.library);
  return { step, request };
}

const nothingSent = (reasons: readonly string[]): UsageError =>
  new UsageError(`nothing was sent:\n${reasons.map(line => `  ${line}`).join('\n')}`);

/** A label of the interface document, or any other id that the service's catalog knows; the catalog tells the price. */
async function findModel(name: string, given: OneOff): Promise<Pick<Wanted, 'model' | 'pricing'>> {
  const { service, signal, choice } = given;
  const known = modelLibrary.get(name);
  if (known?.produces === 'text') throw isChat(name);
  const own = choice.hosted ? undefined : studioLibrary.get(name);
  if (known && own) return { model: known, pricing: own.pricing as unknown as Pricing };
  const answer = await service.model(name, signal);
  if (known) return { model: known, pricing: answer.is === 'ok' ? answer.value.pricing : undefined };
  if (answer.is === 'absent') throw unknownTo(service.name, name);
  const found = answered(answer, signal);
  const model = modelOf(found);
  if (model === undefined || model.produces === 'text') throw isChat(name);
  return { model, pricing: found.pricing };
}

const isChat = (name: string): UsageError =>
  new UsageError(`${name} is a chat model: talk to it with \`shotlist chat ${name}\``);

function unknownTo(service: string, name: string): UsageError {
  const near = nearest(name, modelLibrary.labels);
  const instead = near ? `did you mean \`${near}\`?` : '`shotlist models` lists what it has';
  return new UsageError(`${service} has no model \`${name}\`; ${instead}`);
}
