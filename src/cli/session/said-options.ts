/** `--pick best[beat=3]=take=2` and `--approve ok`: what is decided before anything is made. */
import { dirname, resolve } from 'node:path';
import { closingBracket } from '../../domain/key.ts';
import { parseSelector, selectorsIn } from '../../domain/selector.ts';
import { systemClock } from '../../host/clock.ts';
import { messages } from '../../plan/selector-messages.ts';
import type { Said, SaidBeforehand } from '../../run/choices/said-choices.ts';
import { nameIn, whoDecides } from '../../session/who-decides.ts';
import { UsageError } from '../arguments.ts';

interface Given {
  readonly pick?: readonly string[] | undefined;
  readonly approve?: readonly string[] | undefined;
}

/** Several of one pick are several candidates, best first. @throws UsageError */
function givenSaid({ pick = [], approve = [] }: Given): readonly Said[] {
  const picks = new Map<string, Said>();
  for (const text of pick) {
    const { of, candidate } = splitPick(text);
    const before = picks.get(of)?.chosen ?? [];
    picks.set(of, { is: 'pick', of: selectorIn(of), text: of, chosen: [...before, candidate] });
  }
  const approvals = approve.flatMap(selectorsIn).map((text): Said => {
    return { is: 'approve', of: selectorIn(text), text, chosen: [] };
  });
  return [...picks.values(), ...approvals];
}

/** Undefined where nothing is said beforehand. @throws UsageError */
export async function saidBeforehand(
  file: string,
  given: Given & { readonly as?: string | undefined },
): Promise<SaidBeforehand | undefined> {
  const all = givenSaid(given);
  givenName(given.as);
  if (all.length === 0) return undefined;
  const who = await whoDecides({ given: given.as, environment: process.env, folder: dirname(resolve(file)) });
  return { all, who, at: systemClock.now() };
}

/** @throws UsageError for a name that nobody could read. */
export function givenName(name: string | undefined): void {
  if (name !== undefined && nameIn(name) === undefined)
    throw new UsageError('--as takes a name, and this one is empty');
}

/** At the first `=` that stands behind the brackets. */
function splitPick(text: string): { readonly of: string; readonly candidate: string } {
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '[') at = closingBracket(text, at);
    else if (text[at] === '=' && at > 0 && at < text.length - 1)
      return { of: text.slice(0, at), candidate: text.slice(at + 1) };
  }
  throw new UsageError(
    `--pick takes a pick and a candidate, like \`--pick 'best[beat=3]=take=2'\`, and this is \`${text}\``,
  );
}

function selectorIn(text: string) {
  const selector = parseSelector(text);
  if (!selector) throw new UsageError(messages.badSelector(text));
  return selector;
}
