/** The review page of the film that a command names: the one of `shotlist review`, and the one that `r` opens on a run's screen. */
import { resolve } from 'node:path';
import { asTyped } from '../../domain/as-typed.ts';
import type { Pipeline } from '../../domain/pipeline.ts';
import { systemClock } from '../../host/clock.ts';
import { findProject } from '../../host/project.ts';
import { catalogNowAndThen, type HostedCatalog } from '../../session/models-of-service.ts';
import { type Review, startReview } from '../../session/review/film-review.ts';
import { say } from '../outlets.ts';
import type { ServiceChoice } from '../service/choose-service.ts';
import { type FilmValues, filmOptions } from '../session/film-options.ts';
import { givenData, givenParams } from '../session/param-options.ts';
import { filmToOpen } from '../session/session.ts';

interface ReviewedFilm {
  readonly file: string;
  readonly values: FilmValues;
  readonly choice: Pick<ServiceChoice, 'name' | 'profile' | 'elsewhere' | 'chatBy' | 'draft' | 'key'>;
  /** Absent: the built-in studio's models. */
  readonly catalog?: HostedCatalog | undefined;
  /** Whose name the choices bear. */
  readonly who: string;
  /** 0, or absent: any that is free. */
  readonly port?: number;
}

/** The film is read anew at each look, as it stands then. */
export async function reviewOfFilm({ file, values, choice, catalog, who, port = 0 }: ReviewedFilm): Promise<Review> {
  const { name: service, profile, elsewhere, chatBy, draft, key } = choice;
  const given = { params: givenParams(values), data: givenData(values) };
  const hosted = catalog && catalogNowAndThen(catalog, systemClock);
  return startReview({
    project: await findProject(file, resolve()),
    ...{ file, profile, who, port, clock: systemClock, log: say },
    film: () =>
      filmToOpen({ ...{ file, ...given, key, to: 'look', service, profile }, ...{ elsewhere, chatBy, draft, hosted } }),
    again: pipeline => againWith({ file, profile, values }, pipeline),
  });
}

interface Typed {
  readonly file: string;
  readonly profile: string | undefined;
  readonly values: FilmValues;
}

/** As a person types it to go on with the film; without the values of its secret params. */
function againWith({ file, profile, values }: Typed, pipeline: Pick<Pipeline, 'params'>): string {
  const options = filmOptions(values, pipeline);
  const named = profile === undefined ? [] : ['--profile', profile];
  return [...['shotlist', 'run', asTyped(file), ...named], ...(options === '' ? [] : [options])].join(' ');
}
