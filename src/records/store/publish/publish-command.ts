/**
 * Files published by a command of the user's: it is handed the file as its last argument, and prints the address. The address is
 * looked at before anything is paid for what it is to show.
 */
import { Agent } from 'undici';
import { networkErrorText } from '../../../machine/network-error.ts';
import type { CommandOutcome, CommandRunner } from '../../../machine/process/command-runner.ts';
import type { Clock } from '../../../machine/time/clock.ts';
import { watchdog } from '../../../machine/time/deadline.ts';
import { isUnencrypted } from '../../../model/loopback.ts';
import { cleanText } from '../../../model/text/clean.ts';
import { messages } from './publish-messages.ts';
import type { FileToPublish, OnProgress, UploadOutcome, WayToPublish } from './publishing.ts';

interface PublishCommandOptions {
  readonly command: readonly [string, ...string[]];
  /** Absolute: where it runs. */
  readonly cwd: string;
  /** Variables beside the few that every command gets. */
  readonly env: Readonly<Record<string, string>>;
  /** Milliseconds that an address is good for. */
  readonly expires: number;
  readonly clock: Clock;
  readonly commands: Pick<CommandRunner, 'run'>;
}

const TIMEOUT = 30 * 60_000;
const SILENCE = 30_000;
const MAX_REDIRECTS = 5;

export class PublishCommand implements WayToPublish {
  readonly to: string;
  readonly expires: number;
  readonly #options: PublishCommandOptions;
  readonly #agent = new Agent({ headersTimeout: 0, bodyTimeout: 0, allowH2: false });

  constructor(options: PublishCommandOptions) {
    this.#options = options;
    this.to = options.command.join(' ');
    this.expires = options.expires;
  }

  async upload(file: FileToPublish, onProgress: OnProgress, signal: AbortSignal): Promise<UploadOutcome> {
    const { command, cwd, env, commands } = this.#options;
    onProgress(0, file.bytes);
    const argv = [...command, file.path];
    const outcome = await commands.run({ argv }, { cwd, env, signal, timeoutMs: TIMEOUT });
    if (signal.aborted || outcome.ended === 'stopped') return { is: 'stopped' };
    if (outcome.exit !== 0) return this.#failed(messages.commandFailed(howItEnded(outcome), lastLine(outcome.stderr)));
    const printed = printedAddress(outcome.stdout);
    if (printed.is === 'wrong') return this.#failed(printed.message);
    const wrong = await this.#whyUnreadable(printed.url, file, signal);
    if (signal.aborted) return { is: 'stopped' };
    if (wrong !== undefined) return this.#failed(wrong);
    onProgress(file.bytes, file.bytes);
    return { is: 'there', url: printed.url.href };
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }

  /** Asks for the file as a service would, and reads none of it. */
  async #whyUnreadable(address: URL, { bytes }: FileToPublish, signal: AbortSignal): Promise<string | undefined> {
    const reason = new Error(`nothing came for ${SILENCE / 1000} s`);
    using quiet = watchdog(SILENCE, { clock: this.#options.clock, reason });
    const cut = AbortSignal.any([signal, quiet.signal]);
    try {
      let at = address;
      for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
        const { origin, pathname, search } = at;
        const reply = await this.#agent.request({ origin, path: pathname + search, method: 'GET', signal: cut });
        reply.body.on('error', () => {});
        reply.body.destroy();
        const {
          location,
          'content-length': length,
          'content-encoding': encoding,
          'content-type': type,
        } = reply.headers;
        if (reply.statusCode >= 300 && reply.statusCode < 400 && typeof location === 'string') {
          const next = printedAddress(URL.parse(location, at.href)?.href ?? location);
          if (next.is === 'wrong') return next.message;
          at = next.url;
          continue;
        }
        if (reply.statusCode !== 200) return messages.notThere(reply.statusCode);
        // Where people sign in, or wait for a download.
        if (/^text\/html/i.test(String(type ?? ''))) return messages.page();
        const there = typeof length === 'string' && encoding === undefined ? Number(length) : bytes;
        return there === bytes ? undefined : messages.otherFile(there, bytes);
      }
      return messages.notThere(301);
    } catch (error) {
      return messages.addressUnreached(networkErrorText(error));
    }
  }

  #failed(message: string): UploadOutcome {
    return { is: 'failed', message: `${this.to}: ${message}` };
  }
}

function howItEnded({ ended, exit, signal }: CommandOutcome): string {
  if (ended === 'timed out') return `did not end within ${TIMEOUT / 60_000} minutes`;
  return exit === null ? `was ended by ${signal ?? 'a signal'}` : `failed with exit code ${exit}`;
}

const lastLine = (text: string): string => text.trim().split(/\r?\n/).at(-1)?.slice(0, 300) ?? '';

/** What a publishing command printed: one address that a service can read, or what is wrong with it. */
type Printed = { readonly is: 'address'; readonly url: URL } | { readonly is: 'wrong'; readonly message: string };

function printedAddress(stdout: string): Printed {
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
