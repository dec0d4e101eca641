/** Asks open questions one after the other at a terminal. Each answer is kept at once; a decision made elsewhere meanwhile is shown. */

import { decide } from '../../app/choices/choose.ts';
import type { FilmCandidate, FilmQuestion } from '../../app/choices/film-questions.ts';
import { systemClock } from '../../machine/time/clock.ts';
import type { Option } from '../../model/run/event.ts';
import { pieceOf } from '../../model/run/result.ts';
import { lockOnDisk } from '../../records/lock/lock-keeper.ts';
import type { OpenQuestion } from '../../run/ports/decider.ts';
import type { CandidateFacts } from '../../show/terminal/prompts/prompt-lines.ts';
import { resultText } from '../../show/text/result-text.ts';
import type { ExitCode } from '../errors/exit-codes.ts';
import { say } from '../outlets.ts';
import { personAtTerminal, terminalKeyboard } from '../terminal/keyboard.ts';
import { isDumb, realTerminal } from '../terminal/real-terminal.ts';
import { INTERRUPTED, onInterruptOrClosedOutput } from '../terminal/signals.ts';
import { type DecidedFilm, type DecidedHere, decidedLines, printDecided } from './decided-text.ts';

/** Milliseconds between two looks at what other processes have decided. */
const LOOK = 500;

export const isInteractive = (): boolean =>
  process.stderr.isTTY === true && !('CI' in process.env) && !isDumb(process.env) && terminalKeyboard() !== undefined;

export async function askQuestions(
  questions: readonly FilmQuestion[],
  film: DecidedFilm,
  who: () => Promise<string>,
): Promise<ExitCode> {
  const { session } = film;
  const { startAsking } = await import('../../show/terminal/prompts/ask-screen.tsx');
  const { person } = personAtTerminal({ fileOf: sha256 => session.store.file(sha256), who });
  if (!person) return 0;
  const color = !process.env.NO_COLOR;
  const candidates = new Map(
    questions.flatMap(one => one.candidates.map(candidate => [candidate.key as string, candidate])),
  );
  const factsOf = (option: Option) => factsIn(candidates.get(option.key));
  const screen = startAsking({ terminal: realTerminal(), clock: systemClock, color, person, factsOf });
  const stop = new AbortController();
  const stopListening = onInterruptOrClosedOutput(() => stop.abort());
  const decided: DecidedHere[] = [];
  const elsewhere: string[] = [];
  let followed: readonly string[] | undefined;
  try {
    await Promise.all(
      questions.map(async question => {
        // It ends when it is answered here or elsewhere, or when the command stops.
        const over = new AbortController();
        stop.signal.addEventListener('abort', () => over.abort());
        const watching = watched(question, film, over.signal, line => {
          elsewhere.push(line);
          over.abort();
        });
        const verdict = await screen.decide(openQuestion(question), over.signal);
        over.abort();
        await watching;
        if (!verdict) return;
        const { chosen, who: name, note } = verdict;
        const answer = { chosen, who: name, note, at: systemClock.now() };
        const outcome = await decide(session, question, answer, lockOnDisk(session.lockPath));
        decided.push({ question, outcome });
        // What waits for this answer goes on while the next question is asked.
        if (outcome.is === 'kept') followed = (await film.decided?.()) ?? followed;
      }),
    );
  } finally {
    stopListening();
    screen.close();
  }
  for (const line of elsewhere) say(line);
  printDecided(decided, film, followed);
  const left = questions.length - decided.length - elsewhere.length;
  if (left > 0 && !stop.signal.aborted) say(`${left} of ${questions.length} left for later`);
  return stop.signal.aborted ? INTERRUPTED : 0;
}

/** Reports once that another process has decided it. */
async function watched(
  question: FilmQuestion,
  { session }: DecidedFilm,
  signal: AbortSignal,
  report: (line: string) => void,
): Promise<void> {
  while (!signal.aborted) {
    await systemClock.sleep(LOOK, signal);
    if (signal.aborted) return;
    // A team's journal is asked for what others decided; that of this machine reads it anyhow.
    await session.journal.look({ fingerprint: '' });
    session.choices.refresh();
    const choice = session.choices.find(question.asking);
    if (choice && choice.at !== question.choice?.at)
      return decidedLines({ question, outcome: { is: 'taken', choice } }, UNMADE).forEach(report);
  }
}

/** Decisions of others are shown without what is still to be made. */
const UNMADE = { isMade: () => true, maker: '' };

function openQuestion({ key, ask, asking, candidates }: FilmQuestion): OpenQuestion {
  return {
    ...{ key, is: asking.is, ask, count: Math.min(asking.count, asking.from.length) },
    options: candidates.flatMap(one => optionOf(one)),
    awaited: candidates.filter(({ result }) => result === undefined).map(one => one.key),
    onChange: () => () => {},
  };
}

function optionOf({ id, key, result }: FilmCandidate): readonly Option[] {
  const piece = result && pieceOf(result);
  if (!piece) return [];
  if (piece.is === 'media') return [{ id, key, sha256: piece.sha256, media: piece.media }];
  return [
    {
      id,
      key,
      ...(piece.is === 'text' && { text: piece.text }),
      ...(piece.is === 'command' && { text: piece.stdout }),
    },
  ];
}

const factsIn = (candidate: FilmCandidate | undefined): CandidateFacts => ({
  facts: candidate?.result ? resultText(pieceOf(candidate.result)) : '',
  usd: candidate?.usd ?? null,
  output: undefined,
});
