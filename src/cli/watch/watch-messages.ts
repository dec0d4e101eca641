/** What `run --watch` says. */
import { cleanText } from '../../domain/clean.ts';

export const messages = {
  bills: (service: string): string =>
    `--watch draws a draft at each save, on the built-in studio, and this film goes to ${cleanText(service)}, which bills; add \`--service studio\`, or run it there without --watch`,
  chatBills: (url: string): string =>
    `--watch asks at each save, and chat is passed on to ${cleanText(url)}, which may bill; unset SHOTLIST_CHAT_UPSTREAM, or name one on this machine`,
  notBeside: (option: string): string =>
    `--watch draws drafts until Ctrl-C, and --${option} is about one run; leave one of them out`,
  onlyWatching: (option: string): string => `--${option} is for the page of --watch; add --watch, or leave it out`,
  begins: (file: string): string =>
    `watching ${cleanText(file)}: save it, and what has changed is drawn again as a draft; nothing is paid; Ctrl-C ends`,
  page: (url: string): string => `  ${url}`,
  ended: (): string => 'watching has ended; what was made is kept',
};
