/** How a hook is told: a command with a file of JSON, or a POST. Each is tried a few times, and holds nobody up. */
import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cleanText } from '../domain/clean.ts';
import { backoff } from '../host/backoff.ts';
import type { Clock } from '../host/clock.ts';
import type { CommandRunner } from '../host/command-runner.ts';
import { codeOf } from '../host/error-code.ts';
import { type Hook, type HookSettings, whyNoWebhook } from '../host/hook-settings.ts';
import type { Redactor } from '../host/redactor.ts';
import type { Deliver, HookMessage } from '../reporters/hooks.ts';
import { messages } from './hook-messages.ts';

export interface HookWorld {
  readonly hooks: HookSettings;
  readonly commands: Pick<CommandRunner, 'run'>;
  readonly clock: Clock;
  /** Absolute: the project's root, where commands run. */
  readonly root: string;
  /** Absolute: a folder of this film's runs, for the files that commands are handed. */
  readonly scratch: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Nothing of it leaves in a message. */
  readonly secrets: Redactor;
}

const TRIES = 4;
/** Milliseconds of one try. */
const PATIENCE = 10_000;
const COMMAND_PATIENCE = 60_000;

export function hookDelivery(world: HookWorld): Deliver {
  const { hooks, secrets } = world;
  return async (message, signal) => {
    const hook = hooks[message.name];
    if (!hook) return undefined;
    const safe = { ...message, body: secrets.redact(message.body) };
    return hook.is === 'command' ? runCommand(hook, safe, world, signal) : post(hook, safe, world, signal);
  };
}

/** It is not run again where it has failed: nobody knows what of it is done. */
async function runCommand(
  { command, env }: Extract<Hook, { readonly is: 'command' }>,
  { name, id, body }: HookMessage,
  { commands, root, scratch, environment, secrets }: HookWorld,
  signal: AbortSignal,
): Promise<string | undefined> {
  const file = join(scratch, `${randomUUID()}.json`);
  await mkdir(scratch, { recursive: true });
  await writeFile(file, `${body}\n`, { mode: 0o600 });
  try {
    const given = Object.fromEntries(
      env.flatMap(one => (environment[one] === undefined ? [] : [[one, environment[one]]])),
    );
    const outcome = await commands.run(
      { argv: [...command, file] },
      {
        cwd: root,
        env: { ...given, SHOTLIST_EVENT: name, SHOTLIST_EVENT_ID: id },
        signal,
        timeoutMs: COMMAND_PATIENCE,
      },
    );
    if (outcome.ended === 'by itself' && outcome.exit === 0) return undefined;
    const how =
      outcome.ended !== 'by itself' ? 'took too long' : `ended with exit code ${outcome.exit ?? outcome.signal}`;
    const last = outcome.stderr.trim().split('\n').at(-1) ?? '';
    return messages.commandEnded(command[0], how, cleanText(secrets.redact(last)).slice(0, 300));
  } finally {
    await rm(file, { force: true });
  }
}

async function post(
  hook: Exclude<Hook, { readonly is: 'command' }>,
  { name, id, body }: HookMessage,
  { clock, environment }: HookWorld,
  over: AbortSignal,
): Promise<string | undefined> {
  const address = hook.is === 'webhook' ? hook.url : environment[hook.variable];
  if (!address) return messages.noVariable(hook.is === 'webhook' ? '' : hook.variable);
  const wrong = whyNoWebhook(address);
  if (wrong !== undefined) return messages.wrongVariable(hook.is === 'webhook' ? hook.where : hook.variable, wrong);
  const { host } = new URL(address);
  let why = '';
  for (let attempt = 0; attempt < TRIES; attempt++) {
    if (attempt > 0) await clock.sleep(backoff(attempt - 1, { first: 500, longest: 4_000 }), over);
    if (over.aborted) return why || messages.tooLate(host);
    try {
      const answer = await fetch(address, {
        method: 'POST',
        redirect: 'manual',
        headers: { 'content-type': 'application/json', 'idempotency-key': id, 'shotlist-event': name },
        body,
        signal: AbortSignal.any([over, AbortSignal.timeout(PATIENCE)]),
      });
      await answer.body?.cancel();
      if (answer.ok) return undefined;
      why = messages.refused(host, answer.status);
      // What is wrong with the message or the address is wrong the next time, too.
      if (answer.status < 500 && answer.status !== 429 && answer.status !== 408) return why;
    } catch (error) {
      why = messages.unreached(host, reasonOf(error));
    }
  }
  return why;
}

/** Never the message of the error, where the address may stand. */
const reasonOf = (error: unknown): string =>
  codeOf(error instanceof Error ? (error.cause ?? error) : error) ??
  (error instanceof Error && error.name === 'TimeoutError'
    ? `no answer within ${PATIENCE / 1000} s`
    : 'the connection failed');
