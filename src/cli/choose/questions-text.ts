/** What is open to be decided: each question with its candidates, what is known of them, where to look at them, and the command. */
import { relative } from 'node:path';
import type { FilmCandidate, FilmQuestion } from '../../app/choices/film-questions.ts';
import { FINAL } from '../../model/profile.ts';
import { pieceOf } from '../../model/run/result.ts';
import { cellWidth, padEnd, padStart } from '../../model/text/cells.ts';
import { asTyped, cleanText } from '../../model/text/clean.ts';
import { formatUsd } from '../../model/text/format.ts';
import { choiceText, resultText } from '../../show/text/result-text.ts';
import { namesOf } from './decided-text.ts';

interface Of {
  readonly is: 'pick' | 'approve';
  readonly file: string;
  readonly profile: string | null;
  /** Options that say which film is meant, as they are typed. */
  readonly options: string;
  /** The command that goes on with the film. */
  readonly again: string;
  /** The command that shows in a browser what is to be decided; absent where there is nothing to show. */
  readonly review: string | undefined;
}

export function questionsText(questions: readonly FilmQuestion[], of: Of): string {
  const { is, file, again, review } = of;
  if (questions.length > 0) {
    const how = [
      ...(review === undefined ? [] : [`to look at ${questions.length === 1 ? 'it' : 'them'}: ${cleanText(review)}`]),
      ...(is === 'approve' ? [`to say yes or no: ${commandText(['STEP'], of)}, or STEP --no`] : []),
    ];
    const texts = questions.map(question => questionText(question, of));
    return `${[...texts, ...(how.length > 0 ? [how.join('\n')] : [])].join('\n\n')}\n`;
  }
  const what = is === 'pick' ? 'chosen' : 'approved';
  return `nothing of ${cleanText(file)} is to be ${what} by a person at this moment; to go on: ${cleanText(again)}\n`;
}

/** The command that answers. The answer is left to the reader: a command that is pasted decides nothing. */
function commandText(answer: readonly string[], { is, file, profile, options }: Of): string {
  const flags = profile === null || profile === FINAL ? [] : ['--profile', profile];
  const typed = ['shotlist', is, file, ...answer, ...flags].map(word => asTyped(cleanText(word)));
  return [...typed, ...(options === '' ? [] : [options])].join(' ');
}

function questionText(question: FilmQuestion, of: Of): string {
  const { key, ask, asking, candidates, choice } = question;
  const widest = Math.max(...candidates.map(one => cellWidth(cleanText(one.key))));
  const digits = String(candidates.length).length;
  const rows = candidates.flatMap((one, place) => [
    `  ${padStart(asking.is === 'pick' ? String(place + 1) : '·', digits)}  ${padEnd(cleanText(one.key), widest)}  ${factsOf(one)}`.trimEnd(),
    ...(one.file === undefined ? [] : [`  ${' '.repeat(digits)}  ${cleanText(relative(process.cwd(), one.file))}`]),
    ...wordsOf(one).map(words => `  ${' '.repeat(digits)}  ${words}`),
  ]);
  const words = cleanText(ask);
  const head = words.includes(cleanText(key)) ? words : `${cleanText(key)}: ${words}`;
  const now = choice ? [`  it is ${choiceText(choice)}`] : [];
  const command = asking.is === 'pick' ? [`  ${commandText([key, 'NUMBER'], of)}`] : [];
  return [head, ...rows, ...now, ...command].join('\n');
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
