/** Messages for a person where a file could not be published. Each goes on after the place's name: `s3://films/in: …`. */
import { formatSeconds } from '../../../model/text/format.ts';

export const messages = {
  noSuchBucket: (bucket: string) =>
    `there is no bucket \`${bucket}\` there; look at \`bucket\`, \`endpoint\` and \`region\` of \`publish\``,
  unknownKey: () => "the id of the key is not known there; look at the key, and at the bucket's `endpoint`",
  wrongKey: () => 'the key is not the one that belongs to its id; set it anew',
  expiredSession: () => "the key's session is over; sign in again, and give the same command again",
  wrongClock: (theirs: number | undefined, ours: number) =>
    theirs === undefined
      ? "this machine's clock is wrong by more than 15 minutes; set it"
      : `this machine's clock is ${formatSeconds(Math.abs(ours - theirs) / 1000)} ${ours > theirs ? 'ahead of' : 'behind'} the bucket's; set it`,
  otherRegion: (bucket: string, region: string) =>
    `\`${bucket}\` is in the region ${region}; write \`region: ${region}\``,
  redirected: (endpoint: string | undefined) =>
    `it is elsewhere${endpoint === undefined ? '' : ` (${endpoint})`}; look at \`endpoint\` and \`region\` of \`publish\``,
  forbidden: (bucket: string, reason: string) =>
    `the key may not do this (${reason === '' ? 'forbidden' : reason}); it needs \`s3:PutObject\` and \`s3:GetObject\` on \`${bucket}\``,
  unreadable: (bucket: string) =>
    `the file was taken, and the key may not read it; it needs \`s3:GetObject\` on \`${bucket}\`, or no service can read it either`,
  tooLarge: () => 'the file is larger than the bucket takes; make it smaller',
  damaged: () => 'what arrived is not what was sent',
  quicker: () => 'another machine was quicker, and what it sent is not there',
  uploadGone: () => 'somebody ended the upload',
  partsRefused: (code: string) => `it took the parts of the file, and does not put them together (${code})`,
  partsLeft: (why: string, id: string) =>
    `${why}; parts of it are left there, unseen and perhaps billed (upload ${id}): publishing it again takes them up, and a lifecycle rule of the bucket (AbortIncompleteMultipartUpload) clears them away`,
  lost: () => 'the file was taken, and is not there',
  busy: (status: number, code: string | undefined, reason: string) =>
    `it answers ${status}${code === undefined ? '' : ` ${code}`}${reason === '' ? '' : ` (${reason})`}`,
  refused: (status: number, code: string | undefined, reason: string) =>
    `it refuses with ${status}${code === undefined ? '' : ` ${code}`}${reason === '' ? '' : ` (${reason})`}`,
  unreached: (why: string) => `it cannot be reached (${why})`,
  triedInVain: (times: number, why: string) => `${why}, ${times} times; try again later`,
  changed: () => 'the file has changed since this run was planned; give the same command again',
  unreadableFile: (why: string) => `the file cannot be read (${why})`,

  // the command
  commandFailed: (how: string, reason: string) => `it ${how}${reason === '' ? '' : `: ${reason}`}`,
  printedNothing: () => 'it printed no address on its standard output; print it, and nothing else',
  printedMore: (lines: number) =>
    `it printed ${lines} lines on its standard output; print the address alone there, and all else on standard error`,
  printedPath: (reason: string) => `it printed \`${reason}\`, which is no address; print one that begins with https://`,
  printedScheme: (scheme: string) => `it printed an address with \`${scheme}\`; a service reads https:// alone`,
  printedPlain: () =>
    'it printed an address with http://, which anybody on the way could read; print one with https://',
  printedCredentials: () =>
    'it printed an address that holds a name and a password, which services refuse; sign it instead',
  notThere: (status: number) =>
    `the address that it printed answers ${status}; it must give the file to anybody who asks, without signing in`,
  page: () => 'the address that it printed leads to a page, not to the file; print the one that gives the file itself',
  otherFile: (there: number, here: number) =>
    `the address that it printed leads to ${there.toLocaleString('en-US')} bytes, and the file has ${here.toLocaleString('en-US')}`,
  addressUnreached: (why: string) => `the address that it printed cannot be reached (${why})`,
} as const;
