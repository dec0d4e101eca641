/** Finds the command, and imports only what that command needs. */
import { commandMistake } from './command-line/mistakes.ts';
import { bugReport } from './errors/bug-report.ts';
import type { ExitCode } from './errors/exit-codes.ts';
import { guardOutlets, say } from './outlets.ts';

type Command = { readonly main: (args: readonly string[]) => Promise<ExitCode> };

const commands: Readonly<Record<string, () => Promise<Command>>> = {
  check: () => import('./commands/check.ts'),
  plan: () => import('./commands/plan.ts'),
  run: () => import('./commands/run.ts'),
  promote: () => import('./commands/promote.ts'),
  why: () => import('./commands/why.ts'),
  pick: () => import('./commands/pick.ts'),
  approve: () => import('./commands/approve.ts'),
  repick: () => import('./commands/repick.ts'),
  adopt: () => import('./commands/adopt.ts'),
  attach: () => import('./commands/attach.ts'),
  report: () => import('./commands/report.ts'),
  status: () => import('./commands/status.ts'),
  logs: () => import('./commands/logs.ts'),
  store: () => import('./commands/store.ts'),
  review: () => import('./commands/review.ts'),
  doctor: () => import('./commands/doctor.ts'),
  cancel: () => import('./commands/cancel.ts'),
  submit: () => import('./commands/submit.ts'),
  list: () => import('./commands/list.ts'),
  watch: () => import('./commands/watch.ts'),
  resume: () => import('./commands/resume.ts'),
  fetch: () => import('./commands/fetch.ts'),
  worker: () => import('./commands/worker.ts'),
  cluster: () => import('./commands/cluster.ts'),
  models: () => import('./commands/models.ts'),
  studio: () => import('./commands/studio.ts'),
  generate: () => import('./commands/generate.ts'),
  chat: () => import('./commands/chat.ts'),
  activate: () => import('./commands/activate.ts'),
  deactivate: () => import('./commands/deactivate.ts'),
  tokenize: () => import('./commands/tokenize.ts'),
  lsp: () => import('./commands/lsp.ts'),
  explain: () => import('./commands/explain.ts'),
  init: () => import('./commands/init.ts'),
  completion: () => import('./commands/completion.ts'),
  clean: () => import('./commands/clean.ts'),
  import: () => import('./commands/import.ts'),
  graph: () => import('./commands/graph.ts'),
  provenance: () => import('./commands/provenance.ts'),
};

/** The exit code of a bug, as of any program of Node. */
const BUG: ExitCode = 1;

export async function main(name: string, args: readonly string[]): Promise<void> {
  // A command whose result could not be written has failed, whatever else went well.
  guardOutlets(() => {
    process.exitCode ||= 1;
  });
  // A bug in a promise that nobody awaits. The journal is right; what is in memory cannot be trusted any more.
  process.once('uncaughtException', error => {
    sayBug(error, name);
    process.exit(BUG);
  });
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  try {
    const exit = load ? await (await load()).main(args) : unknown(name, args);
    process.exitCode = exit || process.exitCode;
  } catch (error) {
    sayBug(error, name);
    process.exitCode = BUG;
  }
}

function unknown(name: string, args: readonly string[]): ExitCode {
  say(`shotlist: ${commandMistake(name, args)}`);
  return 2;
}

const sayBug = (error: unknown, name: string): void => say(bugReport(error, name, process.env).join('\n'));
