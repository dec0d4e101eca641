/** Finds the logs that commands left (`command-logs.ts`), by instance and by run. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { InstanceKey } from '../../domain/key.ts';
import { codeOf } from '../../host/error-code.ts';
import { logName } from './command-logs.ts';

/** Unix milliseconds; `until` null: it goes on. */
export interface Span {
  readonly from: number;
  readonly until: number | null;
}

/** A folder is named by the second in which its first line was written. */
const SECOND = 1000;

/** By instance: absolute paths of its logs, oldest first, one for each attempt. The folders are read once, with the first question. */
export function keptLogs(folder: string, { from, until }: Span): (key: InstanceKey) => readonly string[] {
  let read: readonly { readonly folder: string; readonly names: ReadonlySet<string> }[] | undefined;
  const runs = () =>
    namesIn(folder)
      .filter(name => {
        const at = timeOf(name);
        return at !== undefined && at >= from - SECOND && (until === null || at <= until);
      })
      .map(name => ({ folder: join(folder, name), names: new Set(namesIn(join(folder, name))) }));
  return key => {
    read ??= runs();
    return read.flatMap(run => attemptsIn(run, logName(key)));
  };
}

function attemptsIn(
  { folder, names }: { readonly folder: string; readonly names: ReadonlySet<string> },
  name: string,
): readonly string[] {
  const paths: string[] = [];
  for (let attempt = 1; ; attempt++) {
    const file = attempt === 1 ? `${name}.log` : `${name}.${attempt}.log`;
    if (!names.has(file)) return paths;
    paths.push(join(folder, file));
  }
}

/** `2026-11-22T08-20-11` */
function timeOf(name: string): number | undefined {
  const [, day, hours, minutes, seconds] = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)$/.exec(name) ?? [];
  const at = day === undefined ? Number.NaN : Date.parse(`${day}T${hours}:${minutes}:${seconds}Z`);
  return Number.isNaN(at) ? undefined : at;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}
