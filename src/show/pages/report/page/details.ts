/**
 * One instance in full, over the margin of the page, which stays alive beside it: picture, takes, what happened, prompt, choice, why, facts, files,
 * request. Its address is its key.
 */
import type { ReportedAttempt, ReportedField, ReportedInstance } from '../../../../model/run/run-report.ts';
import { wordDifference } from '../../../../model/text/word-difference.ts';
import { commandLine, copyButton } from '../../parts/copying.ts';
import { addressed, byId, type Child, html } from '../../parts/element.ts';
import { capital, moneyInWords, sentence, span, timeOfDay } from '../../parts/format.ts';
import { mediaText } from '../../parts/media.ts';
import { shapeOf } from '../../parts/states.ts';
import { lacking } from './film/film.ts';
import type { Gallery } from './film/gallery.ts';
import { becameWords, failureTitle, isAsked, verdictOf, wordsOfKind } from './kind-words.ts';
import { endOf, isPicked, paidFor } from './model.ts';
import { lastLines, textOf, yamlText } from './texts.ts';
import type { View } from './view.ts';

export function drawDrawer(view: View, gallery: Gallery): void {
  const drawer = byId('drawer');
  const body = byId('drawer-body');
  let back: Element | null = null;
  let last = view.opened;
  view.onOpen(() => {
    const one = view.opened;
    const wasOpen = !drawer.hidden;
    drawer.hidden = one === null;
    document.body.classList.toggle('with-drawer', one !== null);
    // What played in it stops, and is let go.
    for (const player of body.querySelectorAll<HTMLMediaElement>('video, audio')) player.pause();
    body.replaceChildren(...(one ? detailsOf(one, view) : []));
    body.scrollTop = 0;
    byId('drawer-key').textContent = one?.label ?? '';
    history.replaceState(null, '', one ? `#${encodeURIComponent(one.key)}` : location.pathname + location.search);
    if (one && !wasOpen) {
      back = document.activeElement;
      byId('drawer-key').focus({ preventScroll: true });
    }
    if (!one && wasOpen) {
      if (last && view.shown.includes(last)) gallery.focus(last);
      else if (back instanceof HTMLElement) back.focus({ preventScroll: true });
    }
    last = one;
  });
  byId('drawer-close').addEventListener('click', () => view.open(null));
  byId('drawer-previous').addEventListener('click', () => view.turn(-1));
  byId('drawer-next').addEventListener('click', () => view.turn(1));
}

/** Opens what the address names: `#shot[beat=3,take=2]`, as it is or encoded. */
export function followAddress(view: View): void {
  const follow = () => {
    const one = view.model.find(addressed());
    if (one) view.open(one);
  };
  addEventListener('hashchange', follow);
  follow();
}

function detailsOf(one: ReportedInstance, view: View): readonly HTMLElement[] {
  const shown = view.model.shownFor(one);
  return [
    picture(shown, view),
    takes(one, view),
    ...failure(one),
    one.prompt ? part('Prompt', html('p.prompt', one.prompt)) : null,
    rejection(one),
    choice(one, view),
    shown.text && !isAsked(shown) ? part(wordsOfKind(shown.kind).text ?? 'What it said', textOf(shown, 0)) : null,
    one.log?.lines?.length ? part('What its command wrote', lastLines(one)) : null,
    part(whyTitle(one), html('p', sentence(one.why.verdict)), whyTable(one.why.fields)),
    part('Facts', facts(one, view)),
    files(one, view),
    request(one),
    one.model && one.generation && one.state !== 'failed'
      ? part(
          'One more take',
          commandLine(`shotlist run ${quoted(view.model.report.run.file)} --redo ${quoted(one.key)}`),
        )
      : null,
  ].filter(it => it !== null);
}

const part = (title: string, ...children: readonly (Child | readonly Child[])[]): HTMLElement =>
  html('section.part', html('h3', title), ...children);

function rejection({ rejected }: ReportedInstance): HTMLElement | null {
  if (!rejected) return null;
  const at = timeOfDay(rejected.at);
  return part(`Rejected by ${rejected.who}`, html('p', rejected.note === null ? at : `${rejected.note} (${at})`));
}

/** As a shell reads one word. */
const quoted = (word: string): string => (/^[\w./:-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

function picture(one: ReportedInstance, view: View): HTMLElement | null {
  const { media } = one;
  if (!media) return null;
  const poster = view.model.posterOf(one);
  const how = view.model.playableOf(one);
  const imageOf = (src: string) => html('img', { src, alt: one.prompt ?? one.label });
  if (how.is !== 'plays') {
    const lacks = how.is === 'lacks_codec' ? lacking(how.codec, how.file) : null;
    return poster || lacks ? html('div.shot', poster ? imageOf(poster) : null, lacks) : null;
  }
  const { src } = how;
  const { kind, width, height } = media.facts;
  const played = { src, controls: true, preload: 'none', 'aria-label': one.label };
  if (kind === 'image') return html('div.shot', imageOf(src));
  if (kind === 'audio') return html('div.shot', html('audio', played));
  const fail = () => {
    if (!video.parentElement?.querySelector('.lacking')) video.after(lacking('this file', src));
  };
  const video = html('video', { ...played, poster, loop: true, playsinline: true, width, height, onerror: fail });
  video.muted = true;
  return html('div.shot', video);
}

function takes(one: ReportedInstance, view: View): HTMLElement | null {
  const all = view.model.takesOf(one);
  if (all.length === 0) return null;
  const take = (other: ReportedInstance) => {
    const poster = view.model.posterOf(other);
    return html(
      'button',
      { 'aria-current': other === one ? 'true' : null, 'data-pick': isPicked(other), onclick: () => view.open(other) },
      poster ? html('img', { src: poster, alt: '' }) : html('span.no-still', becameWords(other)),
      `${view.model.takeName(other)}${isPicked(other) ? ', picked' : ''}`,
    );
  };
  return html('div.sibs', { role: 'group', 'aria-label': 'Its takes' }, all.map(take));
}

function failure(one: ReportedInstance): readonly HTMLElement[] {
  if (!one.failure) return [];
  const { message, command, first } = one.failure;
  return [
    part('What happened', html('p.lead', failureTitle(one.failure)), html('p.soft', message)),
    ...(command || first
      ? [part('To go on', first ? html('p', first) : null, command ? commandLine(command) : null)]
      : []),
  ];
}

function choice(one: ReportedInstance, view: View): HTMLElement | null {
  const decision = view.model.decisionOf(one);
  if (!decision) return null;
  const note = decision.note === null ? '' : `“${decision.note}”`;
  const named = wordsOfKind(one.kind).asks?.namesChosen ? capital(view.model.chosenNames(decision)) : '';
  const lead = [named, note].filter(Boolean).join('. ');
  const scores = decision.scores.map(({ key, score, words }) =>
    html('li', opener(key, view), ` ${Number(score.toFixed(3))}`, words ? html('span.soft', ` ${words}`) : null),
  );
  return part(
    capital(verdictOf(one.kind, decision)),
    lead ? html('p.lead', lead) : null,
    html('p.soft', `${decision.who}, ${timeOfDay(decision.at)}`),
    scores.length > 0 ? html('ol.scores', scores) : null,
  );
}

/** What opens another instance, by its name. */
export function opener(key: string, view: View): HTMLElement {
  const one = view.model.find(key);
  return one ? html('button.copy.mono', { onclick: () => view.open(one) }, one.label) : html('span.mono', key);
}

/** Of the service, to be copied. */
export const generationId = (id: string): readonly HTMLElement[] => [
  html('span.mono', id),
  copyButton(id, 'the generation id'),
];

/** Keys in a row of the facts; the rest is counted. */
const MAX_NEEDS = 24;

function facts(one: ReportedInstance, view: View): HTMLElement {
  const list = html('dl.facts');
  const fact = (name: string, ...values: readonly (Child | readonly Child[])[]) =>
    list.append(html('dt', name), html('dd.flow', ...values));
  fact('State', `${becameWords(one)}${one.waitsFor ? `, waits for ${one.waitsFor}` : ''}`);
  if (one.model) fact('Model', one.model);
  if (one.media) fact(one.media.facts.kind === 'audio' ? 'Sound' : 'Picture', mediaText(one.media));
  if (one.seed !== null) fact('Seed', one.seed);
  fact('Cost', costText(one, view));
  one.attempts.forEach((attempt, at) => {
    fact(one.attempts.length > 1 ? `Attempt ${at + 1}` : 'Time', attemptText(one, attempt, view));
  });
  if (one.generation) fact('Generation', generationId(one.generation));
  if (one.media) {
    const digest = `sha256:${one.media.sha256}`;
    fact('Content', html('span.mono', `${digest.slice(0, 27)}…`), copyButton(digest, 'the digest'));
  }
  if (one.needs.length > 0) {
    const more = one.needs.length - MAX_NEEDS;
    const shown = one.needs.slice(0, MAX_NEEDS).map(key => opener(key, view));
    fact('Needs', shown, more > 0 ? `and ${more} more` : null);
  }
  return list;
}

function costText(one: ReportedInstance, { model }: View): string {
  const text = model.costWords(paidFor(one));
  return one.state === 'reused' && one.price && !model.isFree
    ? `${text}; ${moneyInWords(one.price)} when it was made`
    : text;
}

function attemptText(one: ReportedInstance, attempt: ReportedAttempt, { model }: View): string {
  const { queued, running, fetching } = attempt;
  const end = endOf(attempt);
  const length = (from: number, to: number) => span((to - from) / 1000);
  if (isAsked(one)) return `a person took ${length(queued, end)}`;
  return [
    `queued ${length(queued, running ?? fetching ?? end)}`,
    running === null ? null : `running ${length(running, fetching ?? end)}`,
    fetching === null ? null : `download ${length(fetching, end)}`,
    attempt.cost && !model.isFree && one.attempts.length > 1 ? moneyInWords(attempt.cost) : null,
    attempt.is === 'made' ? null : attempt.is,
    attempt.reason,
  ]
    .filter(Boolean)
    .join(', ');
}

function files(one: ReportedInstance, { model }: View): HTMLElement | null {
  const rows = one.files.map(({ name, media }) => {
    const file = model.data.media[media.sha256]?.file;
    const shown = file ? html('a', { href: file, download: true }, name) : html('span', name);
    return html('li', shown, html('span.soft', ` ${mediaText(media)}`));
  });
  return rows.length > 0 ? part('Further files', html('ul', rows)) : null;
}

function request(one: ReportedInstance): HTMLElement | null {
  if (!one.request) return null;
  const title = html('div.beside', html('h3', 'Request'), copyButton(one.request, 'the request'));
  return html('section.part', title, yamlText(one.request));
}

/** Why it was made: field by field against the last time, with the words that went and the words that came. */
function whyTitle({ state }: ReportedInstance): string {
  switch (shapeOf(state)) {
    case 'reused':
      return 'Why it was reused';
    case 'pending':
      return 'Why it was not run';
    case 'made':
    case 'failed':
    case 'going':
      return 'Why it was made';
  }
}

function whyTable(fields: readonly ReportedField[]): HTMLElement | null {
  if (fields.length === 0) return null;
  const heads = ['Field', 'Change', 'Value'].map(text => html('th', { scope: 'col' }, text));
  const row = (field: ReportedField) =>
    html(
      'tr',
      { 'data-is': field.is },
      html('th.mono', { scope: 'row' }, field.name),
      html('td', field.is),
      html('td.mono', changeOf(field)),
    );
  return html(
    'table.why',
    html('caption.away', 'Field by field against the last time'),
    html('thead.away', html('tr', heads)),
    html('tbody', fields.map(row)),
  );
}

function changeOf({ is, was, now }: ReportedField): readonly (Node | string)[] {
  switch (is) {
    case 'gone':
      return [html('del', was ?? '')];
    case 'new':
    case 'same':
      return [now ?? was ?? ''];
    case 'changed':
      return wordDifference(was ?? '', now ?? '').flatMap(({ is: came, text }) =>
        came === 'same' ? [text] : came === 'gone' ? [html('del', text), ' '] : [html('ins', text)],
      );
  }
}
