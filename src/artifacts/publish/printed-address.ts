/** What a publishing command printed: one address that a service can read, or what is wrong with it. */
import { cleanText } from '../../domain/clean.ts';
import { isUnencrypted } from '../../domain/loopback.ts';
import { messages } from './publish-messages.ts';

type Printed = { readonly is: 'address'; readonly url: URL } | { readonly is: 'wrong'; readonly message: string };

export function printedAddress(stdout: string): Printed {
  const lines = stdout
    .split(/\r?\n/)
    .map(line => line.trim())
    .filter(line => line !== '');
  const wrong = (message: string): Printed => ({ is: 'wrong', message });
  const [line] = lines;
  if (line === undefined) return wrong(messages.printedNothing());
  if (lines.length > 1) return wrong(messages.printedMore(lines.length));
  const url = /\s/.test(line) ? null : URL.parse(line);
  // `C:\film.mp4` is a path.
  if (!url || /^[a-z]:/i.test(line)) return wrong(messages.printedPath(cleanText(line).slice(0, 80)));
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return wrong(messages.printedScheme(url.protocol));
  if (url.username !== '' || url.password !== '') return wrong(messages.printedCredentials());
  return isUnencrypted(url) ? wrong(messages.printedPlain()) : { is: 'address', url };
}
