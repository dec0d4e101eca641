/** The service of one generation, with what it last said to a POST. A "no" that no retry will change ends the run. */
import type { EnqueueRequest } from '../../api/queue.ts';
import type { NotTaken, Service } from '../../api/service.ts';
import { isWorthRetrying } from '../service/retry-when-busy.ts';
import type { Workspace } from './workspace.ts';

export class ObservedPosts {
  readonly service: Service;
  /** Undefined where the last POST was taken, or there was none. */
  last: NotTaken | undefined;
  isUnderWay = false;
  gaveUp = false;

  constructor({ service, journal }: Workspace, giveUp: () => void) {
    let tried = 0;
    const observed = async <T extends { readonly is: string }>(post: Promise<T | NotTaken>): Promise<T | NotTaken> => {
      this.isUnderWay = true;
      const answer = await post;
      this.isUnderWay = false;
      this.last = isNotTaken(answer) ? answer : undefined;
      tried += 1;
      if (this.last && !isWorthRetrying(this.last, tried)) {
        this.gaveUp = true;
        giveUp();
      }
      return answer;
    };
    this.service = {
      ...service,
      enqueue: (request, signal, nonce) => observed(service.enqueue(request, signal, nonce)),
      generateNow: async (endpoint, request: EnqueueRequest, signal, nonce) => {
        const answer = await observed(service.generateNow(endpoint, request, signal, nonce));
        // A step has one result; a person who asks by hand gets everything that was made.
        if (answer.is === 'made' && (answer.urls.length > 1 || journal.notes.get('more')))
          await journal.notes.set('more', JSON.stringify(answer.urls.slice(1))).catch(() => {});
        return answer;
      },
    };
  }
}

const isNotTaken = (answer: { readonly is: string }): answer is NotTaken =>
  answer.is === 'refused' || answer.is === 'unreached' || answer.is === 'unknown';
