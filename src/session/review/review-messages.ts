/** What the review page is told about a film and about a decision. */
import { cleanText } from '../../domain/clean.ts';
import { formatUsd } from '../../domain/format.ts';
import { listed } from '../../domain/listed.ts';

const MOST = 3;
const some = (keys: readonly string[]): string => {
  const names = keys.slice(0, MOST).map(cleanText);
  return keys.length > MOST ? `${names.join(', ')} and ${keys.length - MOST} more` : listed(names);
};

export const messages = {
  mistaken: (file: string, first: string | undefined): string =>
    `${cleanText(file)} has a mistake, and nothing can be decided until it is mended${first === undefined ? '' : `: ${cleanText(first)}`}`,
  unreadable: (file: string, why: string): string =>
    `${cleanText(file)} cannot be read at this moment, and nothing can be decided: ${cleanText(why)}`,
  noQuestion: (key: string): string => `${cleanText(key)} is no question of this film any more`,
  notYet: (key: string, why: string): string => `${cleanText(key)} cannot be decided yet: ${cleanText(why)}`,
  otherCandidates: (key: string): string =>
    `there is something else to choose from for ${cleanText(key)} now than what you saw: look again`,
  unseen: (): string => 'it is not made yet: it can be chosen once it has been seen',
  howMany: (count: number): string => `${count} ${count === 1 ? 'is' : 'are'} to be chosen`,
  wholeOrNothing: (): string => 'an approval is of all that is shown, or of nothing',
  unwritable: (): string => 'the journal cannot be written: nothing was decided',
  lockUnwritten: (why: string): string =>
    `it is decided, and the journal has it, but the lock could not be written: ${cleanText(why)}; the next run writes it`,
  lockUnmended: (why: string): string => `it stays decided: the lock could not be written: ${cleanText(why)}`,
  madeAgain: (keys: readonly string[], usd: number, unpriced: number): string => {
    const money = usd > 0 ? `, about ${formatUsd(usd)}` : unpriced === 0 ? ', nothing to pay' : '';
    const unknown = unpriced === 0 ? '' : `, ${unpriced} without a known price`;
    return `the next run makes ${some(keys)} again${money}${unknown}`;
  },
  running: (key: string): string =>
    `the run has gone on with it already: another number replaces it, and \`shotlist pick --undo\` forgets ${cleanText(key)} once the run has ended`,
  nothingToForget: (): string => 'nothing is decided here',
};
