/** `shotlist models activate MODEL`: brings up a custom model's deployment. */

import type { CatalogModel, DeploymentStatus } from '../../../api/catalog.ts';
import { systemClock } from '../../../machine/time/clock.ts';
import { nothingBehind, UsageError } from '../../arguments.ts';
import { readArguments } from '../../command-line/read-arguments.ts';
import { CommandError, withExitCode } from '../../errors/command-error.ts';
import type { ExitCode } from '../../errors/exit-codes.ts';
import { jsonText, print, say } from '../../outlets.ts';
import { type Connection, valueOrThrow, withService } from '../../service/with-service.ts';
import { INTERRUPTED } from '../../terminal/signals.ts';

export const main = withExitCode(args => changeDeployment('activate', args));

interface Verb {
  readonly wanted: DeploymentStatus;
  /** The status on the way there. */
  readonly moving: DeploymentStatus;
  /** What the wanted status means for the bill. */
  readonly so: (model: string) => string;
}

const VERBS = {
  activate: {
    wanted: 'active',
    moving: 'deploying',
    so: model => `it bills until \`shotlist models deactivate ${model}\``,
  },
  deactivate: { wanted: 'inactive', moving: 'deactivating', so: () => 'it bills no more' },
} as const satisfies Record<string, Verb>;
type VerbName = keyof typeof VERBS;

/** Milliseconds between two polls. */
const HOSTED_POLL = 5_000;
const STUDIO_POLL = 500;

export async function changeDeployment(verb: VerbName, args: readonly string[]): Promise<ExitCode> {
  const { values, positionals } = readArguments(`models ${verb}`, args);
  const [model, ...more] = positionals;
  if (model === undefined) throw new UsageError(`which model? shotlist models ${verb} MODEL`);
  nothingBehind(more, `models ${verb}`, 'one model');
  return withService(values, async connection => {
    const status = await move(verb, model, connection, values['no-wait'] ? 'at once' : 'settled');
    const details = values.json
      ? valueOrThrow(await connection.service.model(model, connection.signal), connection.signal)
      : undefined;
    print(details ? jsonText(details) : `${status}\n`);
    return 0;
  });
}

async function move(
  name: VerbName,
  model: string,
  connection: Connection,
  until: 'at once' | 'settled',
): Promise<DeploymentStatus> {
  const { service, choice, signal } = connection;
  const verb: Verb = VERBS[name];
  const asked = await service[name](model, signal);
  // A refusal is no failure where the wanted status is there already, or on its way.
  const before =
    asked.is === 'refused'
      ? statusOf(valueOrThrow(await service.model(model, signal, { live: true }), signal))
      : undefined;
  if (before !== verb.wanted && before !== verb.moving) valueOrThrow(asked, signal);
  let status = before ?? (asked.is === 'ok' ? statusOf(asked.value) : 'unknown');
  say(`${model}: ${before === undefined ? '' : 'already '}${status}`);
  while (until === 'settled' && status !== verb.wanted) {
    if (status === 'error')
      throw new CommandError(1, `${model}: its deployment ended in an error; ${name} it again, or ask the service why`);
    await systemClock.sleep(choice.hosted ? HOSTED_POLL : STUDIO_POLL, signal);
    if (signal.aborted) throw new CommandError(INTERRUPTED, `${model}: still ${status}; it goes on by itself`);
    const answer = await service.model(model, signal, { live: true });
    // An unavailable service is polled again; any other error ends the command.
    const now = answer.is === 'unavailable' ? status : statusOf(valueOrThrow(answer, signal));
    if (now !== status) say(`${model}: ${now}`);
    status = now;
  }
  if (status === verb.wanted) say(`${model}: ${verb.so(model)}`);
  return status;
}

const statusOf = ({ deployments }: CatalogModel): DeploymentStatus => deployments[0]?.status ?? 'unknown';
