/** The cut of a step once all its media are known: those that are named by an address are fetched into the store first, and frames are taken. */
import { contentPath } from '../domain/content-path.ts';
import type { Cut, CutSource } from '../domain/cut.ts';
import { type DerivedMedia, derivedFrom, partName } from '../domain/derived-media.ts';
import type { Failure } from '../domain/failure.ts';
import type { InstanceKey } from '../domain/key.ts';
import { cutMessages } from '../plan/cut/cut-messages.ts';
import { cutOf } from '../plan/cut/cut-of.ts';
import type { ResolvedCut } from '../plan/resolved.ts';
import { cannotTake, fetchInput } from './derived-inputs.ts';
import { reportWhileWaiting } from './report-waits.ts';
import type { Downloads } from './requests/download-result.ts';

export type SettledCut =
  | { readonly is: 'ok'; readonly cut: Cut }
  | { readonly is: 'failed'; readonly failure: Failure }
  | { readonly is: 'stopped' };

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
    const part = derivedFrom(url);
    const known =
      byAddress.get(url) ?? (await (part ? takePart(part, key, run, signal) : fetchSource(url, key, run, signal)));
    if (signal.aborted) return { is: 'stopped' };
    if (!('sha256' in known))
      return failed(part ? known.message : cutMessages.addressOnly(sources.called(field), url, known.message));
    byAddress.set(url, known);
    fetched.set(field, known);
  }
  const made = cutOf(assembly, {
    facts: field => fetched.get(field)?.facts ?? sources.facts(field),
    source: field => fetched.get(field) ?? sources.source(field),
    addresses: NONE,
  });
  if (made.is === 'cut') return { is: 'ok', cut: made.cut };
  return failed(made.is === 'wrong' ? made.problems.map(({ message }) => message).join('; ') : '');
}

const NONE: ReadonlySet<string> = new Set();

async function takePart(
  part: DerivedMedia,
  key: InstanceKey,
  run: Downloads,
  signal: AbortSignal,
): Promise<CutSource | { readonly message: string }> {
  const reason = () => `${partName(part.what)} of its video is being taken`;
  const taking = () => run.hands.derive(part, signal);
  const taken = await reportWhileWaiting({ key, what: 'frames', reason }, run, taking);
  if (taken.is === 'stopped') return { message: 'it was stopped' };
  if (taken.is === 'failed') return { message: cannotTake(part, undefined, taken.message) };
  return { sha256: taken.sha256, path: contentPath(taken), facts: taken.media };
}

async function fetchSource(
  url: string,
  key: InstanceKey,
  run: Downloads,
  signal: AbortSignal,
): Promise<CutSource | { readonly message: string }> {
  const fetched = await fetchInput(url, key, run, signal);
  if (fetched.is !== 'ok') return fetched;
  const { sha256, extension, media } = fetched;
  if (!media) return { message: 'it is no video, picture or sound that can be read' };
  return { sha256, path: contentPath({ sha256, extension }), facts: media };
}

const failed = (message: string): SettledCut => ({ is: 'failed', failure: { code: 'cut_failed', message } });
