/** A review page that is served, told and shown until Ctrl-C: the same of a film of this machine and of a team's run. */
import type { Review } from '../../session/review/film-review.ts';
import { UsageError } from '../arguments.ts';
import { CommandError } from '../errors/command-error.ts';
import { print, say } from '../outlets.ts';
import { givenName } from '../session/said-options.ts';
import { indentedJson } from '../terminal/indented-json.ts';
import { onInterruptOrClosedOutput } from '../terminal/signals.ts';
import { hasDesktop } from './has-desktop.ts';
import { messages } from './review-messages.ts';

interface ReviewValues {
  readonly as?: string | undefined;
  readonly port: string;
  readonly 'no-open': boolean;
  readonly json: boolean;
}

/** @throws UsageError */
export function portIn({ as, port: text }: ReviewValues): number {
  givenName(as);
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new UsageError(messages.badPort(text));
  return port;
}

/** Resolves when a person ends it. @param me whose name decisions bear. */
export async function openForPerson(review: Review, values: ReviewValues, me: string): Promise<void> {
  const { head, questions } = await review.look();
  if (head.closed !== null && questions.length === 0) throw new CommandError(2, head.closed);
  if (values.json) print(`${indentedJson({ version: 1, url: review.url, who: me })}\n`);
  else {
    print(`${review.url}\n`);
    say(messages.opened(me));
    if (head.closed !== null) say(head.closed);
  }
  const wantsOpen = !values['no-open'] && !values.json && process.stderr.isTTY === true;
  const problem = wantsOpen && hasDesktop(process.env) ? await review.show(process.env) : undefined;
  if (problem !== undefined) say(problem);
  let stopListening = () => {};
  await new Promise<void>(stop => {
    stopListening = onInterruptOrClosedOutput(() => stop());
  });
  stopListening();
}
