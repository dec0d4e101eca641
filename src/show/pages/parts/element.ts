/** Elements of a page. Every text is set as text: nothing that came from a run is ever read as markup. */

type Attribute = string | number | boolean | null | undefined;

interface Made {
  readonly class?: string | undefined;
  readonly text?: string | undefined;
  readonly on?: { readonly [event: string]: (event: never) => void };
  /** Null, undefined and false: no such attribute; true: an empty one. */
  readonly [attribute: string]: Attribute | { readonly [event: string]: (event: never) => void };
}

export type Child = Node | string | null | undefined;

const SVG = 'http://www.w3.org/2000/svg';

export function html<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  made: Made = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  return filled(document.createElement(tag), made, children);
}

export function svg<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  made: Made = {},
  ...children: readonly Child[]
): SVGElementTagNameMap[Tag] {
  return filled(document.createElementNS(SVG, tag), made, children);
}

function filled<One extends Element>(element: One, made: Made, children: readonly Child[]): One {
  for (const [name, value] of Object.entries(made)) {
    if (name === 'text') element.textContent = String(value ?? '');
    else if (typeof value === 'object' && value !== null)
      for (const [event, heard] of Object.entries(value)) element.addEventListener(event, heard as EventListener);
    else if (value !== null && value !== undefined && value !== false)
      element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...children.filter(child => child !== null && child !== undefined));
  return element;
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
  return html('span', { class: 'elided' }, html('span', { text: head }), html('span', { text: tail }));
}
