/** The report of a bug of ours: what happened, that it is our fault, what to send. It contains no key. */

import { secretsByName } from '../../app/service/secret-texts.ts';
import { VERSION } from '../../app/service/version.ts';
import { withoutSecrets } from '../outlets.ts';

/** Stack frames that are worth sending. */
const PLACES = 12;
const LONGEST = 500;

export function bugReport(
  error: unknown,
  command: string,
  environment: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const { name, message, stack = '' } = error instanceof Error ? error : new Error(String(error));
  const places = stack.split('\n').filter(line => /^\s+at /.test(line));
  const secrets = secretsByName(environment);
  const hidden = (text: string) => withoutSecrets(secrets.redact(text));
  return [
    `shotlist: this is a bug of shotlist, not of your film: ${short(hidden(`${name}: ${message}`))}`,
    ...places.slice(0, PLACES).map(place => `  ${short(hidden(place.trim()))}`),
    'what was paid for is written down: the same command goes on from there, once the bug is mended or does not show',
    `please report it: send these lines, the command you typed (\`shotlist ${command} …\`) and the file it reads, without keys`,
    `  shotlist ${VERSION}, Node ${process.version}, ${process.platform} ${process.arch}`,
  ];
}

const short = (text: string): string => (text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`);
