/** Messages about a team's store. */
import { formatBytes } from '../../../model/text/format.ts';

const results = (count: number): string => `${count} ${count === 1 ? 'result' : 'results'}`;

export const messages = {
  // the folder
  folderGone: () => 'the folder is not there; mount it, or make it',
  notAFolder: () => 'it is no folder; name one that all of the team can reach',
  folderChanged: () => 'another folder is in its place by now: it was unmounted; mount it again',
  silent: (seconds: number) => `it does not answer within ${seconds} s`,
  folderFault: (code: string) =>
    FOLDER_FAULTS[code] ?? `the folder fails (${code}); mend that, then give the same command again`,
  changed: () => 'the file has changed meanwhile',

  // the bucket
  noBucket: () => 'there is no such bucket; look at `store`',
  hidden: () =>
    'the key may not read it, or it is not there: a key without `s3:ListBucket` cannot see which; allow it that as well as `s3:GetObject`',
  cutOff: (came: number, of: number | undefined) =>
    `${formatBytes(came)} came${of === undefined ? '' : ` of ${formatBytes(of)}`}, and then nothing`,

  // what came
  otherBytes: (sha256: string) =>
    `other bytes are kept there under ${sha256.slice(0, 12)}…; they were thrown away: take them out there, and \`shotlist store push FILE\` where the right ones are`,
  notKept: (why: string) => `it came, and could not be kept here: ${why}`,

  // at the end of a run
  sending: (to: string, count: number) =>
    `sending ${results(count)} to ${to}; Ctrl-C leaves the rest to \`shotlist store push\``,
  sent: (to: string, count: number, bytes: number) => `${results(count)} sent to ${to} (${formatBytes(bytes)})`,
  unsent: (to: string, count: number, why: string, later: string) =>
    `${results(count)} not sent to ${to}: ${why}; ${later}`,
  pushed: (count: number) => `\`shotlist store push FILE\` sends ${count === 1 ? 'it' : 'them'} later`,
  onlyHere: () => 'what was made is on this machine alone',
  problem: (to: string, message: string) => `${to}: ${message}`,
  stalled: (seconds: number) => `nothing moved for ${seconds} s`,
  leftOver: () => 'the run ended before',
} as const;

const FOLDER_FAULTS: Readonly<Record<string, string>> = {
  EROFS: 'the folder is read-only; mount it to be written to, or set `write: false`',
  EACCES: 'you may not read or write there; change its permissions, or set `write: false`',
  EPERM: 'you may not read or write there; change its permissions, or set `write: false`',
  ENOSPC: 'its disk is full; make room there',
  EDQUOT: 'your quota there is used up; make room there',
  ESTALE: 'it was unmounted, or its server began anew; mount it again',
  EIO: 'its disk or its network fails',
  ENOTCONN: 'the connection to it is gone; mount it again',
  EHOSTDOWN: 'the machine that it is on is down',
  ETIMEDOUT: 'it does not answer',
};
