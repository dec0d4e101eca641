/** Names of kinds of steps on the page, and of their results: one row a kind; an unnamed kind is shown as it is. */
import type {
  ReportedDecision,
  ReportedFailure,
  ReportedInstance,
  ReportedStep,
} from '../../../../model/run/run-report.ts';
import { STATE_WORDS } from '../../../text/report/state-words.ts';

interface KindWords {
  /** Under its name. */
  readonly about: string;
  /** In a node of the graph, where no model makes it. */
  readonly maker: string;
  /** A person is asked: what takes the place of a picture is an answer. */
  readonly asks?: {
    readonly yes: string;
    readonly no: string;
    /** It chooses among several; otherwise it approves or rejects all. */
    readonly namesChosen: boolean;
  };
  /** Over the text that it came to. */
  readonly text?: string;
  /** Its text is what a program printed, in columns perhaps. */
  readonly isPrinted?: true;
}

const KINDS: Readonly<Record<string, KindWords>> = {
  run: { about: 'command', maker: 'command', isPrinted: true },
  chat: { about: 'chat', maker: 'chat', text: 'What it wrote' },
  cut: { about: 'cut, on this machine', maker: 'cut' },
  pick: {
    ...{ about: 'a choice', maker: 'a person' },
    asks: { yes: 'picked', no: 'nothing picked', namesChosen: true },
  },
  approve: {
    ...{ about: 'an approval', maker: 'a person' },
    asks: { yes: 'approved', no: 'not approved', namesChosen: false },
  },
};

export const wordsOfKind = (kind: string): KindWords =>
  (Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined) ?? { about: kind, maker: kind };

/** A person is asked, and nothing is made. */
export const isAsked = ({ kind }: { readonly kind: string }): boolean => wordsOfKind(kind).asks !== undefined;

/** What a decision came to, without what is chosen: `picked`, `not approved`. */
export function verdictOf(kind: string, { chosen }: Pick<ReportedDecision, 'chosen'>): string {
  const { asks } = wordsOfKind(kind);
  return (chosen.length === 0 ? asks?.no : asks?.yes) ?? 'picked';
}

/** What became of an instance. A question of the run may be decided since. */
export const becameWords = ({ state, decision }: ReportedInstance): string =>
  state === 'asks' && decision ? 'decided since' : STATE_WORDS[state];

/** `V-T2V-A, video, 6 × 3` */
export const summaryOfKind = ({ model, kind, by }: ReportedStep): string =>
  [model, wordsOfKind(kind).about, by].filter(Boolean).join(', ');

/** In a node of the graph: who makes it. @param decisions those of its instances: a judge may have chosen in the place of a person. */
export function makerOf({ model, kind }: ReportedStep, decisions: readonly ReportedDecision[]): string {
  const judges = new Set(decisions.filter(({ by }) => by === 'judge').map(({ who }) => who));
  const [judge] = judges;
  return model ?? (judges.size === 1 && judge !== undefined ? judge : wordsOfKind(kind).maker);
}

// A failure's code, as a sentence begins with it. What happened is in its message.

const TITLES: Readonly<Record<ReportedFailure['code'], string>> = {
  generation_failed: 'The service failed it',
  generation_cancelled: 'It was cancelled at the service',
  generation_lost: 'The service does not know it any more',
  request_refused: 'The service refused the request',
  submit_unknown: 'Nobody can tell whether it was taken',
  request_invalid: 'The request breaks a rule of the model',
  input_changed: 'A file was changed meanwhile',
  download_failed: 'The result could not be brought here',
  answer_invalid: 'The answer does not fit its schema',
  answer_refused: 'The model would not answer',
  frozen: 'It would have cost money',
  tokenize_failed: 'The fine-tune cannot be tokenized',
  command_failed: 'The command failed',
  cut_failed: 'The film could not be cut',
  effect_unknown: 'Nobody can tell whether it has acted',
  expression_failed: 'An expression could not be evaluated',
  until_not_held: 'No round held what was asked for',
  timed_out: 'It took too long',
  deployment_failed: 'Its model could not be brought up',
  blocked: 'Something it needs failed',
};

export const failureTitle = ({ code, here }: Pick<ReportedFailure, 'code' | 'here'>): string =>
  here ? 'It failed on this machine' : (TITLES[code] ?? code);
