/**
 * What an instance reads by an address, made or downloaded right before it is used: frames and sound of videos, files of a command. Content
 * takes the place of the addresses. The instance holds no place of its own meanwhile.
 */
import { createHash } from 'node:crypto';
import { everyFile } from '../domain/command-files.ts';
import { contentPath, contentUrl } from '../domain/content-path.ts';
import { type DerivedMedia, derivedAddress, derivedIn, partName, replaceDerived } from '../domain/derived-media.ts';
import type { Json } from '../domain/json.ts';
import type { InstanceKey } from '../domain/key.ts';
import type { Instance } from '../domain/plan.ts';
import type { Result } from '../domain/result.ts';
import { mapTexts, textsIn } from '../domain/texts.ts';
import type { WorkToDo } from './kinds/execute.ts';
import type { CommandOutcome, DownloadOutcome } from './ports/hands.ts';
import { reportWhileWaiting } from './report-waits.ts';
import { type Downloads, downloadAndReport } from './requests/download-result.ts';
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

/** Downloads an input of an instance in its turn. The same address has the same name, so that a partial download is continued. */
export function fetchInput(
  url: string,
  key: InstanceKey,
  run: Downloads,
  signal: AbortSignal,
): Promise<DownloadOutcome> {
  const id = `input-${createHash('sha256').update(url).digest('hex').slice(0, 32)}`;
  return downloadAndReport({ key, what: 'input', url, id }, () => {}, run, signal);
}

/** Returns the command with content in the place of every address that its arguments, its environment and its files name. */
export async function commandReady<W extends WorkToDo<'run'>>(
  work: W,
  { key }: Pick<Instance, 'key'>,
  run: Makers & Downloads,
): Promise<{ readonly is: 'ok'; readonly value: W } | Exclude<CommandOutcome, { readonly is: 'ok' }>> {
  const { command, env, files } = work;
  const argv = 'argv' in command ? command.argv : [];
  const ready = await withDerived({ argv, env, files }, 'path', key, run);
  if (ready.is === 'failed') return failed(ready.message);
  if (ready.is === 'stopped') return ready;
  const { value } = ready;
  const own = 'argv' in command ? { argv: value.argv } : command;
  const paths: { [name: string]: string } = { ...value.files };
  for (const [name, source] of Object.entries(paths)) {
    if (!/^https?:/i.test(source)) continue;
    const fetched = await fetchInput(source, key, run, run.stopping.signal);
    if (run.stopping.signal.aborted) return { is: 'stopped' };
    if (fetched.is !== 'ok') return failed(`files.${name} could not be fetched from ${source}: ${fetched.message}`);
    paths[name] = contentPath(fetched);
  }
  return { is: 'ok', value: { ...work, command: own, env: value.env, files: paths } };
}

const failed = (message: string) =>
  ({ is: 'failed', failure: { code: 'command_failed', exit: null, message } }) as const;
