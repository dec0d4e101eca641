/** `shotlist pick` and `shotlist approve`: what is named is decided, or forgotten; without a name, what is open is listed, and asked at a terminal. */
import { systemClock } from '../../host/clock.ts';
import { messages } from '../../plan/selector-messages.ts';
import { lockOnDisk } from '../../records/lock/lock-keeper.ts';
import { decide } from '../../session/choose.ts';
import { openQuestions } from '../../session/questions.ts';
import { whoDecides } from '../../session/who-decides.ts';
import { oneFile, UsageError } from '../arguments.ts';
import { readArguments } from '../command-line/read-arguments.ts';
import { CommandError } from '../errors/command-error.ts';
import type { ExitCode } from '../errors/exit-codes.ts';
import { print } from '../outlets.ts';
import { namedAnswers } from '../session/named-answers.ts';
import { givenName } from '../session/said-options.ts';
import { indentedJson } from '../terminal/indented-json.ts';
import { leaveParamsOutOfTitle } from '../terminal/process-title.ts';
import { askQuestions, isSomebodyThere } from './ask-questions.ts';
import { filmToDecide } from './film-to-decide.ts';
import { type DecidedHere, decidedJson, tellDecided } from './tell-decided.ts';
import { questionsJson, questionsText } from './tell-questions.ts';

export async function choosing(is: 'pick' | 'approve', args: readonly string[]): Promise<ExitCode> {
  const { values, positionals } = readArguments(is, args);
  const [path, ...words] = positionals;
  const file = oneFile(path === undefined ? [] : [path], is);
  leaveParamsOutOfTitle(is, file, values.param);
  givenName(values.as);
  const isNo = 'no' in values && values.no === true;
  if (values.undo) {
    if (isNo) throw new UsageError('--no says no, and --undo forgets what was said; leave one out');
    return (await import('./undo-choices.ts')).undoChoices({ is, file, words, values });
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
    if (!values.json && questions.length > 0 && isSomebodyThere()) return await askQuestions(questions, film, who);
    print(
      values.json
        ? `${indentedJson(questionsJson(questions))}\n`
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
  if (values.json) print(`${indentedJson(decidedJson(decided, session))}\n`);
  else tellDecided(decided, film, followed);
  return stopped(decided) ?? 0;
}

/** Somebody was quicker, or the disk is full: nothing that was said is lost silently. */
function stopped(decided: readonly DecidedHere[]): ExitCode | undefined {
  if (decided.some(({ outcome }) => outcome.is === 'unwritable'))
    throw new CommandError(1, 'the journal cannot be written: nothing was decided');
  return decided.some(({ outcome }) => outcome.is === 'taken') ? 1 : undefined;
}
