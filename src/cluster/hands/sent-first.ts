/**
 * Hands whose results the team has before anybody is told of them: an event that names content, in a journal that many machines read, is
 * true on all of them from its first moment. It stands around the hands and not in the journal, so that one result that takes long to
 * send holds up nobody but those who need it; a store that is down holds all who make something, and loses nothing: what is made stays here.
 */
import type { SharedResults } from '../../artifacts/shared/shared-results.ts';
import type { Content } from '../../domain/content-path.ts';
import { contentsOf } from '../../domain/result-contents.ts';
import type { DownloadOutcome, Hands } from '../../run/ports/hands.ts';
import { Troubles } from './troubles.ts';

/** @param trouble hears why results wait; undefined: they do not. */
export function sentFirst(
  here: Hands,
  shared: Pick<SharedResults, 'sent'>,
  trouble: (message: string | undefined) => void,
): Hands {
  const troubles = new Troubles(trouble);
  const sent = async (contents: readonly Content[], signal: AbortSignal): Promise<boolean> => {
    const all = contents.map(({ sha256, extension }) =>
      shared.sent({ sha256, extension }, signal, message => troubles.tell(sha256, message)),
    );
    return (await Promise.all(all)).every(Boolean);
  };
  return {
    ...(here.most && { most: here.most }),
    async runCommand(work, turn, signal) {
      const done = await here.runCommand(work, turn, signal);
      // What has acted outside is sent for as long as that takes: it is not done again.
      const until = work.effect ? NEVER : signal;
      return done.is !== 'ok' || (await sent(contentsOf(done.result), until)) ? done : { is: 'stopped' };
    },
    async makeCut(work, turn, signal) {
      const made = await here.makeCut(work, turn, signal);
      return made.is !== 'ok' || (await sent([made.result], signal)) ? made : { is: 'stopped' };
    },
    async download(work, turn, signal): Promise<DownloadOutcome> {
      const fetched = await here.download(work, turn, signal);
      return fetched.is !== 'ok' || (await sent([fetched], signal)) ? fetched : { is: 'failed', message: 'stopped' };
    },
    // It is made of what the team has, the same each time, wherever it is needed.
    derive: (media, signal) => here.derive(media, signal),
  };
}

const NEVER = new AbortController().signal;
