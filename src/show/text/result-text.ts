/** A result in a few words. */

import type { MediaFacts } from '../../model/media/media.ts';
import { type Choice, deciderName } from '../../model/run/choice.ts';
import { unreachable } from '../../model/run/failure.ts';
import type { CommandResult, Result, TextResult, TuningResult } from '../../model/run/result.ts';
import { everyFile, isCutOff } from '../../model/run/result.ts';
import { cleanText, messageText } from '../../model/text/clean.ts';
import { counted, formatBytes, formatSeconds, listed } from '../../model/text/format.ts';
import { wordsIn } from '../../model/text/word-difference.ts';

/** `1280×720, 6.0s, 4.1 MB`; for a command what it left behind. */
export const resultText = (result: Result): string => (TEXTS[result.is] as (result: Result) => string)(result);

export function mediaTexts(media: MediaFacts): readonly string[] {
  const size = media.width !== undefined && media.height !== undefined ? [`${media.width}×${media.height}`] : [];
  return [...size, ...(media.duration !== undefined ? [formatSeconds(media.duration)] : [])];
}

const writtenText = ({ text, finish_reason }: TextResult): string =>
  `${counted(wordsIn(text), 'word')}${isCutOff(finish_reason) ? ', cut off at the limit of its tokens' : ''}`;

/** What a service calls the state is its own word. */
function tuningText({ fine_tune: { status }, ready }: TuningResult): string {
  if (ready === false) return 'tokenization has begun; this service does not tell when it is ready';
  return typeof status === 'string' ? `the fine-tune is ${cleanText(status)}` : 'the fine-tune is tokenized';
}

function filesText({ files }: CommandResult): string {
  const left = everyFile(files).length;
  return left === 0 ? 'done' : `left ${counted(left, 'file')}`;
}

/** `chosen by Ada: it breathes`, `chosen by its rule`, `the only one`. */
function decidedBy(choice: Pick<Choice, 'by' | 'who' | 'login' | 'note'>): string {
  const { by, who, note } = choice;
  const why = note === undefined ? '' : `: ${messageText(note)}`;
  switch (by) {
    case 'only':
      return 'the only one';
    case 'rule':
      return 'chosen by its rule';
    case 'promoted':
      return `picked in another profile${who === 'rule' || who === 'judge' ? '' : ` by ${cleanText(who)}`}${why}`;
    case 'judge':
    case 'person':
    case 'flag':
      return `chosen by ${cleanText(deciderName(choice))}${why}`;
    default:
      return unreachable(by);
  }
}

/** `shot[take=2], chosen by Ada: it breathes`; of an approval `approved by Ada`. */
export function choiceText(choice: Choice): string {
  if (choice.asked !== undefined && choice.by !== 'rule' && choice.by !== 'judge')
    return approvedBy(choice.chosen.length > 0, choice);
  const names = choice.chosen.map(one => cleanText(choice.called[choice.from.indexOf(one)] ?? ''));
  return `${listed(names)}, ${decidedBy(choice)}`;
}

/** `approved by Ada`, `not approved by Ada: the logo is bent`. */
export const approvedBy = (isApproved: boolean, { note, ...by }: Pick<Choice, 'who' | 'login' | 'note'>): string =>
  `${isApproved ? 'approved' : 'not approved'} by ${cleanText(deciderName(by))}${note === undefined ? '' : `: ${messageText(note)}`}`;

const TEXTS: { readonly [K in Result['is']]: (result: Extract<Result, { readonly is: K }>) => string } = {
  media: ({ media, bytes }) => [...mediaTexts(media), formatBytes(bytes)].join(', '),
  text: writtenText,
  command: filesText,
  fine_tune: tuningText,
  picked: ({ chosen, choice }) => `${listed(chosen.map(({ key }) => cleanText(key)))}, ${decidedBy(choice)}`,
  round: ({ round, result, otherwise }) =>
    `round ${round}${otherwise ? ', though it does not hold' : ''}: ${resultText(result)}`,
  approved: ({ approved, choice }) => approvedBy(approved, choice),
  outputs: ({ outputs }) => counted(Object.keys(outputs).length, 'output'),
};
