/** What a kind of step is called on the page, and what its result is: one row a kind; what is not named here is told as it is. */
import type { ReportedDecision, ReportedInstance, ReportedStep } from '../../../domain/run-report.ts';
import { STATE_WORDS } from '../../../telling/report/state-words.ts';

interface KindWords {
  /** Under its name. */
  readonly about: string;
  /** In a node of the graph, where no model makes it. */
  readonly maker: string;
  /** A person is asked: what takes the place of a picture is an answer. */
  readonly asks?: {
    readonly yes: string;
    readonly no: string;
    /** It chooses among several; otherwise it says yes or no to all. */
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
