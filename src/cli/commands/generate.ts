/**
 * `shotlist generate MODEL field=value …`: one request, made and saved, without a pipeline file. What an earlier command with the very
 * same request left open is taken up first; otherwise each command makes a new one.
 */
import type { Pricing } from '../../api/catalog.ts';
import { modelLibrary } from '../../api/model-library.ts';
import { asTyped } from '../../domain/as-typed.ts';
import type { JsonObject } from '../../domain/json.ts';
import { type Model, nearestModel } from '../../domain/model.ts';
import { modelFromCatalog, studioLibrary } from '../../session/model-from-catalog.ts';
import { stopUnlessDrawable } from '../../session/stop-unless-drawable.ts';
import { UsageError } from '../arguments.ts';
import { readArguments } from '../command-line/read-arguments.ts';
import { withExitCode } from '../errors/exit-code.ts';
import { parseFieldValues } from '../generate/field-values.ts';
import { generateMedia } from '../generate/generate-media.ts';
import { prepareRequest } from '../generate/prepare-request.ts';
import { saveFiles } from '../generate/save-files.ts';
import { type SingleStep, singleStep } from '../generate/single-step.ts';
import { markDelivered, openWorkspace } from '../generate/workspace.ts';
import { print } from '../outlets.ts';
import { forgetSubmissions } from '../service/forget-submissions.ts';
import { type Connection, valueOrThrow, withService } from '../service/with-service.ts';
import { indentedJson } from '../terminal/indented-json.ts';

export const main = withExitCode(async args => {
  const { values, positionals } = readArguments('generate', args);
  const [name, ...fields] = positionals;
  if (name === undefined) throw new UsageError('which model? shotlist generate MODEL field=value …');
  const { 'on-unknown': onUnknown, sync, out: to } = values;
  const again = ['shotlist', 'generate', ...args.filter(word => word !== '--forget')].map(asTyped).join(' ');
  return withService(values, async connection => {
    const { model, pricing } = await findModel(name, connection);
    const { step, request } = await planned(
      { name, model, pricing, fields: parseFieldValues(model, fields), sync },
      connection,
    );
    await using workspace = await openWorkspace(connection, step.film, step.key);
    if (values.forget)
      await forgetSubmissions(
        [...workspace.journal.views.ledger.open, ...workspace.journal.views.sent.lost()],
        workspace.journal,
      );
    const label = model.label;
    const made = await generateMedia({
      connection,
      step,
      workspace,
      label,
      sync,
      again,
      onUnknown: onUnknown ?? connection.choice.onUnknown,
    });
    const files = await saveFiles(made, { connection, workspace, name, step, to, again });
    await markDelivered(workspace.journal, step.key);
    const whole = { model: name, request, generation_id: made.generation_id, files };
    if (values.json) print(`${indentedJson(whole)}\n`);
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
  { choice }: Connection,
): Promise<{ readonly step: SingleStep; readonly request: JsonObject }> {
  const { request, reasons, files } = await prepareRequest(wanted.model, wanted.fields, choice);
  if (reasons.length > 0) throw nothingSent(reasons);
  const step = singleStep({ ...wanted, what: 'generate', choice, localMedia: path => files.get(path) });
  if (!step.plan) throw nothingSent(step.diagnostics.map(({ message }) => message));
  stopUnlessDrawable(step.plan, step.context.library, choice.hosted);
  return { step: { ...step, authorFiles: files }, request };
}

const nothingSent = (reasons: readonly string[]): UsageError =>
  new UsageError('nothing was sent:', ...reasons.map(line => `  ${line}`));

/** A label of the interface document, or any other id that the service's catalog knows; the catalog tells the price. */
async function findModel(name: string, connection: Connection): Promise<Pick<Wanted, 'model' | 'pricing'>> {
  const { service, signal, choice } = connection;
  const known = modelLibrary.get(name);
  if (known?.produces === 'text') throw isChat(name);
  const own = choice.hosted ? undefined : studioLibrary.get(name);
  if (known && own) return { model: known, pricing: own.pricing as unknown as Pricing };
  const answer = await service.model(name, signal);
  if (known) return { model: known, pricing: answer.is === 'ok' ? answer.value.pricing : undefined };
  if (answer.is === 'absent') throw unknownTo(service.name, name);
  const found = valueOrThrow(answer, signal);
  const model = modelFromCatalog(found);
  if (model === undefined || model.produces === 'text') throw isChat(name);
  return { model, pricing: found.pricing };
}

const isChat = (name: string): UsageError =>
  new UsageError(`${name} is a chat model: talk to it with \`shotlist chat ${name}\``);

function unknownTo(service: string, name: string): UsageError {
  const near = nearestModel(name, {
    get: modelLibrary.get,
    labels: modelLibrary.labels.filter(label => modelLibrary.get(label)?.produces !== 'text'),
  });
  const instead = near ? `did you mean \`${near}\`?` : '`shotlist models` lists what it has';
  return new UsageError(`${service} has no model \`${name}\`; ${instead}`);
}
