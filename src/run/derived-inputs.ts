/**
 * Frames and sound that an instance reads, made right before they are used: content stands in the place of their addresses then, and is
 * found and handed on like any other.
 */
import { contentPath, contentUrl } from '../domain/content-path.ts';
import { type DerivedMedia, derivedAddress, derivedIn, partName, replaceDerived } from '../domain/derived-media.ts';
import type { Json } from '../domain/json.ts';
import type { ResolvedWork } from '../plan/resolved.ts';
import type { RunCore } from './run-core.ts';

export type DerivedReady<T> =
  | { readonly is: 'ok'; readonly value: T }
  /** A sentence about the first that cannot be had. */
  | { readonly is: 'failed'; readonly message: string }
  | { readonly is: 'stopped' };

/**
 * `value` with content in the place of what is derived: an address of it where a service reads it, a path where a command does.
 * @param asks tells whose video it is.
 */
export async function withDerived<T extends Json>(
  value: T,
  as: 'address' | 'path',
  { asks }: Pick<ResolvedWork, 'asks'>,
  { hands, stopping }: Pick<RunCore, 'hands' | 'stopping'>,
): Promise<DerivedReady<T>> {
  const named = new Map([...texts(value)].flatMap(derivedIn).map(one => [derivedAddress(one), one]));
  if (named.size === 0) return { is: 'ok', value };
  const made = await Promise.all(
    [...named].map(async ([address, media]) => [address, media, await hands.derive(media, stopping.signal)] as const),
  );
  const places = new Map<string, string>();
  for (const [address, media, outcome] of made) {
    if (outcome.is === 'stopped') return { is: 'stopped' };
    if (outcome.is === 'failed')
      return { is: 'failed', message: cannotTake(media, asks.known.get(address)?.from, outcome.message) };
    const path = contentPath(outcome);
    places.set(address, as === 'path' ? path : contentUrl(path));
  }
  const change = (text: string) => replaceDerived(text, (_, address) => places.get(address) ?? address);
  return { is: 'ok', value: mapTexts(value, change) as T };
}

/** `last_frame of shot[beat=2] cannot be taken: it has no pictures` */
export const cannotTake = ({ what }: DerivedMedia, from: string | undefined, why: string): string =>
  `${partName(what)} of ${from ?? 'its video'} cannot be taken: ${why}`;

function* texts(value: Json): Iterable<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) yield* texts(part);
}

function mapTexts(value: Json, change: (text: string) => string): Json {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return (value as readonly Json[]).map(part => mapTexts(part, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, mapTexts(part, change)]));
}

/** A command that is ready to run: its arguments, its environment and its files name content alone. */
export async function commandReady<W extends Extract<ResolvedWork, { readonly is: 'command' }>>(
  work: W,
  run: Pick<RunCore, 'hands' | 'stopping'>,
): Promise<DerivedReady<W>> {
  const { command, env, files } = work;
  const argv = 'argv' in command ? command.argv : [];
  const ready = await withDerived({ argv, env, files }, 'path', work, run);
  if (ready.is !== 'ok') return ready;
  const { value } = ready;
  const own = 'argv' in command ? { argv: value.argv } : command;
  return { is: 'ok', value: { ...work, command: own, env: value.env, files: value.files } };
}
