/** The command that decides what a run waits for, as a person would type it: `shotlist pick spot.yaml 'best[beat=3]' take=2 --draft`. */
import { asTyped } from '../domain/as-typed.ts';
import { cleanText } from '../domain/clean.ts';
import type { InstanceKey } from '../domain/key.ts';
import { FINAL } from '../domain/profile.ts';
import { parseSelector } from '../domain/selector.ts';
import type { InstanceState } from '../records/views/instance-state.ts';
import type { RunView } from '../records/views/run-view.ts';

type Asking = Pick<Extract<InstanceState, { readonly is: 'asking' }>, 'what' | 'options'>;

/**
 * The last of what is there stands for all of it: one is shown how to be named.
 *
 * @param film options that say which film is meant beside its profile, as they are typed: `--draft`, `--param who=fox`.
 */
export function decidingCommand(
  { pipeline, profile }: Pick<RunView, 'pipeline' | 'profile'>,
  key: InstanceKey,
  { what, options }: Asking,
  film = '',
): string {
  const option = options.at(-1);
  const words = what === 'approve' || option === undefined ? [] : namedBeside(option, key, options);
  const flags = profile === null || profile === FINAL ? [] : ['--profile', profile];
  const typed = ['shotlist', what, pipeline, key, ...words, ...flags].map(word => asTyped(cleanText(word)));
  return [...typed, ...(film === '' ? [] : [film])].join(' ');
}

/** Its coordinates that the pick does not have; its whole name where the candidates are of several steps. */
function namedBeside(option: InstanceKey, pick: InstanceKey, options: readonly InstanceKey[]): readonly string[] {
  const [own, of] = [parseSelector(option), parseSelector(pick)];
  const isOfOne = options.every(other => parseSelector(other)?.step === own?.step);
  const known = of?.coordinates.at(-1) ?? new Map();
  const words = [...(own?.coordinates.at(-1) ?? [])].flatMap(([name, value]) =>
    known.has(name) ? [] : [`${name}=${value}`],
  );
  return isOfOne && words.length > 0 ? words : [option];
}
