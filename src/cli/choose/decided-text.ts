/** What was decided, over what, and what follows from it. */

import { type Decided, type Following, followingFrom } from '../../app/choices/choose.ts';
import type { FilmQuestion } from '../../app/choices/film-questions.ts';
import type { InstanceKey } from '../../model/run/key.ts';
import { cleanText } from '../../model/text/clean.ts';
import { formatUsd, listed } from '../../model/text/format.ts';
import { choiceText } from '../../show/text/result-text.ts';
import { say } from '../outlets.ts';
import type { Session } from '../session/session.ts';

export interface DecidedHere {
  readonly question: FilmQuestion;
  readonly outcome: Decided;
}

/** @param followed what a team that makes the film does now; absent: no team makes it. */
export function printDecided(
  decided: readonly DecidedHere[],
  { session, again, going }: DecidedFilm,
  followed?: readonly string[],
): void {
  const isMade = (id: string) => going !== undefined && session.journal.views.owned.has(id);
  const maker =
    going !== undefined || session.isRunning(session.journal.views.film) ? 'the run that goes on' : 'the next run';
  for (const one of decided) for (const line of decidedLines(one, { isMade, maker })) say(line);
  if (decided.some(({ outcome }) => outcome.is === 'kept'))
    for (const line of followingLines(decided, session, again, followed)) say(line);
}

interface Making {
  /** A candidate is made, though its bytes have not come as far as this machine. */
  readonly isMade: (id: string) => boolean;
  readonly maker: string;
}

/** The lines about one question. */
export function decidedLines({ question, outcome }: DecidedHere, making: Making): readonly string[] {
  const key = cleanText(question.key);
  switch (outcome.is) {
    case 'unwritable':
      return [`${key} could not be kept: the journal cannot be written`];
    case 'same':
      return [`${key} is ${choiceText(outcome.choice)}, as before`];
    case 'taken':
      return [`${key} is ${choiceText(outcome.choice)}, a moment ago; say it once more to change that`];
    case 'kept': {
      const { choice, before } = outcome;
      const instead = before ? `; it was ${choiceText(before)}` : overText(question, choice.chosen);
      return [`${key} is ${choiceText(choice)}${instead}`, ...unmadeLines(question, choice.chosen, making)];
    }
  }
}

function overText({ asking }: FilmQuestion, chosen: readonly string[]): string {
  const others = asking.called.filter((_, place) => !chosen.includes(asking.from[place] ?? ''));
  return asking.is === 'approve' || others.length === 0 ? '' : ` (over ${someOf(others)})`;
}

function unmadeLines(
  { asking, candidates }: FilmQuestion,
  chosen: readonly string[],
  { isMade, maker }: Making,
): readonly string[] {
  if (asking.is === 'approve') return [];
  const unmade = candidates.filter(({ id, result }) => chosen.includes(id) && result === undefined && !isMade(id));
  return unmade.map(({ key }) => `  ${cleanText(key)} is not made yet: ${maker} makes it, and none of those that lost`);
}

/** What waits for the chosen results has no result yet, and is not open: it is decided. */
const askedAgain = (decided: readonly DecidedHere[], { asked }: Following): readonly InstanceKey[] =>
  asked.filter(key => !decided.some(({ question }) => question.key === key));

function followingLines(
  decided: readonly DecidedHere[],
  session: Session,
  again: string,
  followed?: readonly string[],
): readonly string[] {
  const { plan, isRunning, journal } = session;
  const following = followingFrom(session);
  const asked = askedAgain(decided, following);
  const made = [
    ...(following.again.length === 0 ? [] : [`made again because of it: ${followingText(following)}`]),
    ...(asked.length === 0 ? [] : [`to be decided again because of it: ${someOf(asked)}`]),
  ];
  if (followed) return [...made, ...followed];
  if (plan.instances.size > 0 && isRunning(journal.views.film))
    return [
      ...made,
      'a run of this film is going on: where it still waits for this, it goes on now; else the next one follows it',
    ];
  return [...made, `to go on: ${again}`];
}

/** `up[beat=3] and film, about $0.80`; or that it costs nothing. */
export function followingText({ again, usd, unpriced }: Following): string {
  const unknown = unpriced === 0 ? '' : `${usd > 0 ? ' and ' : ', '}${unpriced} without a known price`;
  return `${someOf(again)}${usd > 0 ? `, about ${formatUsd(usd)}` : unpriced === 0 ? ', nothing to pay' : ''}${unknown}`;
}

export function decidedJson(decided: readonly DecidedHere[], session: Session) {
  const following = followingFrom(session);
  const { again, usd, unpriced } = following;
  return {
    version: 1,
    decided: decided.flatMap(({ question: { key, asking }, outcome }) =>
      outcome.is === 'unwritable'
        ? []
        : [
            {
              ...{ key, is: asking.is, outcome: outcome.is },
              ...(asking.is === 'approve'
                ? { approved: outcome.choice.chosen.length > 0 }
                : { chosen: namesOf(asking, outcome.choice.chosen) }),
              ...{ candidates: asking.called, by: outcome.choice.by, who: outcome.choice.who },
              ...{ at: new Date(outcome.choice.at).toISOString(), note: outcome.choice.note ?? null },
            },
          ],
    ),
    made_again: { instances: again, usd, unpriced },
    asked_again: askedAgain(decided, following),
  };
}

export interface DecidedFilm extends AsyncDisposable {
  readonly file: string;
  readonly profile: string | null;
  readonly session: Session;
  /** Options that say which film is meant, as they are typed. */
  readonly options: string;
  /** The command that goes on with it, as a person types it. */
  readonly again: string;
  /** The command that shows it in a browser; absent where no run of a team is there to show. */
  readonly review?: string;
  /** The run of a team that goes on at the moment: absent where none does. */
  readonly going?: string;
  /** Notifies the team that makes it of a decision, and gives the lines about that. Absent: no team makes it. */
  readonly decided?: () => Promise<readonly string[]>;
}

type Named = Pick<FilmQuestion['asking'], 'from' | 'called'>;

/** What ids are called. */
export const namesOf = ({ from, called }: Named, chosen: readonly string[]): readonly InstanceKey[] =>
  chosen.flatMap(one => called[from.indexOf(one)] ?? []);

const MOST = 6;

/** `a, b and c` */
export function someOf(keys: readonly string[]): string {
  const names = keys.slice(0, MOST).map(cleanText);
  if (keys.length > MOST) return `${names.join(', ')} and ${keys.length - MOST} more`;
  return listed(names);
}
