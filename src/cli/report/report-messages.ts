/** What is said where a report cannot be given. */
import { cleanText } from '../../domain/clean.ts';
import { nearest } from '../../domain/nearest.ts';

/** Runs that are named. */
const NAMED = 5;

export const messages = {
  whichFile: (): string => 'which file? shotlist report FILE, or shotlist report FILE RUN',
  neverRun: (file: string): string =>
    `${cleanText(file)} was never run here, or its runs changed nothing; shotlist run ${cleanText(file)}`,
  unknownRun: (run: string, runs: readonly string[]): string => {
    const near = nearest(run, runs);
    return `no run is called ${cleanText(run)}${near ? `; did you mean ${near}?` : ''}; see --all`;
  },
  severalRuns: (run: string, runs: readonly string[]): string =>
    `${cleanText(run)} may be ${runs.slice(0, NAMED).join(', ')}; write more of its name`,
  singleHasNoProxies: (): string =>
    'a page in one file shows stills alone, and --proxies is for what plays: leave it out, or name a folder',
  stills: (drawn: number, of: number): string => `${drawn} of ${of} stills are drawn`,
  stopped: (): string => 'stopped: nothing was written',
  notInFile: (missing: number): string =>
    `${missing === 1 ? 'one still is' : `${missing} stills are`} not in the file: it is at most 10 MB; a folder (--out without .html) has them all`,
  notHere: (missing: number, file: string): string =>
    `${missing === 1 ? 'one result is' : `${missing} results are`} not on this machine any more, and not in the report; shotlist run ${cleanText(file)} fetches what is at the service`,
};
