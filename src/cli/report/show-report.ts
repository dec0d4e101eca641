/** The page of a run, written where it is wanted, and shown: the same of a run of this machine and of a team's. */
import { relative, resolve } from 'node:path';
import { openFile } from '../../host/open-file.ts';
import type { Written } from '../../pages/report/write-report.ts';
import type { ReportToWrite } from '../../session/write-run-report.ts';
import { CommandError } from '../errors/command-error.ts';
import { print, say } from '../outlets.ts';
import { INTERRUPTED, onInterrupt } from '../terminal/signals.ts';
import { messages } from './report-messages.ts';

interface ReportToShow extends Pick<ReportToWrite, 'project' | 'report'> {
  readonly values: {
    readonly proxies: boolean;
    readonly open: boolean;
    readonly out?: string | undefined;
  };
  /** What is said of results that could not be shown. */
  readonly missing: (count: number) => string;
}

/** A page of stills in one file, instead of a folder with its media. */
export const isOneFile = (out: string | undefined): boolean => out !== undefined && /\.html?$/i.test(out);

/** Its place is printed. */
export async function showReport({ project, report, values, missing: words }: ReportToShow): Promise<void> {
  const isSingle = isOneFile(values.out);
  const as = isSingle ? 'single' : values.proxies ? 'with_proxies' : 'folder';
  const { page, missing } = await drawn({ project, report, as, to: values.out });
  if (missing > 0) say(isSingle ? messages.notInFile(missing) : words(missing));
  print(`${relative(resolve(), page) || page}\n`);
  const problem = values.open ? await openFile(page, process.env) : undefined;
  if (problem !== undefined) say(problem);
}

/** Ctrl-C stops it, and leaves what was there as it was. A minute of drawing is not silent. */
async function drawn(asked: Omit<ReportToWrite, 'signal' | 'onStill'>): Promise<Written> {
  const { writeRunReport } = await import('../../session/write-run-report.ts');
  const stopping = new AbortController();
  const stopListening = onInterrupt(() => stopping.abort(new CommandError(INTERRUPTED, messages.stopped())));
  try {
    const onStill = (done: number, of: number) => {
      if (done % STILLS_BETWEEN === 0 || (done === of && of > STILLS_BETWEEN)) say(messages.stills(done, of));
    };
    return await writeRunReport({ ...asked, signal: stopping.signal, onStill });
  } finally {
    stopListening();
  }
}

/** Stills that are drawn between two lines about it. */
const STILLS_BETWEEN = 50;
