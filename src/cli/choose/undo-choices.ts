/** `shotlist pick FILE best[beat=3] --undo`: a choice, or an approval, is forgotten, and the next run asks again. */
import { asTyped } from '../../domain/as-typed.ts';
import { cleanText } from '../../domain/clean.ts';
import { lockOnDisk } from '../../records/lock/lock-keeper.ts';
import { followingFrom, forget } from '../../session/choose.ts';
import { type FilmQuestion, questionAt } from '../../session/questions.ts';
import { choiceText } from '../../telling/result-text.ts';
import { UsageError } from '../arguments.ts';
import type { Read } from '../command-line/read-arguments.ts';
import { CommandError } from '../errors/command-error.ts';
import type { ExitCode } from '../errors/exit-codes.ts';
import { print, say } from '../outlets.ts';
import { decisionsNamed } from '../session/named-answers.ts';
import { indentedJson } from '../terminal/indented-json.ts';
import { filmToDecide } from './film-to-decide.ts';
import { followingText } from './tell-decided.ts';
import { namesOf, someOf } from './told.ts';

interface Undoing {
  readonly is: 'pick' | 'approve';
  readonly file: string;
  /** Picks or approvals, or instances of them. */
  readonly words: readonly string[];
  readonly values: Read<'pick'>['values'];
}

export async function undoChoices({ is, file, words, values }: Undoing): Promise<ExitCode> {
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
    print(`${indentedJson({ version: 1, forgotten, made_again: { instances: keys, usd, unpriced } })}\n`);
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
  const [said, command] = is === 'pick' ? ['no pick but an approval', 'approve'] : ['no approval but a pick', 'pick'];
  return `${named}: ${said}; shotlist ${command} ${asTyped(file)} ${named} --undo`;
}

function forgottenText(question: FilmQuestion): string {
  const { key, asking, choice } = question;
  const then = { person: '', rule: '; its rule decides again', judge: '; its judge decides again' }[asking.by];
  return `${cleanText(key)} is open again${choice ? `: it was ${choiceText(choice)}` : ''}${then}`;
}
