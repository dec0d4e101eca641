/** The hooks of a run, from the settings or from a program (`on`). */

import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../../machine/error-code.ts';
import { CommandRunner } from '../../machine/process/command-runner.ts';
import { backoff } from '../../machine/time/backoff.ts';
import { systemClock } from '../../machine/time/clock.ts';
import { cleanText } from '../../model/text/clean.ts';
import { type Hook, type HookName, type HookSettings, whyNoWebhook } from '../../settings/hook-settings.ts';
import { type ExtraReporter, isolated } from '../../show/reporters/extra-reporter.ts';
import { type HookMessage, hookReporter } from '../../show/reporters/hook-reporter.ts';
import type { Film } from '../film/open-film.ts';

interface HookContext {
  readonly film: Pick<Film, 'root' | 'runs' | 'secrets' | 'store'>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Takes what came to nothing, as a sentence. */
  readonly say: (line: string) => void;
}

/** @param hooks undefined: none. */
export function hooksOf({
  hooks,
  say,
  ...context
}: HookContext & { readonly hooks: HookSettings | undefined }): readonly ExtraReporter[] {
  if (!hooks) return [];
  const { film, environment } = context;
  const { secrets } = film;
  // Places of their own: those of the run may be taken for hours.
  const commands = new CommandRunner({ environment, atOnce: 4, secrets, grace: 500 });
  const reporter = hookReporter({
    wanted: new Set(Object.keys(hooks) as HookName[]),
    deliver: async (message, signal) => {
      const hook = hooks[message.name];
      if (!hook) return undefined;
      // No secret leaves in a message.
      const safe = { ...message, body: secrets.redact(message.body) };
      return hook.is === 'command'
        ? runCommand(hook, safe, { ...context, commands }, signal)
        : post(hook, safe, environment, signal);
    },
    fileOf: sha256 => film.store.file(sha256),
    clock: systemClock,
    failed: (name, many, why) => say(messages.failed(name, hooks[name]?.where ?? name, many, why)),
  });
  const close = async () => {
    await reporter.close();
    await commands.close();
  };
  return [isolated({ report: event => reporter.report(event), close }, messages.broken)];
}

/** A POST is tried a few times. */
const TRIES = 4;
/** Milliseconds of one try. */
const PATIENCE = 10_000;
const COMMAND_PATIENCE = 60_000;

/** A failed hook is not run again: how much of it is done is unknown. */
async function runCommand(
  { command, env }: Extract<Hook, { readonly is: 'command' }>,
  { name, id, body }: HookMessage,
  { film, environment, commands }: Omit<HookContext, 'say'> & { readonly commands: CommandRunner },
  signal: AbortSignal,
): Promise<string | undefined> {
  const { root, secrets } = film;
  const scratch = join(film.runs, 'hooks');
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
  environment: HookContext['environment'],
  over: AbortSignal,
): Promise<string | undefined> {
  const address = hook.is === 'webhook' ? hook.url : environment[hook.variable];
  if (!address) return messages.noVariable(hook.is === 'webhook' ? '' : hook.variable);
  const wrong = whyNoWebhook(address);
  if (wrong !== undefined) return messages.wrongVariable(hook.is === 'webhook' ? hook.where : hook.variable, wrong);
  const { host } = new URL(address);
  let why = '';
  for (let attempt = 0; attempt < TRIES; attempt++) {
    if (attempt > 0) await systemClock.sleep(backoff(attempt - 1, { first: 500, longest: 4_000 }), over);
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

/** Messages about a hook that failed. */
const messages = {
  failed: (name: HookName, where: string, many: number, why: string) =>
    `${where} was not notified${many > 1 ? ` ${many} times` : ''}: ${why}; the run itself is as shown above (${name})`,
  broken: (why: string) => `not every hook was notified of the run: ${why}; the run itself is as shown above`,
  noVariable: (variable: string) => `the variable ${variable} holds no address; set it, or take \`url_env\` out`,
  wrongVariable: (variable: string, why: string) => `what ${variable} holds ${why}`,
  commandEnded: (program: string, how: string, last: string) => `${program} ${how}${last === '' ? '' : `: ${last}`}`,
  refused: (host: string, status: number) => `${host} answers ${status}`,
  unreached: (host: string, why: string) => `${host} cannot be reached: ${why}`,
  tooLate: (host: string) => `${host} did not answer before the run was over`,
} as const;
