/** Serves a review page until Ctrl-C, prints its link and shows it: for a film of this machine and for a team's run. */

import { resolve } from 'node:path';
import { type Review, startReview } from '../../app/review/film-review.ts';
import { catalogNowAndThen, type HostedCatalog } from '../../app/service/models-of-service.ts';
import { findProject } from '../../machine/files/project.ts';
import { systemClock } from '../../machine/time/clock.ts';
import { cleanText } from '../../model/text/clean.ts';
import { CommandError } from '../errors/command-error.ts';
import { jsonText, print, say } from '../outlets.ts';
import type { ServiceChoice } from '../service/choose-service.ts';
import { type FilmValues, filmCommand, givenData, givenParams } from '../session/film-options.ts';
import { filmToOpen } from '../session/session.ts';
import { onInterruptOrClosedOutput } from '../terminal/signals.ts';
import { hasDesktop } from './review-key.ts';

interface ReviewValues {
  readonly 'no-open': boolean;
  readonly json: boolean;
}

/** Resolves when a person ends it. @param me the name that decisions bear. */
export async function openForPerson(review: Review, values: ReviewValues, me: string): Promise<void> {
  const { head, questions } = await review.look();
  if (head.closed !== null && questions.length === 0) throw new CommandError(2, head.closed);
  if (values.json) print(jsonText({ version: 1, url: review.url, who: me }));
  else {
    print(`${review.url}\n`);
    say(
      `anyone with this link may decide here, as ${cleanText(me)}; Ctrl-C closes the page, and no run is touched by that`,
    );
    if (head.closed !== null) say(head.closed);
  }
  const wantsOpen = !values['no-open'] && !values.json && process.stderr.isTTY === true;
  const problem = wantsOpen && hasDesktop(process.env) ? await review.show(process.env) : undefined;
  if (problem !== undefined) say(problem);
  let stopListening = () => {};
  await new Promise<void>(stop => {
    stopListening = onInterruptOrClosedOutput(() => stop());
  });
  stopListening();
}

interface ReviewedFilm {
  readonly file: string;
  readonly values: FilmValues;
  readonly choice: Pick<ServiceChoice, 'name' | 'profile' | 'elsewhere' | 'chatBy' | 'draft' | 'key'>;
  /** Absent: the built-in studio's models. */
  readonly catalog?: HostedCatalog | undefined;
  /** The name that choices bear. */
  readonly who: string;
  /** 0, or absent: any that is free. */
  readonly port?: number;
}

/** The film is read anew at each look. */
export async function reviewOfFilm({ file, values, choice, catalog, who, port = 0 }: ReviewedFilm): Promise<Review> {
  const { name: service, profile, elsewhere, chatBy, draft, key } = choice;
  const given = { params: givenParams(values), data: givenData(values) };
  const hosted = catalog && catalogNowAndThen(catalog, systemClock);
  return startReview({
    project: await findProject(file, resolve()),
    ...{ file, profile, who, port, clock: systemClock, log: say },
    film: () =>
      filmToOpen({ ...{ file, ...given, key, to: 'look', service, profile }, ...{ elsewhere, chatBy, draft, hosted } }),
    again: pipeline => filmCommand('run', { file, profile, values }, pipeline),
  });
}
