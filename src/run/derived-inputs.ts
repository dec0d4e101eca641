/**
 * Frames and sound that an instance reads, made right before they are used: content stands in the place of their addresses then, and is
 * found and handed on like any other.
 */
import { everyFile } from '../domain/command-files.ts';
import { contentPath, contentUrl } from '../domain/content-path.ts';
import { type DerivedMedia, derivedAddress, derivedIn, partName, replaceDerived } from '../domain/derived-media.ts';
import type { Json } from '../domain/json.ts';
import type { InstanceKey } from '../domain/key.ts';
import type { Result } from '../domain/result.ts';
import { mapTexts, textsIn } from '../domain/texts.ts';
import type { WorkToDo } from './kinds/execute.ts';
import { reportWhileWaiting } from './report-waits.ts';
import type { RunCore } from './run-core.ts';

export type DerivedReady<T> =
  | { readonly is: 'ok'; readonly value: T }
  /** A sentence about the first that cannot be had. */
  | { readonly is: 'failed'; readonly message: string }
  | { readonly is: 'stopped' };

type Makers = Pick<RunCore, 'clock' | 'hands' | 'stopping' | 'recorder' | 'state'>;

/** `value` with content in the place of what is derived: an address of it where a service reads it, a path where a command does. */
export async function withDerived<T extends Json>(
  value: T,
  as: 'address' | 'path',
  key: InstanceKey,
  run: Makers,
): Promise<DerivedReady<T>> {
  const { hands, stopping, recorder } = run;
  const named = new Map([...textsIn(value)].flatMap(derivedIn).map(one => [derivedAddress(one), one]));
  if (named.size === 0) return { is: 'ok', value };
  const made = await Promise.all(
    [...named].map(async ([address, media]) => {
      const reason = () => `${partName(media.what)} of ${makerOf(media.of, recorder) ?? 'its video'} is being taken`;
      const taking = () => hands.derive(media, stopping.signal);
      return [address, media, await reportWhileWaiting({ key, what: 'frames', reason }, run, taking)] as const;
    }),
  );
  const places = new Map<string, string>();
  for (const [address, media, outcome] of made) {
    if (outcome.is === 'stopped') return { is: 'stopped' };
    if (outcome.is === 'failed')
      return { is: 'failed', message: cannotTake(media, makerOf(media.of, recorder), outcome.message) };
    const path = contentPath(outcome);
    places.set(address, as === 'path' ? path : contentUrl(path));
  }
  const change = (text: string) => replaceDerived(text, (_, address) => places.get(address) ?? address);
  return { is: 'ok', value: mapTexts(value, change) as T };
}

/** `last_frame of shot[beat=2] cannot be taken: it has no pictures` */
export const cannotTake = ({ what }: DerivedMedia, from: string | undefined, why: string): string =>
  `${partName(what)} of ${from ?? 'its video'} cannot be taken: ${why}`;

/** The instance that made the video. */
function makerOf(sha256: string, { results }: RunCore['recorder']): InstanceKey | undefined {
  for (const [key, { result }] of results) if (digestsIn(result).includes(sha256)) return key;
  return undefined;
}

function digestsIn(result: Result): readonly string[] {
  if (result.is === 'media') return [result.sha256];
  return result.is === 'command' ? everyFile(result.files).map(file => file.sha256) : [];
}

/** A command that is ready to run: its arguments, its environment and its files name content alone. */
export async function commandReady<W extends WorkToDo<'run'>>(
  work: W,
  key: InstanceKey,
  run: Makers,
): Promise<DerivedReady<W>> {
  const { command, env, files } = work;
  const argv = 'argv' in command ? command.argv : [];
  const ready = await withDerived({ argv, env, files }, 'path', key, run);
  if (ready.is !== 'ok') return ready;
  const { value } = ready;
  const own = 'argv' in command ? { argv: value.argv } : command;
  return { is: 'ok', value: { ...work, command: own, env: value.env, files: value.files } };
}
