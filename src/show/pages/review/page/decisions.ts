/** Decisions as the server gets them: what is open, what was chosen, whether it has taken effect, and how one is taken back. */
import type { ReportedDecision } from '../../../../model/run/run-report.ts';
import type { Rejection, ReviewAction, ReviewQuestion, ReviewState, Seen } from '../review-state.ts';

/** What this page did, and what was there before. */
export type Done =
  | { readonly is: 'decided'; readonly key: string; readonly before: ReportedDecision | null }
  | { readonly is: 'rejected'; readonly key: string; readonly option: string; readonly before: Rejection | null };

/** It can be decided, and is not. */
export const isOpen = ({ decided, options, by, is }: ReviewQuestion): boolean =>
  decided === null &&
  by === 'person' &&
  (is === 'pick' ? options.some(one => one.isReady) : options.every(one => one.isReady));

export const seenOf = ({ decided }: ReviewQuestion): Seen => (decided ? { at: decided.at, who: decided.who } : null);

export const idsOf = ({ options }: ReviewQuestion, { chosen }: ReportedDecision): readonly string[] => [
  ...new Set(chosen.flatMap(key => options.find(one => one.key === key)?.id ?? [])),
];

/** A person's earlier answer is given again; a rule's and a judge's are asked for again. */
export function undone(last: Done, question: ReviewQuestion): ReviewAction {
  const { key } = question;
  if (last.is === 'rejected') {
    const { option, before } = last;
    return before ? { do: 'reject', key, option, note: before.note } : { do: 'accept', key, option };
  }
  const { before } = last;
  const seen = seenOf(question);
  const isWord = before && before.by !== 'rule' && before.by !== 'judge' && before.by !== 'only';
  return isWord
    ? { do: 'decide', key, chosen: idsOf(question, before), note: before.note ?? '', seen }
    : { do: 'forget', key, seen };
}

export const toggled = (chosen: readonly string[], id: string): readonly string[] =>
  chosen.includes(id) ? chosen.filter(one => one !== id) : [...chosen, id];

export const isSame = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((one, at) => one === others[at]);

/** What came of it is to be seen. */
export function shows({ questions }: ReviewState, action: ReviewAction): boolean {
  const now = questions.find(({ key }) => key === action.key);
  if (!now) return true;
  const option = 'option' in action ? now.options.find(({ id }) => id === action.option) : undefined;
  switch (action.do) {
    case 'decide':
      return now.decided !== null && isSame(idsOf(now, now.decided), action.chosen);
    case 'forget':
      return now.decided === null;
    case 'reject':
      return option?.rejected !== null;
    case 'accept':
      return option?.rejected === null;
  }
}
