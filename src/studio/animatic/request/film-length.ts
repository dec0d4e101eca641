/**
 * How long a film will be. The document has many spellings: `5`, `"8s"`, `-1`, `"auto"`, or nothing. Where it is left to the
 * model, the prompt decides: its last timestamp, or so long for each of its shots; and the slate shows that it was chosen.
 */
import { type RenderJob, RenderRefusal } from '../job.ts';
import { readPrompt } from '../prompt/read-prompt.ts';
import { lastMoment } from '../prompt/shot-list.ts';
import labels from './data/labels.json' with { type: 'json' };
import { number, seedOf, text } from './request-fields.ts';

export interface Length {
  readonly seconds: number;
  /** For the slate: `5 s chosen`; empty where the author gave a length. */
  readonly notes: readonly string[];
}

/** What the document says of a label: its Limits, and what its example asks for. */
interface LabelFacts {
  /** Seconds that a request may ask for, also in ways that the schema cannot read: `"00:40"`. */
  readonly longest?: number;
  /** Seconds, where the length is left to the model. */
  readonly chosen?: readonly [least: number, most: number];
  /** Seconds, where the request has no duration at all. */
  readonly usual?: number;
  readonly resolution?: string;
}
export const factsOf = (label: string): LabelFacts =>
  (labels as unknown as { [label: string]: LabelFacts })[label] ?? {};

/** Seconds that an author may ask for where the document shows no bound. */
const MOST_ASKED = 60;
const ONE_SHOT = 5;
const EACH_SHOT = 3;

/** `needed`: seconds that something else in the film takes; a chosen length has room for it. */
export function lengthOf({ label, request }: Pick<RenderJob, 'label' | 'request'>, needed = 0): Length {
  const { longest = MOST_ASKED, chosen: [least, most] = [2, 15], usual = 5 } = factsOf(label);
  const asked = askedSeconds(request);
  if (asked === undefined) return { seconds: usual, notes: [] };
  if (asked !== 'chosen' && asked > longest + 0.001)
    throw new RenderRefusal(`duration ${asked} s is more than the ${longest} s of ${label}: ask for less`);
  if (asked !== 'chosen') return { seconds: asked, notes: [] };
  const prompt = text(request, 'prompt') ?? '';
  const shots = readPrompt(prompt, { duration: most, seed: seedOf(request) }).length;
  const described = lastMoment(prompt) ?? (shots === 1 ? ONE_SHOT : shots * EACH_SHOT);
  const seconds = Math.min(most, Math.max(least, Math.ceil(Math.max(described, needed))));
  return { seconds, notes: [`${seconds} s chosen`] };
}

/** `undefined`: the request has no duration; `chosen`: -1, `auto`, or words that are no number. */
export function askedSeconds(request: RenderJob['request']): number | 'chosen' | undefined {
  const written = text(request, 'duration');
  const seconds = number(request, 'duration') ?? (written === undefined ? undefined : spelledOut(written));
  if (seconds === undefined) return undefined;
  return seconds > 0 ? seconds : 'chosen';
}

/** `8s`, `8.5 seconds`, `00:08`. */
function spelledOut(written: string): number {
  const [, minutes, rest] = /^\s*(\d+):(\d{1,2}(?:\.\d+)?)\s*$/.exec(written) ?? [];
  return minutes === undefined ? Number.parseFloat(written) : Number(minutes) * 60 + Number(rest);
}
