/** `shotlist attach FILE KEY GENERATION`: a generation that is at the service already becomes an instance's result. Nothing is paid. */
import { asTyped } from '../../domain/as-typed.ts';
import type { GenerationId } from '../../domain/key.ts';
import { attach } from '../../session/attach.ts';
import { UsageError } from '../arguments.ts';
import { readArguments } from '../command-line/read-arguments.ts';
import { CommandError } from '../errors/command-error.ts';
import { withExitCode } from '../errors/exit-code.ts';
import { say } from '../outlets.ts';
import { chooseService } from '../service/choose-service.ts';
import { oneInstance } from '../session/one-instance.ts';
import { givenData, givenParams } from '../session/param-options.ts';
import { openSession } from '../session/session.ts';
import { leaveParamsOutOfTitle } from '../terminal/process-title.ts';
import { onInterrupt } from '../terminal/signals.ts';
import { main as run } from './run.ts';

export const main = withExitCode(async args => {
  const { values, positionals } = readArguments('attach', args);
  const [file, text, id, ...more] = positionals;
  if (file === undefined || text === undefined || id === undefined || more.length > 0)
    throw new UsageError("what goes where? shotlist attach FILE 'shot[beat=3]' GENERATION_ID");
  leaveParamsOutOfTitle('attach', file, values.param);
  const key = await journalled(file, text, id as GenerationId, values);
  // A run of that instance alone brings it home: it is looked at, kept and locked like any other, and nothing else is begun.
  const given = [
    ...values.param.map(one => `--param=${one}`),
    ...values.data.map(one => `--data=${one}`),
    ...(values.params === undefined ? [] : [`--params=${values.params}`]),
    ...(values.service === undefined ? [] : [`--service=${values.service}`]),
    ...(values.profile === undefined ? [] : [`--profile=${values.profile}`]),
    ...(values.ui === undefined ? [] : [`--ui=${values.ui}`]),
    ...(values.draft ? ['--draft'] : []),
    ...(values.json ? ['--json'] : []),
  ];
  return run([file, `--only=${key}`, `--redo=${key}`, '--frozen', ...given]);
});

type Values = Parameters<typeof givenParams>[0] &
  Parameters<typeof givenData>[0] & {
    readonly service?: string | undefined;
    readonly profile?: string | undefined;
    readonly draft: boolean;
    readonly force: boolean;
  };

async function journalled(file: string, text: string, id: GenerationId, values: Values): Promise<string> {
  const choice = await chooseService(file, values);
  await using after = new AsyncDisposableStack();
  const service = await choice.connect();
  after.defer(() => service.close());
  const { name, profile, elsewhere, chatBy, draft, key: secret } = choice;
  const session = await openSession({
    ...{ file, params: givenParams(values), data: givenData(values), key: secret, to: 'run', service: name },
    ...{ elsewhere, chatBy, draft, profile, hosted: choice.hosted ? service : undefined },
  });
  after.defer(() => session.close());
  const key = oneInstance(text, session.plan);
  const stop = new AbortController();
  after.defer(onInterrupt(() => stop.abort()));
  const accept = values.force ? 'different' : 'same';
  const outcome = await attach(session, { key, id, accept }, service, stop.signal);
  if (outcome.is !== 'attached') throw new CommandError(outcome.is === 'refused' ? 2 : 6, outcome.message);
  say(`${key} is generation ${asTyped(id)} from here on`);
  for (const note of outcome.notes) say(note);
  return key;
}
