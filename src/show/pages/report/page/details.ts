/** What the drawer shows: picture, takes, what happened, prompt, choice, why, facts, files, request. */
import type { ReportedAttempt, ReportedField, ReportedInstance } from '../../../../model/run/run-report.ts';
import { wordDifference } from '../../../../model/text/word-difference.ts';
import { commandLine, copyButton } from '../../parts/copying.ts';
import { type Child, html } from '../../parts/element.ts';
import { capital, moneyInWords, sentence, span, timeOfDay } from '../../parts/format.ts';
import { mediaText } from '../../parts/media-text.ts';
import { shapeOf } from '../../parts/states.ts';
import { lacking } from './film/film.ts';
import { becameWords, failureTitle, isAsked, verdictOf, wordsOfKind } from './kind-words.ts';
import { endOf, isPicked, paidFor } from './model.ts';
import { lastLines, textOf, yamlText } from './texts.ts';
import type { View } from './view.ts';

export function detailsOf(one: ReportedInstance, view: View): readonly HTMLElement[] {
  const shown = view.model.shownFor(one);
  return [
    picture(shown, view),
    takes(one, view),
    ...failure(one),
    one.prompt ? part('Prompt', html('p', { class: 'prompt', text: one.prompt })) : null,
    rejection(one),
    choice(one, view),
    shown.text && !isAsked(shown) ? part(wordsOfKind(shown.kind).text ?? 'What it said', textOf(shown, 0)) : null,
    one.log?.lines?.length ? part('What its command wrote', ...lastLines(one)) : null,
    part(whyTitle(one), html('p', { text: sentence(one.why.verdict) }), whyTable(one.why.fields)),
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

const part = (title: string, ...children: readonly Child[]): HTMLElement =>
  html('section', { class: 'part' }, html('h3', { text: title }), ...children);

const rejection = ({ rejected }: ReportedInstance): HTMLElement | null =>
  rejected &&
  part(
    `Rejected by ${rejected.who}`,
    html('p', {
      text: rejected.note === null ? timeOfDay(rejected.at) : `${rejected.note} (${timeOfDay(rejected.at)})`,
    }),
  );

/** As a shell reads one word. */
const quoted = (word: string): string => (/^[\w./:-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

function picture(one: ReportedInstance, view: View): HTMLElement | null {
  const { media } = one;
  if (!media) return null;
  const poster = view.model.posterOf(one);
  const how = view.model.playableOf(one);
  const shot = html('div', { class: 'shot' });
  const still = () => (poster ? html('img', { src: poster, alt: one.prompt ?? one.label }) : null);
  if (how.is !== 'plays') shot.append(...[still()].filter(it => it !== null));
  else if (media.facts.kind === 'image') shot.append(html('img', { src: how.src, alt: one.prompt ?? one.label }));
  else if (media.facts.kind === 'audio')
    shot.append(html('audio', { src: how.src, controls: true, preload: 'none', 'aria-label': one.label }));
  else shot.append(videoOf(how.src, poster, one));
  if (how.is === 'lacks_codec') shot.append(lacking(how.codec, how.file));
  return shot.childNodes.length > 0 ? shot : null;
}

function videoOf(src: string, poster: string | null, { label, media }: ReportedInstance): HTMLVideoElement {
  const video = html('video', {
    ...{ src, poster, controls: true, loop: true, playsinline: true, preload: 'none', 'aria-label': label },
    ...{ width: media?.facts.width, height: media?.facts.height },
  });
  video.muted = true;
  video.addEventListener('error', () => {
    if (!video.parentElement?.querySelector('.lacking')) video.after(lacking('this file', src));
  });
  return video;
}

function takes(one: ReportedInstance, view: View): HTMLElement | null {
  const all = view.model.takesOf(one);
  if (all.length === 0) return null;
  return html(
    'div',
    { class: 'sibs', role: 'group', 'aria-label': 'Its takes' },
    ...all.map(other => {
      const poster = view.model.posterOf(other);
      return html(
        'button',
        {
          ...{ type: 'button', 'aria-current': other === one ? 'true' : null, 'data-pick': isPicked(other) },
          on: { click: () => view.open(other) },
        },
        poster ? html('img', { src: poster, alt: '' }) : html('span', { class: 'no-still', text: becameWords(other) }),
        `${view.model.takeName(other)}${isPicked(other) ? ', picked' : ''}`,
      );
    }),
  );
}

function failure(one: ReportedInstance): readonly HTMLElement[] {
  if (!one.failure) return [];
  const { message, command, first } = one.failure;
  return [
    part(
      'What happened',
      html('p', { class: 'lead', text: failureTitle(one.failure) }),
      html('p', { class: 'soft', text: message }),
    ),
    ...(command || first
      ? [part('To go on', first ? html('p', { text: first }) : null, command ? commandLine(command) : null)]
      : []),
  ];
}

function choice(one: ReportedInstance, view: View): HTMLElement | null {
  const decision = view.model.decisionOf(one);
  if (!decision) return null;
  const note = decision.note === null ? '' : `“${decision.note}”`;
  const named = wordsOfKind(one.kind).asks?.namesChosen ? capital(view.model.chosenNames(decision)) : '';
  const lead = [named, note].filter(Boolean).join('. ');
  return part(
    capital(verdictOf(one.kind, decision)),
    lead ? html('p', { class: 'lead', text: lead }) : null,
    html('p', { class: 'soft', text: `${decision.who}, ${timeOfDay(decision.at)}` }),
    decision.scores.length > 0
      ? html(
          'ol',
          { class: 'scores' },
          ...decision.scores.map(({ key, score, words }) =>
            html(
              'li',
              {},
              opener(key, view),
              ` ${Number(score.toFixed(3))}`,
              words ? html('span', { class: 'soft', text: ` ${words}` }) : null,
            ),
          ),
        )
      : null,
  );
}

const opener = (key: string, view: View): HTMLElement => {
  const one = view.model.find(key);
  return one
    ? html('button', { class: 'copy mono', type: 'button', text: one.label, on: { click: () => view.open(one) } })
    : html('span', { class: 'mono', text: key });
};

/** Keys that stand in a row of the facts; the rest is counted. */
const MOST_NEEDS = 24;

function facts(one: ReportedInstance, view: View): HTMLElement {
  const list = html('dl', { class: 'facts' });
  const fact = (name: string, ...values: readonly Child[]) =>
    list.append(html('dt', { text: name }), html('dd', { class: 'flow' }, ...values));
  fact('State', `${becameWords(one)}${one.waitsFor ? `, waits for ${one.waitsFor}` : ''}`);
  if (one.model) fact('Model', one.model);
  if (one.media) fact(one.media.facts.kind === 'audio' ? 'Sound' : 'Picture', mediaText(one.media));
  if (one.seed !== null) fact('Seed', one.seed);
  fact('Cost', costText(one, view));
  one.attempts.forEach((attempt, at) => {
    fact(one.attempts.length > 1 ? `Attempt ${at + 1}` : 'Time', attemptText(one, attempt, view));
  });
  if (one.generation)
    fact(
      'Generation',
      html('span', { class: 'mono', text: one.generation }),
      copyButton(one.generation, 'the generation id'),
    );
  if (one.media) {
    const digest = `sha256:${one.media.sha256}`;
    fact('Content', html('span', { class: 'mono', text: `${digest.slice(0, 27)}…` }), copyButton(digest, 'the digest'));
  }
  if (one.needs.length > 0) {
    const more = one.needs.length - MOST_NEEDS;
    fact(
      'Needs',
      ...one.needs.slice(0, MOST_NEEDS).map(key => opener(key, view)),
      more > 0 ? `and ${more} more` : null,
    );
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
    return html(
      'li',
      {},
      file ? html('a', { href: file, text: name, download: true }) : html('span', { text: name }),
      html('span', { class: 'soft', text: ` ${mediaText(media)}` }),
    );
  });
  return rows.length > 0 ? part('Further files', html('ul', {}, ...rows)) : null;
}

function request(one: ReportedInstance): HTMLElement | null {
  if (!one.request) return null;
  return html(
    'section',
    { class: 'part' },
    html('div', { class: 'beside' }, html('h3', { text: 'Request' }), copyButton(one.request, 'the request')),
    yamlText(one.request),
  );
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
  const heads = ['Field', 'Change', 'Value'].map(text => html('th', { scope: 'col', text }));
  return html(
    'table',
    { class: 'why' },
    html('caption', { class: 'away', text: 'Field by field against the last time' }),
    html('thead', { class: 'away' }, html('tr', {}, ...heads)),
    html('tbody', {}, ...fields.map(row)),
  );
}

function row(field: ReportedField): HTMLElement {
  return html(
    'tr',
    { 'data-is': field.is },
    html('th', { class: 'mono', scope: 'row', text: field.name }),
    html('td', { text: field.is }),
    html('td', { class: 'mono' }, ...changeOf(field)),
  );
}

function changeOf({ is, was, now }: ReportedField): readonly (Node | string)[] {
  switch (is) {
    case 'gone':
      return [html('del', { text: was ?? '' })];
    case 'new':
    case 'same':
      return [now ?? was ?? ''];
    case 'changed':
      return wordDifference(was ?? '', now ?? '').flatMap(({ is: came, text }) =>
        came === 'same' ? [text] : came === 'gone' ? [html('del', { text }), ' '] : [html('ins', { text })],
      );
  }
}
