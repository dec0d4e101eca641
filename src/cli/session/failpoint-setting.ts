/**
 * `SHOTLIST_FAILPOINT=name[:nth]`: this process kills itself, as nobody could stop it from, when it comes to that point for the nth
 * time. For `npm run crash`; unset, every point is an empty call.
 */
import { subscribe } from 'node:diagnostics_channel';
import { FAILPOINTS, type Failpoint } from '../../domain/failpoint.ts';
import { UsageError } from '../arguments.ts';

export type Reached = (point: Failpoint) => void;

/** @throws UsageError for a point that there is not. */
export function failpointFrom(env: { readonly [name: string]: string | undefined }): Reached {
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

/** undici tells when a body's last byte was handed to the system: nobody who merely awaits the answer knows that moment. */
function whenPosted(posted: () => void): void {
  subscribe('undici:request:bodySent', message => {
    if ((message as { readonly request?: { readonly method?: string } }).request?.method === 'POST') posted();
  });
}
