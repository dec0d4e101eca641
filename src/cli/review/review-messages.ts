/** What `shotlist review` says. */
import { cleanText } from '../../domain/clean.ts';

export const messages = {
  badPort: (port: string): string => `--port is a number from 0 to 65535; \`${cleanText(port)}\` is not`,
  opened: (who: string): string =>
    `whoever has this link may decide here, as ${cleanText(who)}; Ctrl-C closes the page, and no run is touched by that`,
};
