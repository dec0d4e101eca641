/** What a film has to be decided, or has had decided, as the review page draws it: the plan as it is now, beside the newest run. */
import { isInQueue } from '../../api/queue.ts';
import type { Instance } from '../../model/plan.ts';
import { type Rejections, shownRejection } from '../../model/run/choice.ts';
import { coordinateText, type InstanceKey } from '../../model/run/key.ts';
import { isStored, pieceOf, type Result } from '../../model/run/result.ts';
import type { ReportedInstance, ReportedMedia, ReportedState, RunReport } from '../../model/run/run-report.ts';
import { cleanText, safeLines, safeUnpainted } from '../../model/text/clean.ts';
import { decides, labelOf } from '../../plan/kinds/index.ts';
import { resultsIn } from '../../plan/owned/owned-result.ts';
import { resolve } from '../../plan/values/resolve.ts';
import type { Progress } from '../../records/views/progress.ts';
import type { ReviewOption, ReviewQuestion } from '../../show/pages/review/review-state.ts';
import { mediaOf } from '../../show/text/report/reported-media.ts';
import { decisionOf } from '../../show/text/report/reported-questions.ts';
import { clipped, promptOf, seedOf } from '../../show/text/report/request-text.ts';
import { type FilmCandidate, type FilmQuestion, questionAt } from '../choices/film-questions.ts';
import type { Film } from '../film/open-film.ts';

interface UnderReview {
  readonly film: Film;
  /** The newest run of it for the same service. */
  readonly report: RunReport | undefined;
  readonly progress: ReadonlyMap<string, Progress>;
  readonly rejections: Rejections;
}

export function questionsUnderReview(under: UnderReview): readonly ReviewQuestion[] {
  const { film, report } = under;
  const byKey = new Map<string, ReportedInstance>((report?.instances ?? []).map(one => [one.key, one]));
  const readers = readersIn(film);
  return [...film.plan.instances].flatMap(instance => {
    const is = instance.decision.is;
    if (decides(instance.step) === undefined || is === 'skip' || is === 'left_out') return [];
    const asked = questionAt(film, instance);
    return 'why' in asked ? [] : [questionOf(asked, { ...under, byKey, readers })];
  });
}

interface Context extends UnderReview {
  readonly byKey: ReadonlyMap<string, ReportedInstance>;
  readonly readers: ReadonlyMap<InstanceKey, readonly InstanceKey[]>;
}

function questionOf(question: FilmQuestion, context: Context): ReviewQuestion {
  const { key, asking, choice } = question;
  const { secrets } = context.film;
  const options = question.candidates.map(one => optionOf(one, question, context));
  const decided = choice ? decisionOf(choice) : null;
  return {
    ...{ key, is: asking.is, count: Math.min(asking.count, asking.from.length), by: asking.by },
    ask: safeLines(secrets.redact(question.ask)),
    options,
    decided: decided && secrets.redactIn(decided),
    next: context.readers.get(key) ?? [],
  };
}

function optionOf(candidate: FilmCandidate, { choice, asking }: FilmQuestion, context: Context): ReviewOption {
  const { id, key, result, usd } = candidate;
  const { film, byKey, progress, rejections } = context;
  const instance = film.plan.instances.get(key);
  const reported = byKey.get(key);
  const piece = result && pieceOf(result);
  const media = piece && isStored(piece) ? mediaOf(piece) : null;
  const asked = reported?.prompt || reported?.seed ? reported : askedOf(film, instance);
  const live = result ? undefined : progress.get(key);
  const attempt = reported?.attempts.at(-1);
  const scoreAt = choice?.scores?.[asking.from.indexOf(id)];
  const { secrets } = film;
  const rejection = rejections.get(id);
  return {
    ...{ id, key, step: instance?.step.name ?? '', coordinates: coordinatesShown(instance) },
    ...{ isReady: result !== undefined, state: stateOf(result, reported) },
    ...liveOf(live),
    waits: result ? null : waitsFor(reported),
    since: result || attempt?.ended !== null ? null : attempt.queued,
    ...{ media, isHere: media === null || isHere(film, media) },
    text: piece ? textOf(piece, text => secrets.redact(text)) : null,
    prompt: asked?.prompt ?? null,
    model: cleanText(instance ? labelOf(instance.step) : (reported?.model ?? '')),
    ...{ seed: asked?.seed ?? null, cost: usd },
    seconds: secondsOf(reported),
    generation: piece?.is === 'media' ? shownId(piece.generation_id) : (reported?.generation ?? null),
    score: scoreAt
      ? { score: scoreAt.score, words: scoreAt.words === undefined ? null : safeLines(scoreAt.words) }
      : null,
    rejected: rejection ? shownRejection(rejection) : null,
  };
}

/** What it waits for, or why it came to nothing. */
const waitsFor = (reported: ReportedInstance | undefined): string | null =>
  reported?.waitsFor ?? reported?.failure?.message ?? null;

const shownId = (id: string | null | undefined): string | null => (id ? cleanText(id) : null);

const isHere = ({ store }: { readonly store: Pick<Film['store'], 'has'> }, { sha256 }: ReportedMedia): boolean =>
  store.has(sha256);

function coordinatesShown(instance: Instance | undefined): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(instance?.coordinates ?? {}).map(([name, value]) => [name, cleanText(coordinateText(value))]),
  );
}

/** The run's state of it, unless it is there. */
function stateOf(result: Result | undefined, reported: ReportedInstance | undefined): ReportedState {
  if (result) return reported?.state === 'made' ? 'made' : 'reused';
  const state = reported?.state ?? 'not_run';
  // The run had it, and it is gone from this machine or was asked for otherwise since.
  return state === 'made' || state === 'reused' ? 'not_run' : state;
}

function liveOf(live: Progress | undefined): Pick<ReviewOption, 'fraction' | 'place'> {
  if (!live) return { fraction: null, place: null };
  return isInQueue(live.status)
    ? { fraction: null, place: live.position }
    : { fraction: live.fraction === null ? null : Math.min(1, Math.max(0, live.fraction)), place: null };
}

/** Without a run that has it: the plan's. */
function askedOf(film: Film, instance: Instance | undefined): Pick<ReviewOption, 'prompt' | 'seed'> | undefined {
  if (!instance) return undefined;
  const resolved = resolve(film.plan, instance, resultsIn(film.plan), film.context);
  if (!('shown' in resolved)) return undefined;
  const shown = film.secrets.redactIn(resolved.shown);
  return { prompt: promptOf(shown), seed: seedOf(shown) };
}

function secondsOf(reported: ReportedInstance | undefined): number | null {
  const made = reported?.attempts.findLast(({ is, ended }) => is === 'made' && ended !== null);
  // From the submission, as the run counts: a service may report that it works on a request only once that has ended.
  return made?.ended ? Math.max(0, made.ended - made.queued) / 1000 : null;
}

function textOf(piece: ReturnType<typeof pieceOf>, hide: (text: string) => string): string | null {
  const text = piece.is === 'text' ? piece.text : piece.is === 'command' ? piece.stdout : '';
  return text === '' ? null : clipped(safeUnpainted(hide(text)));
}

/** Who waits for a decision: what goes on when it is there. */
function readersIn({ plan }: Film): ReadonlyMap<InstanceKey, readonly InstanceKey[]> {
  const readers = new Map<InstanceKey, InstanceKey[]>();
  for (const { key, step, needs, decision } of plan.instances) {
    if (decides(step) !== undefined || decision.is === 'hit' || decision.is === 'left_out') continue;
    for (const need of needs) {
      const others = readers.get(need);
      if (others) others.push(key);
      else readers.set(need, [key]);
    }
  }
  return readers;
}

/** The same from a run alone, where the film's file cannot be read now: to be looked at, and not to be decided. */
export function questionsOfReport(report: RunReport, store: Pick<Film['store'], 'has'>): readonly ReviewQuestion[] {
  const byKey = new Map(report.instances.map(one => [one.key, one]));
  return report.questions.map(({ key, is, ask, count, options: given, decided }): ReviewQuestion => {
    const options = given.map(({ key: of, id }) => reportedOption(of, id, byKey.get(of), store));
    return { ...{ key, is, ask, count, by: 'person', decided, options, next: [] } };
  });
}

function reportedOption(
  key: InstanceKey,
  id: string | null,
  instance: ReportedInstance | undefined,
  store: Pick<Film['store'], 'has'>,
): ReviewOption {
  const media = instance?.media ?? null;
  return {
    ...{ id: id ?? key, key, step: instance?.step ?? '', coordinates: instance?.coordinates ?? {} },
    state: instance?.state ?? 'not_run',
    isReady: instance?.state === 'made' || instance?.state === 'reused',
    ...{ fraction: null, place: null, waits: waitsFor(instance), since: null },
    ...{ media, isHere: media === null || isHere({ store }, media), text: instance?.text ?? null },
    ...{ prompt: instance?.prompt ?? null, model: instance?.model ?? '', seed: instance?.seed ?? null },
    ...{ cost: instance?.cost ?? instance?.price ?? null, generation: instance?.generation ?? null },
    ...{ seconds: secondsOf(instance), score: null, rejected: instance?.rejected ?? null },
  };
}
