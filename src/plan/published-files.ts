/** What a plan would publish to a service that cannot read files of this machine. */
import { cleanText } from '../domain/clean.ts';
import { contentIn } from '../domain/content-path.ts';
import { derivedIn } from '../domain/derived-media.ts';
import type { Diagnostic } from '../domain/diagnostic.ts';
import { formatBytes } from '../domain/format.ts';
import type { Step } from '../domain/pipeline.ts';
import { isToBeMade, type Plan } from '../domain/plan.ts';
import { textsIn } from '../domain/texts.ts';
import { kindOf } from './kinds/index.ts';
import { sourceOf } from './plan-graph.ts';
import { messages } from './plan-messages.ts';

export interface PublishedFiles {
  /** Where to: `s3://films/in`. */
  readonly to: string;
  readonly files: number;
  /** Of those whose size is known: frames are taken, and files made, when they are used. */
  readonly bytes: number;
  readonly unmeasured: number;
}

/** Addresses of files of this machine in what is still to be sent, each once. */
export function localMediaIn({ instances }: Plan): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { step, decision, request } of instances) {
    const isSent = isToBeMade(decision) && kindOf(step).sent(step) !== undefined;
    if (!isSent) continue;
    for (const text of textsIn(request ?? {})) if (isLocalMedia(text)) found.add(text);
  }
  return found;
}

/** A whole text: a file of the author's, content, or a frame that is taken of it. */
export const isLocalMedia = (text: string): boolean =>
  /^file:\/\//i.test(text) ||
  /^sha256:[0-9a-f]{64}$/.test(text) ||
  (text.startsWith('/content/') && contentIn(text).length === 1) ||
  (text.startsWith('derived:') && derivedIn(text).length === 1);

/** An address that is over before a request's time is: a queue may be that long. */
export function shortLivedAddresses(plan: Plan, expires: number): readonly Diagnostic[] {
  const steps = new Set<Step>();
  for (const { step, request } of plan.instances)
    if (kindOf(step).sent(step) && [...textsIn(request ?? {})].some(isLocalMedia)) steps.add(step);
  return [...steps].flatMap(step => {
    const wait = longestWait(step);
    if (wait === undefined || wait <= expires) return [];
    const message = messages.addressesTooShort(step.name, expires, wait);
    const span = kindOf(step).sent(step)?.at ?? { start: 0, end: 0 };
    return [
      {
        severity: 'warning',
        code: 'short-lived-address',
        message,
        source: sourceOf(plan.pipeline, step),
        span,
      } as const,
    ];
  });
}

/** Milliseconds that the author gives it in the service's queue. */
function longestWait({ timeout }: Step): number | undefined {
  return timeout?.queue ?? timeout?.total;
}

/** `2 files (3.1 MB) to s3://films/in, for whoever has their addresses` */
export function publishedText({ to, files, bytes, unmeasured }: PublishedFiles): string {
  const what = `${files.toLocaleString('en-US')} ${files === 1 ? 'file' : 'files'}`;
  const size =
    unmeasured === 0 ? formatBytes(bytes) : bytes === 0 ? 'made meanwhile' : `${formatBytes(bytes)} and more`;
  return `${what} (${size}) to ${cleanText(to)}, if not there yet; whoever has an address of one can read it`;
}
