/** Elements of a page. Every text is set as text: nothing that came from a run is ever read as markup. */

import { type AnswerLine, answerLines } from '../../text/report/answer-lines.ts';

/** Null, undefined and false: no such attribute; true: an empty one. A function listens: `onclick`. `style` holds properties. */
export interface Attributes {
  readonly [name: string]:
    | string
    | number
    | boolean
    | null
    | undefined
    | ((event: never) => void)
    | Readonly<Record<string, string>>;
}

export type Child = Node | string | null | undefined;

type Content = readonly (Attributes | Child | readonly Child[])[];

/** A tag with its classes: `p.note.soft`. */
type Named<Tag extends string> = Tag | `${Tag}.${string}`;
type Made<Name extends string, Tags> = Tags[(Name extends `${infer Tag}.${string}` ? Tag : Name) & keyof Tags];

/** @param content attributes and children. A button is of the type `button`. */
export const html = <Name extends Named<keyof HTMLElementTagNameMap>>(
  name: Name,
  ...content: Content
): Made<Name, HTMLElementTagNameMap> =>
  filled(name, content, tag => document.createElement(tag)) as Made<Name, HTMLElementTagNameMap>;

export const svg = <Name extends Named<keyof SVGElementTagNameMap>>(
  name: Name,
  ...content: Content
): Made<Name, SVGElementTagNameMap> =>
  filled(name, content, tag => document.createElementNS('http://www.w3.org/2000/svg', tag)) as Made<
    Name,
    SVGElementTagNameMap
  >;

function filled(name: string, content: Content, create: (tag: string) => HTMLElement | SVGElement) {
  const [tag = '', ...classes] = name.split('.');
  const element = create(tag);
  element.classList.add(...classes);
  if (tag === 'button') element.setAttribute('type', 'button');
  for (const part of content.flat())
    if (typeof part === 'string' || part instanceof Node) element.append(part);
    else if (part) setAttributes(element, part);
  return element;
}

function setAttributes(element: HTMLElement | SVGElement, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes))
    if (typeof value === 'function') element.addEventListener(name.slice('on'.length), value as EventListener);
    else if (typeof value === 'object') Object.assign(element.style, value);
    else if (value !== undefined && value !== false) element.setAttribute(name, value === true ? '' : String(value));
}

/** The fragment behind the `#` of the address, as it is or decoded. */
export function addressed(): string {
  const text = location.hash.slice(1);
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** @throws where the page's own markup lacks it: a bug. */
export function byId<One extends HTMLElement = HTMLElement>(id: string): One {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found as One;
}

/** A name with a distinctive end: where there is no room it loses its middle, `shot[beat=2-com…,take=3]`. */
export function elided(label: string): HTMLElement {
  const at = Math.max(label.lastIndexOf(','), label.lastIndexOf('#') - 1);
  const [head, tail] = at > 0 ? [label.slice(0, at), label.slice(at)] : [label, ''];
  return html('span.elided', html('span', head), html('span', tail));
}

/** What a chat model wrote, to be read. */
export function answer(text: string): HTMLElement {
  const lines = answerLines(text) ?? [{ depth: 0, name: null, text }];
  return html('div.answer', lines.map(lineOf));
}

const lineOf = ({ depth, name, text }: AnswerLine): HTMLElement =>
  html('p', { style: { marginLeft: `${depth * 12}px` } }, name === null ? null : html('b', `${name} `), text);
