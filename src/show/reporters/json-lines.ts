/**
 * A run as JSON lines, one event each: the shape of `schema/events.schema.json`, version 1. Fields are added, never renamed.
 * Texts are as they came, because a program reads them; what a terminal would obey is escaped, which means the same to a program.
 */

import { EVENT_VERSION, type RecordedEvent, type Reporter } from '../../model/run/event.ts';
import type { Content, Result, UsedResult } from '../../model/run/result.ts';
import { mapFiles } from '../../model/run/result.ts';
import { safeJson } from '../../model/text/clean.ts';

/** Where content lies on this machine: an absolute path, or nothing where it is not here. */
export type FileOf = (sha256: string) => string | undefined;

/** `write` is given one line at a time, without its line feed. */
export function jsonReporter(write: (line: string) => void, fileOf: FileOf): Reporter {
  return {
    report: event => write(jsonLine(event, fileOf)),
    close: () => Promise.resolve(),
  };
}

/** `{"v":1,"seq":1,"at":1795176000000,"type":"run_started",…}` */
export function jsonLine(event: RecordedEvent, fileOf: FileOf): string {
  const { seq, at, type, ...rest } = event;
  const result = 'result' in rest ? { result: SHOWN[rest.result.is](rest.result as never, fileOf) } : {};
  return safeJson({ v: EVENT_VERSION, seq, at, type, ...rest, ...result });
}

/** For a program, `file` is an absolute path, empty where it is not on this machine. */
const SHOWN: {
  readonly [Is in Result['is']]: (result: Extract<Result, { readonly is: Is }>, fileOf: FileOf) => object;
} = {
  media: ({ extension: _, ...result }, fileOf) => ({ ...result, file: fileOf(result.sha256) ?? '' }),
  text: result => result,
  fine_tune: result => result,
  outputs: ({ is, outputs }, fileOf) => ({
    is,
    outputs: Object.fromEntries(
      Object.entries(outputs).map(([name, given]) => [
        name,
        'key' in given ? usedWithFile(given, fileOf) : given.map(one => usedWithFile(one, fileOf)),
      ]),
    ),
  }),
  picked: ({ chosen, ...picked }, fileOf) => ({ ...picked, chosen: chosen.map(one => usedWithFile(one, fileOf)) }),
  approved: result => result,
  round: (round, fileOf) => usedWithFile(round, fileOf),
  command: ({ files, ...result }, fileOf) => ({
    ...result,
    files: mapFiles(files, file => withFile(file, fileOf)),
  }),
};

const usedWithFile = (
  { result, ...used }: Pick<UsedResult, 'key'> & { readonly result: Result },
  fileOf: FileOf,
): object => ({
  ...used,
  result: SHOWN[result.is](result as never, fileOf),
});

const withFile = <T extends Content>({ extension: _, ...file }: T, fileOf: FileOf) => ({
  ...file,
  file: fileOf(file.sha256) ?? '',
});
