/** An instance as a picture with its caption: what it is, what became of it, what it cost. */

import type { ReportedDecision, ReportedInstance } from '../../../../../model/run/run-report.ts';
import { counted } from '../../../../../model/text/format.ts';
import { elided, html } from '../../../parts/element.ts';
import { coordinatesIn, sentence, span } from '../../../parts/format.ts';
import type { InStep, Screen } from '../../../parts/in-step.ts';
import { mark, shapeOf } from '../../../parts/states.ts';
import { becameWords, failureTitle, isAsked, verdictOf, wordsOfKind } from '../kind-words.ts';
import { isPicked, secondsFor } from '../model.ts';
import { textOf } from '../texts.ts';
import type { View } from '../view.ts';

export interface TileTerms {
  readonly view: View;
  readonly inStep: InStep;
  readonly isTabStop: (one: ReportedInstance) => boolean;
}

interface TileShape {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** `short`: the coordinates alone, under their step's heading. */
  readonly name: 'short' | 'whole';
  /** What is played in step with it, itself among them. */
  readonly group: readonly ReportedInstance[];
}

const calm = matchMedia('(prefers-reduced-motion: reduce)');

export function drawTile(one: ReportedInstance, terms: TileTerms, shape: TileShape): HTMLElement {
  const { view } = terms;
  const decided = view.model.chosenIn(one);
  const picked = isPicked(one) ? `, picked${decided ? ` by ${decided.who}` : ''}` : '';
  const shown = view.model.shownFor(one);
  const poster = view.model.posterOf(shown);
  const tile = html(
    'button.tile',
    {
      ...{ 'data-key': one.key, tabindex: terms.isTabStop(one) ? 0 : -1, style: { height: `${shape.height}px` } },
      ...{ 'aria-label': `${one.label}, ${becameWords(one)}${picked}`, onclick: () => view.open(one) },
    },
    poster ? html('img.whole', { src: poster, alt: '', loading: 'lazy', decoding: 'async' }) : null,
    one.fraction !== null && shapeOf(one.state) === 'going' ? progress(one.fraction) : null,
  );
  return html(
    'div.cell',
    {
      ...{ 'data-shape': shapeOf(one.state), 'data-pick': isPicked(one), 'data-open': view.opened === one },
      ...{ 'data-tall': shape.height > shape.width, style: { width: `${shape.width}px` } },
      ...playsInStep(terms, shape.group),
    },
    tile,
    poster ? null : words(one, shown, shape.height),
    caption(one, terms, shape),
  );
}

/** In the place of a picture. @param shown the instance with the words to read */
function words(one: ReportedInstance, shown: ReportedInstance, height: number): HTMLElement {
  const content = () => {
    if (one.failure) return [html('b', failureTitle(one.failure)), sentence(one.failure.message)];
    if (one.waitsFor) return `Waits for ${one.waitsFor}`;
    return shown.text === null ? withoutPicture(one) : textOf(shown);
  };
  return html('div.say', { style: { height: `${height}px` } }, content());
}

function withoutPicture(one: ReportedInstance): string {
  if (isAsked(one) && one.state !== 'asks') return 'Taken back since.';
  if (one.state === 'made' || one.state === 'reused') return one.media ? WITHOUT_STILL[one.media.facts.kind] : '';
  return sentence(one.why.verdict);
}

const WITHOUT_STILL = {
  audio: 'a sound',
  video: 'a video, without a still',
  image: 'an image, without a still',
} as const;

const progress = (fraction: number): HTMLElement =>
  html('i.progress', { style: { transform: `scaleX(${Math.min(1, Math.max(0, fraction))})` } });

function caption(one: ReportedInstance, { view }: TileTerms, { name }: TileShape): HTMLElement {
  const isThere = one.state === 'made' || one.state === 'failed';
  const short = coordinatesIn(one.label);
  return html(
    'div.cap.flow',
    html('span.k.mid', mark(one.state), elided(name === 'short' ? short : one.label)),
    html('span.soft.num', isThere ? view.model.price(one) : becameWords(one)),
    html(
      'span.f.cut.soft',
      isPicked(one) ? html('span.picked', 'picked ') : null,
      one.decision ? decisionWords(one.kind, one.decision, view) : factsOf(one),
    ),
  );
}

/** `take 2, by Ada`; `approved by Ada: “larger”` */
function decisionWords(kind: string, decision: ReportedDecision, { model }: View): string {
  const { who, note, chosen } = decision;
  const { asks } = wordsOfKind(kind);
  const what = asks?.namesChosen && chosen.length > 0 ? `${model.chosenNames(decision)},` : verdictOf(kind, decision);
  return `${what} by ${who}${note === null ? '' : `: “${note}”`}`;
}

function factsOf(one: ReportedInstance): string {
  const { width, height, duration } = one.media?.facts ?? {};
  const seconds = secondsFor(one);
  return [
    one.media || isAsked(one) ? null : wordsOfKind(one.kind).about,
    width && height ? `${width}×${height}` : null,
    duration ? `${Number(duration.toFixed(1))} s` : null,
    seconds > 0 ? `took ${span(seconds)}` : null,
    one.attempts.length > 1 ? counted(one.attempts.length, 'attempt') : null,
  ]
    .filter(Boolean)
    .join(', ');
}

/** Listeners of its cell. */
function playsInStep({ inStep, view }: TileTerms, group: readonly ReportedInstance[]) {
  const name = group[0]?.key ?? '';
  const screens = () => group.flatMap((it): readonly Screen[] => screenOf(view, it));
  return {
    onpointerenter: (event: PointerEvent) => {
      if (event.pointerType === 'mouse' && !calm.matches) inStep.look(name, screens);
    },
    onpointerleave: (event: PointerEvent) => {
      if (event.pointerType === 'mouse') inStep.lookAway(name);
    },
    onkeydown: (event: KeyboardEvent) => {
      if (event.key !== ' ') return;
      event.preventDefault();
      event.stopPropagation();
      inStep.toggle(name, screens);
    },
    // A space that is let go presses a button.
    onkeyup: (event: KeyboardEvent) => {
      if (event.key === ' ') event.preventDefault();
    },
  };
}

function screenOf(view: View, one: ReportedInstance): readonly Screen[] {
  const over = document.querySelector<HTMLElement>(`.tile[data-key="${CSS.escape(one.key)}"]`);
  const how = view.model.playableOf(one);
  return over && one.media?.facts.kind === 'video' && how.is === 'plays'
    ? [{ over, src: how.src, facts: one.media.facts }]
    : [];
}
