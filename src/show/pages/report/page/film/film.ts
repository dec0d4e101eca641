/** The film, and the cut that lies under it: what is on screen, and a way to go there. */
import type { ReportedFilm } from '../../../../../model/run/run-report.ts';
import { byId, html, svg } from '../../../parts/element.ts';
import { clock } from '../../../parts/format.ts';
import type { Playable } from '../../../parts/media.ts';
import type { ReportModel } from '../model.ts';

/** Seconds into a shot, so that its first picture is seen and not the last of the one before. */
const INTO = 0.02;

/** @returns what plays it, or stops it. */
export function drawFilm(model: ReportModel): () => void {
  const { film, run } = model.report;
  const stage = byId('stage');
  const place = film && model.data.media[film.media.sha256];
  if (!film || !place || (!place.file && !place.poster)) return () => {};
  stage.hidden = false;
  const { width = 16, height = 9 } = film.media.facts;
  stage.style.setProperty('--ratio', `${width} / ${height}`);
  stage.style.setProperty('--share', String(width / height));
  if (place.poster) byId('film-print').setAttribute('src', place.poster);
  byId('film-print').setAttribute('alt', `A frame of ${run.name}`);
  const how = model.playableOf(film);
  if (film.media.facts.kind !== 'video' || how.is !== 'plays') return still(model, film, how);
  return player(model, film, how.src);
}

/** A picture is the film, or this browser, or this page, has nothing but one. */
function still(model: ReportModel, film: ReportedFilm, how: Playable): () => void {
  const place = model.data.media[film.media.sha256];
  const { kind } = film.media.facts;
  if (kind === 'audio' && how.is === 'plays') {
    const sound = html('audio', { controls: true, preload: 'none', src: how.src, 'aria-label': model.report.run.name });
    byId('screen').classList.add('sound');
    byId('screen').append(sound);
    return () => (sound.paused ? void sound.play() : sound.pause());
  }
  const src = kind === 'image' && how.is === 'plays' ? how.src : place?.poster;
  byId('screen').append(
    src
      ? html('img', { src, alt: `A frame of ${model.report.run.name}` })
      : html('p.plate-said', 'No still of it could be drawn.'),
  );
  if (how.is === 'lacks_codec') byId('screen').append(lacking(how.codec, how.file));
  drawShots(model, film, () => {});
  return () => {};
}

/** Names what this browser lacks, and gives the file. */
export const lacking = (codec: string, file: string): HTMLElement =>
  html(
    'p.lacking',
    `This browser does not show ${codec}. `,
    html('a', { href: file, download: true }, 'Download it'),
    ', or draw the report with --proxies.',
  );

function player(model: ReportModel, film: ReportedFilm, src: string): () => void {
  const poster = model.data.media[film.media.sha256]?.poster;
  const tick = () => {
    follow(movie.currentTime);
    if (!movie.paused) requestAnimationFrame(tick);
  };
  const fail = () => {
    start.hidden = true;
    if (!document.querySelector('.screen .lacking')) byId('screen').append(lacking('this file', src));
  };
  const movie = html('video', {
    ...{ id: 'film', playsinline: true, preload: 'none', tabindex: -1, src, poster },
    ...{ 'aria-label': `${model.report.run.name}, the film`, onerror: fail, onplay: tick, onseeked: tick },
  });
  // The browser's own controls come with the first play: until then the poster is the picture, and nothing lies on it but one button.
  const begin = () => {
    movie.controls = true;
    movie.tabIndex = 0;
    start.hidden = true;
    void movie.play().catch(() => {});
  };
  const { duration } = film.media.facts;
  const press = () => {
    begin();
    movie.focus();
  };
  const start = html(
    'button.start.mid',
    { onclick: press },
    svg('svg', { viewBox: '0 0 12 12', 'aria-hidden': 'true' }, svg('path', { d: 'M2 1l9 5-9 5z' })),
    html('span', duration === undefined ? 'Play' : `Play, ${clock(duration)}`),
  );
  byId('screen').append(movie, start);
  const follow = drawShots(model, film, at => {
    begin();
    movie.currentTime = at + INTO;
  });
  return () => (movie.paused ? begin() : movie.pause());
}

/** Returns what shows a time of the film on them. */
function drawShots(model: ReportModel, { shots }: ReportedFilm, goTo: (at: number) => void): (time: number) => void {
  const drawn = shots.map(shot => {
    const fill = html('i');
    const name = (shot.key && model.find(shot.key)?.label) ?? shot.name;
    const label = { title: name, 'aria-label': `${name}, at ${clock(shot.at)}` };
    const style = { flexGrow: String(shot.for) };
    const element = html('button.cut', { ...label, style, onclick: () => goTo(shot.at) }, fill, name);
    return { ...shot, element, fill };
  });
  byId('cuts').hidden = drawn.length === 0;
  byId('cuts').append(...drawn.map(({ element }) => element));
  return time => {
    for (const { at, for: length, element, fill } of drawn) {
      fill.style.transform = `scaleX(${Math.min(1, Math.max(0, (time - at) / length))})`;
      if (time > 0 && time >= at && time < at + length) element.setAttribute('aria-current', 'true');
      else element.removeAttribute('aria-current');
    }
  };
}
