/** `shotlist repick FILE best[beat=3]`: a choice is forgotten, and the next run asks again. */
import { asTyped } from '../../domain/as-typed.ts';
import { cleanText } from '../../domain/clean.ts';
import { lockOnDisk } from '../../run/lock/lock-keeper.ts';
import { followingFrom, forget } from '../../session/choose.ts';
import { type FilmQuestion, questionAt } from '../../session/questions.ts';
import { choiceText } from '../../telling/result-text.ts';
import { UsageError } from '../arguments.ts';
import { filmToDecide } from '../choose/film-to-decide.ts';
import { followingText } from '../choose/tell-decided.ts';
import { namesOf, someOf } from '../choose/told.ts';
import { readArguments } from '../command-line/read-arguments.ts';
import { CommandError } from '../errors/command-error.ts';
import { withExitCode } from '../errors/exit-code.ts';
import { print, say } from '../outlets.ts';
import { decisionsNamed } from '../session/named-answers.ts';
import { indentedJson } from '../terminal/indented-json.ts';
import { leaveParamsOutOfTitle } from '../terminal/process-title.ts';

export const main = withExitCode(async args => {
  const { values, positionals } = readArguments('repick', args);
  const [file, ...words] = positionals;
  if (file === undefined || words.length === 0)
    throw new UsageError("which choice is forgotten? shotlist repick FILE 'best[beat=3]'");
  leaveParamsOutOfTitle('repick', file, values.param);
  await using film = await filmToDecide(file, values, 'run');
  const { session, again } = film;
  const { instances, mistakes } = decisionsNamed(words, session.plan);
  if (mistakes.length > 0) throw new UsageError(mistakes.join('\n'));
  const asked = instances.map(instance => questionAt(session, instance)).filter(one => 'asking' in one);
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
  const others = following.asked.filter(key => !decided.some(question => question.key === key));
  if (others.length > 0) say(`to be decided again because of it: ${someOf(others)}`);
  for (const line of followed ?? [`to be asked again: ${again}`]) say(line);
  return 0;
});

function forgottenText(question: FilmQuestion): string {
  const { key, asking, choice } = question;
  const then = { person: '', rule: '; its rule decides again', judge: '; its judge decides again' }[asking.by];
  return `${cleanText(key)} is open again${choice ? `: it was ${choiceText(choice)}` : ''}${then}`;
}
