import type { PosterJob } from '../poster.ts';
import type { FilmJob } from '../render-film.ts';

/** What the process that cuts is given. All of it is data. */
export type CutTask =
  | { readonly type: 'film'; readonly job: FilmJob }
  | { readonly type: 'poster'; readonly job: PosterJob };
