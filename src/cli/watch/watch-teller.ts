/** How the loop is told: lines on stderr; each event as JSON on stdout with `--ui json`; only mistakes with `--ui quiet`. */
import { unreachable } from '../../domain/unreachable.ts';
import { systemClock } from '../../host/clock.ts';
import { hangingLines } from '../../reporters/hanging-lines.ts';
import { type FileOf, jsonReporter } from '../../reporters/json-lines.ts';
import { WatchLines } from '../../reporters/watch-lines.ts';
import type { HearNews } from '../../session/watch/watch-film.ts';
import { print, say, withoutSecrets } from '../outlets.ts';
import { printDiagnostics } from '../session/print-diagnostics.ts';
import type { Ui } from '../terminal/choose-reporters.ts';

/** On standard error, folded for the terminal that is there. Secrets are taken out before: half of one would not be found any more. */
export const folded = (line: string): void =>
  say(hangingLines(withoutSecrets(line), process.stderr.isTTY ? process.stderr.columns : undefined));

/** @param film options that say which film is meant, as they are typed. */
export function watchTeller(
  ui: Ui | undefined,
  { fileOf, film }: { readonly fileOf: FileOf; readonly film: string },
): HearNews {
  const lines = new WatchLines(ui === 'json' || ui === 'quiet' ? () => {} : folded, film);
  const json = ui === 'json' ? jsonReporter(line => print(`${line}\n`), fileOf) : undefined;
  let isGoing = false;
  return news => {
    switch (news.is) {
      case 'saved':
        return lines.saved(news.at, news.files);
      case 'mistaken':
        printDiagnostics(news.diagnostics);
        for (const words of news.words) if (words) folded(words);
        return lines.mistaken(systemClock.now(), isGoing);
      case 'held':
        for (const words of news.words) folded(words);
        return lines.held(systemClock.now());
      case 'advised':
        printDiagnostics(news.diagnostics);
        for (const words of news.words) folded(words);
        return;
      case 'same':
        return lines.same(systemClock.now());
      case 'planned':
        isGoing = true;
        return lines.planned(news.plan, news.cancelled, systemClock.now());
      case 'event':
        json?.report(news.event);
        return lines.event(news.event);
      case 'first_frame':
        return lines.firstFrame(news.key, news.at);
      case 'ended':
        isGoing = false;
        return;
      default:
        return unreachable(news);
    }
  };
}
