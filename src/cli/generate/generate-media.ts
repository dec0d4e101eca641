/** One generation, as a run of one step: its intent is on the disk before its POST, and what was left open is taken up. */
import { formatSeconds } from '../../domain/format.ts';
import type { MediaResult } from '../../domain/result.ts';
import { systemClock } from '../../host/clock.ts';
import { type Outcome, start } from '../../run/run.ts';
import { runEnvironment } from '../../session/local-environment.ts';
import { say } from '../outlets.ts';
import type { GenerateOptions } from './generate-options.ts';
import { forcedExitLines, generationError } from './generation-error.ts';
import { GenerationProgress } from './generation-progress.ts';
import { ObservedPosts } from './observed-posts.ts';
import { undeliveredResult } from './workspace.ts';

/** @throws CommandError with an exit code when there is nothing to hand over. */
export async function generateMedia(options: GenerateOptions): Promise<MediaResult> {
  const { connection, step, workspace, label } = options;
  const sayNamed = (line: string) => say(`${label}: ${line}`);
  const before = undeliveredResult(workspace.journal, step.key);
  if (before?.is === 'media') {
    sayNamed('made before, and not handed over then: nothing is sent');
    return before;
  }
  if (!step.plan) throw new Error(`${step.film} was to be made, and has no plan`);
  const progress = new GenerationProgress(connection.service.name, sayNamed);
  const posts = new ObservedPosts(workspace, () => run.detach());
  const environment = runEnvironment({
    ...{ ...workspace, service: posts.service, context: step.context, reporters: [progress] },
    authorFiles: step.authorFiles,
    onUnknown: options.onUnknown,
    settings: { root: workspace.root, resume: options.again, onInterrupt: 'cancel' },
  });
  const run = start(step.plan, environment);
  const stop = () => {
    if (posts.isUnderWay) sayNamed('waiting for its answer, so that nothing is lost; Ctrl-C again ends it here');
    run.detach();
  };
  connection.signal.addEventListener('abort', stop);
  if (connection.signal.aborted) stop();
  connection.onForcedExit(() => forcedExitLines(options, progress, posts));
  const over = new AbortController();
  void sayWaiting(options, progress, AbortSignal.any([over.signal, connection.signal]));
  let outcome: Outcome;
  try {
    outcome = await run.done;
  } finally {
    over.abort();
    connection.signal.removeEventListener('abort', stop);
    connection.onForcedExit(() => []);
  }
  const result = outcome.results.get(step.key)?.result;
  if (result?.is === 'media') return result;
  throw generationError(outcome, options, progress, posts);
}

/** Milliseconds between signs of life. */
const HEARTBEAT = 30_000;
/** Milliseconds that a request may wait for its turn before that is said. */
const TURN = 3_000;

async function sayWaiting(
  { label, sync }: GenerateOptions,
  progress: GenerationProgress,
  over: AbortSignal,
): Promise<void> {
  await systemClock.sleep(TURN, over);
  if (over.aborted) return;
  if (progress.sentAt === undefined)
    say(`${label}: waits for its turn: other runs of this project have as much under way as your limits allow`);
  while (sync) {
    await systemClock.sleep(HEARTBEAT, over);
    if (over.aborted) return;
    if (progress.sentAt !== undefined)
      say(`${label}: still at work after ${formatSeconds((systemClock.now() - progress.sentAt) / 1000)}`);
  }
}
