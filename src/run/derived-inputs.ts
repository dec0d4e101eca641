/**
 * What an instance reads by an address, made or downloaded right before it is used: frames and sound of videos, files of a command. Content
 * takes the place of the addresses. The instance holds no place of its own meanwhile.
 */
import { createHash } from 'node:crypto';
import type { Cut, CutSource } from '../model/media/cut.ts';
import {
  type DerivedMedia,
  derivedAddress,
  derivedFrom,
  derivedIn,
  partName,
  replaceDerived,
} from '../model/media/derived-media.ts';
import type { Instance } from '../model/plan.ts';
import type { Failure } from '../model/run/failure.ts';
import type { InstanceKey } from '../model/run/key.ts';
import { contentPath, contentsOf, contentUrl, isStored } from '../model/run/result.ts';
import type { Json } from '../model/text/json.ts';
import { mapTexts, textsIn } from '../model/text/json.ts';
import { cutMessages } from '../plan/cut/assembly.ts';
import { cutOf } from '../plan/cut/to-cut.ts';
import type { ResolvedCut } from '../plan/values/resolved.ts';
import { reportWhileWaiting } from './engine/report-waits.ts';
import type { RunCore } from './engine/run-core.ts';
import type { WorkToDo } from './engine/run-services.ts';
import type { CommandOutcome, DeriveOutcome, DownloadOutcome } from './ports/executor.ts';
import { type Downloads, downloadAndReport } from './requests/download-result.ts';

type DerivedReady<T> =
  | { readonly is: 'ok'; readonly value: T }
  /** A sentence about the first medium that is unavailable; `here`: as in `DeriveOutcome`. */
  | { readonly is: 'failed'; readonly message: string; readonly here?: true }
  | { readonly is: 'stopped' };

type Makers = Pick<RunCore, 'clock' | 'executor' | 'stopping' | 'recorder' | 'state'>;

/** `value` with content in the place of what is derived: an address of it where a service reads it, a path where a command does. */
export async function withDerived<T extends Json>(
  value: T,
  as: 'address' | 'path',
  key: InstanceKey,
  run: Makers,
): Promise<DerivedReady<T>> {
  const named = new Map([...textsIn(value)].flatMap(derivedIn).map(one => [derivedAddress(one), one]));
  if (named.size === 0) return { is: 'ok', value };
  const taking = [...named].map(
    async ([address, media]) => [address, await take(media, key, run, run.stopping.signal)] as const,
  );
  const places = new Map<string, string>();
  for (const [address, taken] of await Promise.all(taking)) {
    if (taken.is !== 'ok') return taken;
    const path = contentPath(taken);
    places.set(address, as === 'path' ? path : contentUrl(path));
  }
  const change = (text: string) => replaceDerived(text, (_, address) => places.get(address) ?? address);
  return { is: 'ok', value: mapTexts(value, change) as T };
}

/** Takes a part of a video; the message of a failure is a sentence. */
async function take(media: DerivedMedia, key: InstanceKey, run: Makers, signal: AbortSignal): Promise<DeriveOutcome> {
  const from = () => makerOf(media.of, run.recorder);
  const reason = () => `${partName(media.what)} of ${from() ?? 'its video'} is being taken`;
  const taking = () => run.executor.derive(media, signal);
  const taken = await reportWhileWaiting({ key, what: 'frames', reason }, run, taking);
  return taken.is === 'failed' ? { ...taken, message: cannotTake(media, from(), taken.message) } : taken;
}

/** `last_frame of shot[beat=2] cannot be taken: it has no pictures` */
export const cannotTake = ({ what }: DerivedMedia, from: string | undefined, why: string): string =>
  `${partName(what)} of ${from ?? 'its video'} cannot be taken: ${why}`;

function makerOf(sha256: string, { results }: RunCore['recorder']): InstanceKey | undefined {
  for (const [key, { result }] of results)
    if (isStored(result) && contentsOf(result).some(content => content.sha256 === sha256)) return key;
  return undefined;
}

/** Downloads an input of an instance in its turn. The same address has the same name, so that a partial download is continued. */
function fetchInput(url: string, key: InstanceKey, run: Downloads, signal: AbortSignal): Promise<DownloadOutcome> {
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
  if (ready.is === 'failed') return commandFailed(ready.message, ready);
  if (ready.is === 'stopped') return ready;
  const { value } = ready;
  const own = 'argv' in command ? { argv: value.argv } : command;
  const paths: { [name: string]: string } = { ...value.files };
  for (const [name, source] of Object.entries(paths)) {
    if (!/^https?:/i.test(source)) continue;
    const fetched = await fetchInput(source, key, run, run.stopping.signal);
    if (run.stopping.signal.aborted) return { is: 'stopped' };
    if (fetched.is !== 'ok')
      return commandFailed(`files.${name} could not be fetched from ${source}: ${fetched.message}`);
    paths[name] = contentPath(fetched);
  }
  return { is: 'ok', value: { ...work, command: own, env: value.env, files: paths } };
}

const commandFailed = (message: string, { here }: { readonly here?: true } = {}) =>
  ({ is: 'failed', failure: { code: 'command_failed', exit: null, message, ...(here && { here }) } }) as const;

type SettledCut =
  | { readonly is: 'ok'; readonly cut: Cut }
  | { readonly is: 'failed'; readonly failure: Failure }
  | { readonly is: 'stopped' };

/** The cut of a step once all its media are known: those that are named by an address are fetched into the store first, and frames are taken. */
export async function settledCut(
  { cut, assembly, sources, addresses }: Pick<ResolvedCut, 'cut' | 'assembly' | 'sources' | 'addresses'>,
  key: InstanceKey,
  run: Downloads,
  signal: AbortSignal,
): Promise<SettledCut> {
  if (cut) return { is: 'ok', cut };
  const fetched = new Map<string, CutSource>();
  const byAddress = new Map<string, CutSource>();
  for (const [field, url] of addresses) {
    let source = byAddress.get(url);
    if (!source) {
      const part = derivedFrom(url);
      const came = await (part ? take(part, key, run, signal) : fetchInput(url, key, run, signal));
      if (signal.aborted || came.is === 'stopped') return { is: 'stopped' };
      if (came.is !== 'ok' || !came.media) {
        const why = came.is === 'ok' ? 'it is no video, picture or sound that can be read' : came.message;
        const here = 'here' in came ? came.here : undefined;
        return cutFailed(part ? why : cutMessages.addressOnly(sources.called(field), url, why), here);
      }
      source = { sha256: came.sha256, path: contentPath(came), facts: came.media };
      byAddress.set(url, source);
    }
    fetched.set(field, source);
  }
  const made = cutOf(assembly, {
    facts: field => fetched.get(field)?.facts ?? sources.facts(field),
    source: field => fetched.get(field) ?? sources.source(field),
    addresses: new Set<string>(),
  });
  if (made.is === 'cut') return { is: 'ok', cut: made.cut };
  return cutFailed(made.is === 'wrong' ? made.problems.map(({ message }) => message).join('; ') : '');
}

const cutFailed = (message: string, here?: true): SettledCut => ({
  is: 'failed',
  failure: { code: 'cut_failed', message, ...(here && { here }) },
});
