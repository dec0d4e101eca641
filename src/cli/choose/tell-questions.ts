/** What is open to be decided: each question with its candidates, what is known of them, where they can be looked at, and the command. */
import { relative } from 'node:path';
import { asTyped } from '../../domain/as-typed.ts';
import { cellWidth, padEnd, padStart } from '../../domain/cells.ts';
import { cleanText } from '../../domain/clean.ts';
import { formatUsd } from '../../domain/format.ts';
import { FINAL } from '../../domain/profile.ts';
import { pieceOf } from '../../domain/result.ts';
import type { FilmCandidate, FilmQuestion } from '../../session/questions.ts';
import { choiceText, resultText } from '../../telling/result-text.ts';
import { namesOf } from './told.ts';

interface Of {
  readonly is: 'pick' | 'approve';
  readonly file: string;
  readonly profile: string | null;
  /** Options that say which film is meant, as they are typed. */
  readonly options: string;
  /** The command that goes on with the film. */
  readonly again: string;
}

export function questionsText(questions: readonly FilmQuestion[], of: Of): string {
  if (questions.length > 0) return questions.map(question => `${questionText(question, of)}\n`).join('\n');
  const { is, file, again } = of;
  const what = is === 'pick' ? 'chosen' : 'approved';
  return `nothing of ${cleanText(file)} is to be ${what} by a person at this moment; \`${cleanText(again)}\` tells what it comes to\n`;
}

function questionText(question: FilmQuestion, { file, profile, options: film }: Of): string {
  const { key, ask, asking, candidates, choice } = question;
  const widest = Math.max(...candidates.map(one => cellWidth(cleanText(one.key))));
  const digits = String(candidates.length).length;
  const rows = candidates.flatMap((one, place) => [
    `  ${padStart(asking.is === 'pick' ? String(place + 1) : '·', digits)}  ${padEnd(cleanText(one.key), widest)}  ${factsOf(one)}`.trimEnd(),
    ...(one.file === undefined ? [] : [`  ${' '.repeat(digits)}  ${cleanText(relative(process.cwd(), one.file))}`]),
    ...wordsOf(one).map(words => `  ${' '.repeat(digits)}  ${words}`),
  ]);
  const flags = profile === null || profile === FINAL ? [] : ['--profile', profile];
  // Which one is left to the reader: a command that is pasted chooses nothing.
  const which = asking.is === 'pick' ? ['NUMBER'] : [];
  const typed = ['shotlist', asking.is, file, key, ...which, ...flags].map(word => asTyped(cleanText(word)));
  const command = [...typed, ...(film === '' ? [] : [film])].join(' ');
  const words = cleanText(ask);
  const head = words.includes(cleanText(key)) ? words : `${cleanText(key)}: ${words}`;
  const now = choice ? [`  it is ${choiceText(choice)}`] : [];
  return [head, ...rows, ...now, `  ${command}`].join('\n');
}

function factsOf({ result, usd }: FilmCandidate): string {
  const facts = result ? resultText(pieceOf(result)) : 'not made yet';
  return usd === null || usd === 0 ? facts : `${facts}  ${result ? '' : '~'}${formatUsd(usd)}`;
}

/** Characters of a text that is to be chosen. */
const OF_A_TEXT = 200;

function wordsOf({ result }: FilmCandidate): readonly string[] {
  const piece = result && pieceOf(result);
  if (piece?.is === 'command') return lineOf(piece.stdout);
  return piece?.is === 'text' ? lineOf(piece.text) : [];
}

function lineOf(text: string): readonly string[] {
  const words = cleanText(text.slice(0, OF_A_TEXT * 2));
  if (words === '') return [];
  return [[...words].length > OF_A_TEXT ? `${[...words].slice(0, OF_A_TEXT).join('')}…` : words];
}

export const questionsJson = (questions: readonly FilmQuestion[]) => ({
  version: 1,
  questions: questions.map(({ key, ask, asking, candidates, choice }) => ({
    ...{ key, is: asking.is, ask, count: asking.count },
    candidates: candidates.map((one, place) => ({
      ...{ number: place + 1, key: one.key, made: one.result !== undefined },
      ...(one.result && { facts: resultText(pieceOf(one.result)) }),
      ...{ usd: one.usd, file: one.file ?? null },
    })),
    choice: choice
      ? {
          chosen: namesOf(asking, choice.chosen),
          by: choice.by,
          who: choice.who,
          ...(choice.login !== undefined && { login: choice.login }),
        }
      : null,
  })),
});
