/** `shotlist pick FILE best[beat=3] take=2`: a person chooses, also while a run of the film goes on; `pick FILE` lists what is open. */

import { decide, followingFrom, forget } from '../../app/choices/choose.ts';
import { type FilmQuestion, openQuestions, questionAt } from '../../app/choices/film-questions.ts';
import { whoDecides } from '../../app/choices/who-decides.ts';
import { systemClock } from '../../machine/time/clock.ts';
import { asTyped, cleanText } from '../../model/text/clean.ts';
import { messages } from '../../plan/selector-messages.ts';
import { lockOnDisk } from '../../records/lock/lock-keeper.ts';
import { choiceText } from '../../show/text/result-text.ts';
import { oneFile, UsageError } from '../arguments.ts';
import { askQuestions, isInteractive } from '../choose/ask-questions.ts';
import {
  type DecidedFilm,
  type DecidedHere,
  decidedJson,
  followingText,
  namesOf,
  printDecided,
  someOf,
} from '../choose/decided-text.ts';
import { questionsJson, questionsText } from '../choose/questions-text.ts';
import { type Read, readArguments } from '../command-line/read-arguments.ts';
import { CommandError, withExitCode } from '../errors/command-error.ts';
import type { ExitCode } from '../errors/exit-codes.ts';
import { jsonText, print, say } from '../outlets.ts';
import {
  type FilmValues,
  filmCommand,
  filmOptions,
  givenName,
  leaveParamsOutOfTitle,
} from '../session/film-options.ts';
import { decisionsNamed, namedAnswers } from '../session/named-answers.ts';
import { filmAtService } from '../session/session.ts';

export const main = withExitCode(args => choosing('pick', args));

export async function choosing(is: 'pick' | 'approve', args: readonly string[]): Promise<ExitCode> {
  const { values, positionals } = readArguments(is, args);
  const [path, ...words] = positionals;
  const file = oneFile(path === undefined ? [] : [path], is);
  leaveParamsOutOfTitle(is, file, values.param);
  givenName(values.as);
  const isNo = 'no' in values && values.no === true;
  if (values.undo) {
    if (isNo) throw new UsageError('--no rejects, and --undo forgets the answer; leave one out');
    return undoChoices({ is, file, words, values });
  }
  if (isNo && words.length === 0) throw new UsageError('--no says no to what? shotlist approve FILE ok --no');
  await using film = await filmToDecide(file, values, 'look');
  const { session, profile, again, review, options } = film;
  const { answers, mistakes } = namedAnswers(words, is, session);
  if (mistakes.length > 0) throw new UsageError(...mistakes);
  const unanswered = answers.filter(({ chosen }) => is === 'pick' && chosen === undefined).map(one => one.question);
  const isAsked = words.length === 0 || unanswered.length > 0;
  if (isAsked && unanswered.length < answers.length)
    throw new UsageError(...unanswered.map(({ key }) => messages.howMany(key, 1, 0)));
  const who = () => whoDecides({ given: values.as, environment: process.env, folder: session.root });
  if (isAsked) {
    const open = openQuestions(session).filter(({ asking }) => asking.is === is);
    const questions = words.length === 0 ? open : unanswered;
    if (!values.json && questions.length > 0 && isInteractive()) return await askQuestions(questions, film, who);
    print(
      values.json
        ? jsonText(questionsJson(questions))
        : questionsText(questions, { is, file, profile, options, again, review }),
    );
    return 0;
  }
  const name = await who();
  const decided: DecidedHere[] = [];
  for (const { question, chosen } of answers) {
    const ids = is === 'pick' ? (chosen ?? []) : isNo ? [] : question.asking.from;
    const note = values.note?.trim();
    const answer = { chosen: ids, who: name, at: systemClock.now(), note };
    decided.push({ question, outcome: await decide(session, question, answer, lockOnDisk(session.lockPath)) });
  }
  const followed = decided.some(({ outcome }) => outcome.is === 'kept') ? await film.decided?.() : undefined;
  if (values.json) print(jsonText(decidedJson(decided, session)));
  else printDecided(decided, film, followed);
  return stopped(decided) ?? 0;
}

/** Another process was quicker, or the disk is full: no decision is lost silently. */
function stopped(decided: readonly DecidedHere[]): ExitCode | undefined {
  if (decided.some(({ outcome }) => outcome.is === 'unwritable'))
    throw new CommandError(1, 'the journal cannot be written: nothing was decided');
  return decided.some(({ outcome }) => outcome.is === 'taken') ? 1 : undefined;
}

/** @param to `run`: no other process may run it meanwhile. @throws CommandError, UsageError, Refusal */
async function filmToDecide(
  file: string,
  given: FilmValues & { readonly on?: string | undefined },
  to: 'run' | 'look',
): Promise<DecidedFilm> {
  if (given.on !== undefined)
    return (await import('../team/film-to-decide-in-team.ts')).filmToDecideInTeam(file, given, given.on);
  const film = await filmAtService(file, given, { to });
  const { session, choice } = film;
  const { profile } = choice;
  const options = filmOptions(given, session.pipeline);
  const command = (verb: 'run' | 'review') => filmCommand(verb, { file, profile, values: given }, session.pipeline);
  return {
    ...{ file, profile: profile ?? null, session, options },
    ...{ again: command('run'), review: command('review') },
    [Symbol.asyncDispose]: () => film[Symbol.asyncDispose](),
  };
}

interface Undoing {
  readonly is: 'pick' | 'approve';
  readonly file: string;
  /** Picks or approvals, or instances of them. */
  readonly words: readonly string[];
  readonly values: Read<'pick'>['values'];
}

async function undoChoices({ is, file, words, values }: Undoing): Promise<ExitCode> {
  if (words.length === 0) throw new UsageError(`which is forgotten? shotlist ${is} ${asTyped(file)} STEP --undo`);
  if (values.note !== undefined)
    throw new UsageError('--note is kept with a choice, and --undo leaves none; leave one out');
  await using film = await filmToDecide(file, values, 'run');
  const { session, again } = film;
  const { instances, mistakes } = decisionsNamed(words, session.plan);
  if (mistakes.length > 0) throw new UsageError(...mistakes);
  const asked = instances.map(instance => questionAt(session, instance)).filter(one => 'asking' in one);
  const others = asked.filter(({ asking }) => asking.is !== is).map(one => one.key);
  if (others.length > 0) throw new UsageError(otherKind(is, file, others));
  const decided = asked.filter(({ choice }) => choice !== undefined);
  if (decided.length === 0)
    throw new UsageError(`nothing is chosen yet of ${words.map(asTyped).join(', ')}: a run asks`);
  const disk = lockOnDisk(session.lockPath);
  for (const question of decided)
    if (!(await forget(session, question, disk)))
      throw new CommandError(1, 'the journal cannot be written: what was chosen stays chosen');
  const followed = await film.decided?.();
  const following = followingFrom(session);
  if (values.json) {
    const { again: keys, usd, unpriced } = following;
    const forgotten = decided.map(({ key, asking, choice }) => ({ key, was: namesOf(asking, choice?.chosen ?? []) }));
    print(jsonText({ version: 1, forgotten, made_again: { instances: keys, usd, unpriced } }));
    return 0;
  }
  for (const question of decided) say(forgottenText(question));
  if (following.again.length > 0) say(`planned again, by what is chosen next: ${followingText(following)}`);
  const askedAgain = following.asked.filter(key => !decided.some(question => question.key === key));
  if (askedAgain.length > 0) say(`to be decided again because of it: ${someOf(askedAgain)}`);
  for (const line of followed ?? [`to be asked again: ${again}`]) say(line);
  return 0;
}

function otherKind(is: Undoing['is'], file: string, keys: readonly string[]): string {
  const named = keys.map(asTyped).join(' ');
  const [reason, command] = is === 'pick' ? ['no pick but an approval', 'approve'] : ['no approval but a pick', 'pick'];
  return `${named}: ${reason}; shotlist ${command} ${asTyped(file)} ${named} --undo`;
}

function forgottenText(question: FilmQuestion): string {
  const { key, asking, choice } = question;
  const then = { person: '', rule: '; its rule decides again', judge: '; its judge decides again' }[asking.by];
  return `${cleanText(key)} is open again${choice ? `: it was ${choiceText(choice)}` : ''}${then}`;
}
