/** Who decides in a run: a person who is asked here, one in another terminal, and what was chosen and approved beforehand. */
import type { Asking, Choice } from '../../src/model/run/choice.ts';
import { parseSelector } from '../../src/model/selector.ts';
import { openJournal } from '../../src/records/journal/journal-file.ts';
import { LocalChoices } from '../../src/records/journal/local-choices.ts';
import type { PresetAnswer } from '../../src/run/choices/preset-choices.ts';
import type { Decider, OpenQuestion, Verdict } from '../../src/run/ports/decider.ts';
import { rig, type StartedRun } from './rig.ts';

export const pick = (text: string, ...chosen: string[]): PresetAnswer => ({
  ...{ is: 'pick', of: parseSelector(text)!, text, chosen },
});
export const approve = (text: string): PresetAnswer => ({ is: 'approve', of: parseSelector(text)!, text, chosen: [] });

/** Decides as soon as nothing more is awaited: with these, or with nothing as long as there is no answer. */
export const deciding = (
  answer: (question: OpenQuestion) => Pick<Verdict, 'chosen' | 'note'> | undefined,
  who = 'Ada',
): Decider => ({
  choose: async () => undefined,
  decide: async question => {
    while (question.awaited.length > 0) await new Promise<void>(resolve => void question.onChange(resolve));
    const said = answer(question);
    return said && { ...said, by: 'person', who };
  },
});
/** Says yes to what is shown, or no with this note. */
export const verdictOn = ({ options }: OpenQuestion, isYes: boolean, note?: string) => ({
  chosen: isYes ? options.map(({ id }) => id) : [],
  ...(note !== undefined && { note }),
});

/** Answers when the test says so. */
export class Person implements Decider {
  readonly asked = new Map<string, { readonly question: OpenQuestion; readonly signal: AbortSignal }>();
  readonly #answers = new Map<string, (verdict: Verdict | undefined) => void>();
  choose = async () => undefined;

  decide(question: OpenQuestion, signal: AbortSignal): Promise<Verdict | undefined> {
    this.asked.set(question.key, { question, signal });
    return new Promise(resolve => {
      this.#answers.set(question.key, resolve);
      signal.addEventListener('abort', () => resolve(undefined), { once: true });
    });
  }

  /** Resolves when this is asked, and there is so much to choose from. */
  async isAsked(film: StartedRun, key: string, options: number): Promise<OpenQuestion> {
    await film.happened('waiting_for', key);
    const { question } = this.asked.get(key)!;
    while (question.options.length < options) await new Promise<void>(resolve => void question.onChange(resolve));
    return question;
  }

  says(key: string, option: string, note?: string): void {
    const chosen = [idOf(this.asked.get(key)?.question, option)];
    this.#answers.get(key)?.({ chosen, by: 'person', who: 'Ada', ...(note !== undefined && { note }) });
  }
}

const idOf = (question: Pick<OpenQuestion, 'options'> | undefined, option: string): string =>
  question?.options.find(({ key }) => key === option)?.id ?? '';

export const pickOf = ({ key, from, called }: Pick<Choice, 'key' | 'from' | 'called'>): Asking => ({
  ...{ is: 'pick', key, from, called, count: 1, by: 'person' },
});

/** What another process of this machine does. */
export async function elsewhere<T>(act: (choices: LocalChoices) => T | Promise<T>): Promise<T> {
  const journal = openJournal({ folder: rig.folder, film: rig.film, clock: rig.clock, to: 'look' });
  try {
    return await act(new LocalChoices({ journal, locked: [], hasStep: () => true }));
  } finally {
    await journal.close();
  }
}

type Asked = Pick<OpenQuestion, 'key' | 'options'>;
export function chooses(choices: LocalChoices, question: Asked, option: string): ReturnType<LocalChoices['record']> {
  const { key, options } = question;
  const asking = pickOf({ key, from: options.map(({ id }) => id), called: options.map(one => one.key) });
  const { from, called } = asking;
  const chosen = [idOf(question, option)];
  return choices.record({ key, from, called, chosen, by: 'person', who: 'Grace', at: 7 }, asking);
}
/** What `shotlist pick` in another terminal does. */
export const pickElsewhere = (question: Asked, option: string) =>
  elsewhere(choices => chooses(choices, question, option));

/** The newest event of this question. */
export const questionOf = ({ events }: StartedRun, key: string): Asked =>
  events.findLast(event => event.type === 'waiting_for' && event.key === key) as never;
