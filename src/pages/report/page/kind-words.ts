/** What a kind of step is called on the page, and what its result is: one row a kind; what is not named here is told as it is. */
import type { ReportedDecision, ReportedStep } from '../../../domain/run-report.ts';

interface KindWords {
  /** Under its name. */
  readonly about: string;
  /** In a node of the graph, where no model makes it. */
  readonly maker: string;
  /** A person is asked: what takes the place of a picture is an answer. */
  readonly asks?: { readonly yes: string; readonly no: string; readonly namesChosen: boolean };
  /** Over the text that it came to. */
  readonly text?: string;
}

const KINDS: Readonly<Record<string, KindWords>> = {
  run: { about: 'command', maker: 'command' },
  chat: { about: 'chat', maker: 'chat', text: 'What it wrote' },
  cut: { about: 'cut, on this machine', maker: 'cut' },
  pick: {
    ...{ about: 'a choice', maker: 'a person' },
    asks: { yes: 'Picked', no: 'Nothing picked', namesChosen: true },
  },
  approve: {
    ...{ about: 'an approval', maker: 'a person' },
    asks: { yes: 'Approved', no: 'Not approved', namesChosen: false },
  },
};

export const wordsOfKind = (kind: string): KindWords =>
  (Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined) ?? { about: kind, maker: kind };

/** A person is asked, and nothing is made. */
export const isAsked = ({ kind }: { readonly kind: string }): boolean => wordsOfKind(kind).asks !== undefined;

/** `V-T2V-A, video, 6 × 3` */
export const summaryOfKind = ({ model, kind, by }: ReportedStep): string =>
  [model, wordsOfKind(kind).about, by].filter(Boolean).join(', ');

/** In a node of the graph: who makes it. @param decisions those of its instances: a judge may have chosen in the place of a person. */
export function makerOf({ model, kind }: ReportedStep, decisions: readonly ReportedDecision[]): string {
  const judges = new Set(decisions.filter(({ by }) => by === 'judge').map(({ who }) => who));
  const [judge] = judges;
  return model ?? (judges.size === 1 && judge !== undefined ? judge : wordsOfKind(kind).maker);
}
