/**
 * `SHOTLIST_FAILPOINT=name[:nth]`: this process sends itself SIGKILL when it reaches that point for the nth time. For `npm run crash`;
 * unset, every point is an empty call.
 */
import { subscribe } from 'node:diagnostics_channel';
import { FAILPOINTS, type Failpoint } from '../../model/run/failpoint.ts';
import { UsageError } from '../arguments.ts';

type ReachFailpoint = (point: Failpoint) => void;

/** @throws UsageError for an unknown point. */
export function failpointFrom(env: { readonly [name: string]: string | undefined }): ReachFailpoint {
  const asked = env.SHOTLIST_FAILPOINT;
  if (!asked) return () => {};
  const [, name, count = '1'] = /^([a-z-]+)(?::([1-9]\d*))?$/.exec(asked) ?? [];
  const wanted = FAILPOINTS.find(point => point === name);
  if (wanted === undefined)
    throw new UsageError(`SHOTLIST_FAILPOINT is name[:nth], with ${FAILPOINTS.join(', ')}; \`${asked}\` is not`);
  let left = Number(count);
  const reached = () => {
    left -= 1;
    if (left === 0) process.kill(process.pid, 'SIGKILL');
  };
  if (wanted !== 'post-sent') return point => void (point === wanted && reached());
  whenPosted(reached);
  return () => {};
}

/** undici publishes the moment when the last byte of a body went to the system; the promise of the answer does not. */
function whenPosted(posted: () => void): void {
  subscribe('undici:request:bodySent', message => {
    if ((message as { readonly request?: { readonly method?: string } }).request?.method === 'POST') posted();
  });
}
