/** What `doctor` finds, in words, each with the command that settles it. */

import { type DecisionPage, moreAt } from '../../model/run/decision-page.ts';
import { asTyped, cleanText } from '../../model/text/clean.ts';
import { formatBytes, formatUsd } from '../../model/text/format.ts';
import type { Submission } from '../../records/views/ledger.ts';

export interface Finding {
  readonly is:
    | 'open'
    | 'unknown'
    | 'orphan'
    | 'billing'
    | 'bytes'
    | 'effect'
    | 'question'
    | 'file'
    | 'lock'
    | 'journal'
    | 'lease'
    | 'service'
    | 'disk';
  /** Of the film; absent: the real one, or all of them. */
  readonly profile?: string;
  readonly key?: string;
  readonly generation_id?: string;
  readonly model?: string;
  readonly message: string;
  /** What settles it, as it is typed; absent where no command does. */
  readonly command?: string;
  /** The section of the guide about it. */
  readonly page?: DecisionPage;
}

/** @param flags that say which service is meant, as they were given: `--service render-farm`. */
export function messages(file: string, flags: readonly string[]) {
  const at = flags.map(flag => ` ${asTyped(flag)}`).join('');
  const typed: Typed = (command, ...more) =>
    ['shotlist', command, asTyped(file), ...more.map(asTyped)].join(' ') + (command === 'check' ? '' : at);
  return { ...aboutHere, ...aboutSubmissions(typed), ...aboutInstances(typed) };
}

/** A command about the film, as it is typed. */
type Typed = (command: string, ...more: readonly string[]) => string;

const aboutHere = {
  running: () => `a run of this film is going on: what is open may be in its hands; ${moreAt('already-running')}`,
  noHistory: () =>
    'the service does not list what it was given, so it is unknown whether something of it is in no film',
  others: (count: number) =>
    `the service lists ${count} generation${count === 1 ? '' : 's'} of no film of this project, and of nothing that this one asks for`,
  renamed: (path: string, asked: string) =>
    `${cleanText(path)} has the extension of what it holds; \`to:\` says ${cleanText(asked)}`,
  readWhole: (files: number, damaged: number) =>
    `read ${files === 1 ? 'the one file' : `all ${files} files`} of the store: ${damaged === 0 ? 'none is' : `${damaged} ${damaged === 1 ? 'is' : 'are'}`} damaged`,
  adoptedGone: (message: string): Finding => ({ is: 'bytes', message, page: 'adopted-file-missing' }),
  unreadable: (is: 'lock' | 'journal' | 'lease', path: string, message: string): Finding => ({
    is,
    message: message.includes(path) ? message : `${path}: ${message}`,
    ...(is === 'lock' && { page: 'lock-unreadable' }),
  }),
  lockAside: (lock: string, aside: string): Finding => ({
    ...{ is: 'lock', command: `diff ${lock} ${aside}`, page: 'lock-unreadable' },
    message: `${aside} holds what could not be written into the lock: mend that, run again, and delete this`,
  }),
  silent: (message: string): Finding => ({
    is: 'service',
    message: `${cleanText(message)}; what is open there could not be looked at`,
  }),
  littleRoom: (folder: string, bytes: number): Finding => ({
    ...{ is: 'disk', command: `df -h ${folder}` },
    message: `there are ${formatBytes(bytes)} left on the disk of ${folder}: the next films may not fit`,
  }),
} as const;

function aboutSubmissions(typed: Typed) {
  const run = typed('run');
  const which = ({ key, id }: Submission) => ({ key, ...(id !== undefined && { generation_id: id }) });
  const price = ({ price: usd }: Submission) => (usd === null || usd === 0 ? '' : ` (${formatUsd(usd)})`);
  return {
    answerLost: (open: Submission): Finding => ({
      ...{ is: 'unknown', ...which(open), page: 'lost-answer' },
      ...(open.via === 'chat'
        ? {
            command: typed('run', '--on-unknown', 'resubmit'),
            message: `its answer was lost: it is perhaps paid for${price(open)}; a chat is listed nowhere, so that no run looks for it: this sends it again`,
          }
        : {
            command: run,
            message: `its answer was lost: it is perhaps at the service, and perhaps paid for${price(open)}; a run looks for it`,
          }),
    }),
    sentInVain: ({ key }: Submission, times: number): Finding => ({
      ...{ is: 'unknown', key, command: typed('cancel', key, '--forget'), page: 'lost-answer' },
      message: `its answer was lost ${times === 1 ? 'once' : `${times} times`}, though the service does not list it: no run sends it again before this gives it up`,
    }),
    lostAtService: (open: Submission): Finding => ({
      ...{ is: 'unknown', ...which(open), command: typed('cancel', open.key, '--forget'), page: 'lost-generation' },
      message: `the service took it, and knows no such generation any more${price(open)}; a run asks again, this gives it up`,
    }),
    notFetched: (open: Submission): Finding => ({
      ...{ is: 'open', ...which(open), command: run },
      message: `made and paid for${price(open)}, and not here yet`,
    }),
    underWay: (open: Submission, status: string | undefined): Finding => ({
      ...{ is: 'open', ...which(open), command: run },
      message: `${status === undefined ? 'sent' : `${cleanText(status)} at the service`}, already paid${price(open)}; a run waits for it`,
    }),
    ended: (open: Submission, status: string): Finding => ({
      ...{ is: 'open', ...which(open), command: run },
      message:
        status === 'succeeded'
          ? `made and paid for${price(open)}, and not here yet`
          : `${cleanText(status)} at the service, and not known here yet`,
    }),
    elsewhere: (open: Submission, address: string): Finding => ({
      ...{ is: 'open', ...which(open) },
      message: `open at ${cleanText(address) || 'another service'}: ask for that one with --service`,
    }),
  };
}

function aboutInstances(typed: Typed) {
  const run = typed('run');
  return {
    orphan: (id: string, key: string, status: string): Finding => ({
      ...{ is: 'orphan', key, generation_id: id, command: typed('attach', key, id) },
      message: `the service has ${cleanText(id)} (${cleanText(status)}), which was asked for the same and is of no film here`,
    }),
    bills: (model: string, status: string | undefined): Finding => ({
      ...{ is: 'billing', model, command: typed('cancel'), page: 'still-billing' },
      message: `${cleanText(model)} was activated by a run and not ended: it ${status === undefined ? 'may bill' : status === 'inactive' ? 'is down, which is not written here yet' : `is ${cleanText(status)}, and bills`}`,
    }),
    bytesAtService: (key: string): Finding => ({
      ...{ is: 'bytes', key, command: run, page: 'bytes-missing' },
      message: 'its bytes are not on this machine; a run fetches them again from the service',
    }),
    bytesFree: (key: string): Finding => ({
      ...{ is: 'bytes', key, command: run, page: 'bytes-missing' },
      message: 'its bytes are not on this machine; a run makes it again, free',
    }),
    bytesGone: (key: string): Finding => ({
      ...{ is: 'bytes', key, command: typed('plan', key), page: 'bytes-missing' },
      message: 'its bytes are nowhere: a run would make it, and pay for it, again',
    }),
    damaged: (path: string, key: string | undefined): Finding => ({
      ...{ is: 'bytes', ...(key !== undefined && { key, command: run }), page: 'bytes-missing' },
      message: `${path} is damaged: it holds other bytes than it did; a run sets it aside, never uses it, and fetches the result again where the service or the team has it`,
    }),
    mayBeDone: (key: string): Finding => ({
      ...{ is: 'effect', key, command: typed('run', '--on-unknown', 'done'), page: 'unknown-effect' },
      message:
        'it acts outside, was begun, and its outcome is unknown: look there; --on-unknown resubmit does it again',
    }),
    undecided: (key: string, is: 'pick' | 'approve', ask: string): Finding => ({
      ...{ is: 'question', key, command: typed(is, key), page: 'waiting-for-you' },
      message: `waits for a person: ${cleanText(ask)}`,
    }),
    mistakes: (count: number): Finding => ({
      ...{ is: 'file', command: typed('check') },
      message: `the file has ${count} mistake${count === 1 ? '' : 's'}, so nothing that a plan shows was looked at`,
    }),
  };
}
