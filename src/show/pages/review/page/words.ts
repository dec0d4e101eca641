/** Sentences of the review page. */

import type { ReportedDecision } from '../../../../model/run/run-report.ts';
import { asTyped } from '../../../../model/text/clean.ts';
import { counted } from '../../../../model/text/format.ts';
import { capital, moneyInWords, timeOfDay } from '../../parts/format.ts';
import type { LiveState, Rejection, ReviewHead, ReviewOption, ReviewQuestion } from '../review-state.ts';

/** To the program behind the page. `ended`: it has closed. */
export type Line = 'live' | 'lost' | 'ended';

const some = (keys: readonly string[]): string =>
  keys.length < 3 ? keys.join(' and ') : `${keys.slice(0, 2).join(', ')} and ${keys.length - 2} more`;

const quoted = (note: string | null): string => (note ? `: “${note}”` : '');

export const rejectedBy = ({ who, note }: Rejection): string => `rejected by ${who}${note ? `: ${note}` : ''}`;

export const byWhom = ({ by, who }: Pick<ReportedDecision, 'by' | 'who'>): string => {
  switch (by) {
    case 'rule':
      return 'its rule';
    case 'judge':
      return `the judge, ${who}`;
    case 'only':
      return 'being the only one';
    default:
      return who;
  }
};

export const words = {
  watched: (): string => 'Watching has ended; what was made is kept',
  saved: ({ savedAt }: LiveState): string => `Saved at ${timeOfDay(savedAt)}`,
  mistaken: (isAlone: boolean): string =>
    `The file has a mistake. What was made stays, and the next save is tried.${isAlone ? '' : ' Nothing can be decided until then.'}`,
  shots: ({ shots, mistakes }: LiveState): string => {
    const going = shots.filter(({ state }) => state === 'drawing' || state === 'waiting').length;
    const failed = shots.filter(({ state }) => state === 'failed').length;
    const there = shots.length - going - failed;
    if (shots.length === 0) return 'Nothing with a picture yet.';
    const parts = [
      ...(going > 0
        ? [`${going} of ${shots.length} being drawn`]
        : [`${counted(there, 'shot')} as the file ${mistakes === null ? 'is' : 'was before its mistake'}`]),
      ...(failed > 0 ? [`${failed} failed`] : []),
    ];
    return `${parts.join(', ')}.`;
  },
  begin: (): string =>
    'A number or a tap chooses. Each decision is in the lock at once; z or “Take it back” undoes it.',
  decided: (
    title: string,
    chosen: string,
    {
      next,
      isGoing,
      more,
    }: { readonly next: readonly string[]; readonly isGoing: boolean; readonly more: string | null },
  ): string => {
    const goes = !isGoing
      ? ''
      : next.length === 0
        ? ' The run goes on.'
        : ` ${some(next)} ${next.length === 1 ? 'goes' : 'go'} on.`;
    return `${title} is ${chosen}. In the lock.${goes}${more === null ? '' : ` ${capital(more)}.`}`;
  },
  decidedElsewhere: (title: string, chosen: string, decided: ReportedDecision): string =>
    `${title} was decided elsewhere, by ${byWhom(decided)}: ${chosen}.`,
  taken: (title: string, chosen: string, decided: ReportedDecision): string =>
    `${byWhom(decided)} was a moment quicker: ${title} is ${chosen}. Another choice replaces it.`,
  changed: (): string => 'That was changed elsewhere a moment ago: look again.',
  arrived: (title: string, name: string): string => `${capital(name)} of ${title} has arrived.`,
  unseen: (name: string): string => `${capital(name)} is not made yet. It can be chosen once it has been seen.`,
  unseenWhole: (): string => 'Not all of it is made yet. It can be approved once it has been seen.',
  begun: (has: number, of: number): string =>
    `${has} of ${of} chosen, best first. ${of - has} more; Esc lets go of them.`,
  rejected: (title: string, name: string, note: string | null): string =>
    `${capital(name)} of ${title} is rejected${quoted(note)}. That is in the lock${note === null ? '' : '; a file reads the note as `previous.note`'}.`,
  rejectingChosen: (name: string): string =>
    `${capital(name)} is what is chosen: choose another first, or take it back.`,
  noneLeft: (
    title: string,
    question: ReviewQuestion,
    { again }: ReviewHead,
  ): { text: string; command: string | null } => {
    const group = groupName(question);
    const costs = question.options.map(({ cost }) => cost);
    const usd = costs.some(cost => cost === null) ? null : costs.reduce<number>((sum, cost) => sum + (cost ?? 0), 0);
    return {
      text: `None of ${title} will do. ${capital(counted(question.options.length, 'new one'))} ${question.options.length === 1 ? 'costs' : 'cost'} ${moneyInWords(usd)}:`,
      command: group === null || again === '' ? null : `${again} --redo ${asTyped(group)}`,
    };
  },
  takenBack: (title: string): string => `${title} is as it was.`,
  refused: (why: string): string => `${capital(why)}.`.replace(/([.!?…`’”])\.$/, '$1'),
  allDecided: ({ run }: ReviewHead, questions: readonly ReviewQuestion[]): string => {
    if (questions.some(({ decided }) => !decided)) return 'Nothing more can be decided at this moment.';
    return run?.isGoing
      ? 'Everything is decided. The run goes on; this page may be closed.'
      : 'Everything is decided. To go on:';
  },

  /** At the head of the page. */
  live: (line: Line, { run, closed, file }: ReviewHead, questions: readonly ReviewQuestion[]): string => {
    if (line === 'ended') return `This review was closed; shotlist review ${file} opens it again`;
    if (line === 'lost') return 'The program behind this page does not answer; it is tried again and again';
    if (closed !== null) return 'Nothing can be decided at this moment';
    const undecided = questions.filter(({ decided, by }) => !decided && by === 'person');
    const making = questions.flatMap(({ options }) => options).filter(isBeingMade).length;
    const more = making === 0 ? '' : `; ${counted(making, 'take')} ${making === 1 ? 'is' : 'are'} still being made`;
    const isAsked = undecided.some(({ options }) => options.some(({ isReady }) => isReady));
    if (run?.isGoing)
      return `${isAsked ? 'The run waits for you' : undecided.length > 0 ? 'The run goes on' : 'All is decided; the run goes on'}${more}`;
    if (isAsked) return run ? 'The run has ended, and waits for you' : 'No run goes on; you decide beforehand';
    return undecided.length > 0 ? 'No run goes on' : 'All is decided';
  },
};

export const isBeingMade = ({ isReady, state }: ReviewOption): boolean =>
  !isReady && (state === 'queued' || state === 'running' || state === 'fetching');

/** Of what is not there: large, and what explains it. */
export function waitWords(option: ReviewOption, now: number): readonly [string, string] {
  const { state, fraction, place, waits, since } = option;
  const soFar = since === null ? '' : `, ${Math.max(0, Math.round((now - since) / 1000))} s so far`;
  if (place !== null) return [`Place ${place}`, 'in the queue'];
  if (fraction !== null) return [`${Math.round(fraction * 100)} %`, `being made${soFar}`];
  switch (state) {
    case 'queued':
      return ['Queued', waits ?? `at the service${soFar}`];
    case 'running':
      return ['Being made', soFar.slice(2)];
    case 'fetching':
      return ['Downloading', 'it is made'];
    case 'failed':
      return ['Failed', waits ?? 'the run tells why'];
    case 'blocked':
      return ['Blocked', waits ?? 'something before it failed'];
    case 'skipped':
    case 'left_out':
      return ['Left out', waits ?? 'it is no part of the run'];
    case 'waiting':
      return ['Waiting', waits ?? ''];
    default:
      return ['Not made', waits ?? 'the next run makes it'];
  }
}

// Names of questions and candidates on the page: what distinguishes them.

/** `best[beat=3]` → `Beat 3`; with other steps beside it, `best, beat 3`; without coordinates, `best`. */
export function titleOf({ key }: Pick<ReviewQuestion, 'key'>, all: readonly Pick<ReviewQuestion, 'key'>[]): string {
  const words = coordinateWords(key);
  if (words === '') return key;
  const step = stepIn(key);
  return all.every(one => stepIn(one.key) === step) ? capital(words) : `${step}, ${words}`;
}

/** `take 2`, where a take is all that distinguishes it; otherwise its whole name. */
export function optionName(option: ReviewOption, { options }: Pick<ReviewQuestion, 'options'>): string {
  const [name] = differing(options);
  if (name === undefined) return option.key;
  return `${name} ${option.coordinates[name]}`;
}

/** Of which step, where they are all of one: `shot[beat=3]`. */
function groupName({ options }: Pick<ReviewQuestion, 'options'>): string | null {
  const [first] = options;
  if (!first || options.some(({ step }) => step !== first.step)) return null;
  const shared = Object.entries(first.coordinates).filter(([name, value]) =>
    options.every(({ coordinates }) => coordinates[name] === value),
  );
  const step = stepIn(first.key);
  return shared.length === 0 ? step : `${step}[${shared.map(([name, value]) => `${name}=${value}`).join(',')}]`;
}

/** The one coordinate in which candidates of one step differ; empty where there is not just one. */
function differing(options: readonly ReviewOption[]): readonly string[] {
  const [first] = options;
  if (!first || options.length < 2 || options.some(({ key }) => stepIn(key) !== stepIn(first.key))) return [];
  const names = Object.keys(first.coordinates).filter(name =>
    options.some(({ coordinates }) => coordinates[name] !== first.coordinates[name]),
  );
  return names.length === 1 ? names : [];
}

/** The text before the last brackets: `scene[n=1]/best`. */
const stepIn = (key: string): string => (key.endsWith(']') ? key.slice(0, key.lastIndexOf('[')) : key);

function coordinateWords(key: string): string {
  const [, inside = ''] = /\[([^[\]]*)\]$/.exec(key) ?? [];
  return inside
    .split(',')
    .map(one => one.replace('=', ' '))
    .join(', ');
}
