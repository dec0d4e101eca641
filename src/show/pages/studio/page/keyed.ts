/** Children in the order of their items, kept where they are the same: a card is drawn once, and a film that plays goes on playing. */

interface Keyed<Item> {
  readonly make: (item: Item) => HTMLElement;
  readonly update: (element: HTMLElement, item: Item) => void;
}

export function drawKeyed<Item extends { readonly id: string }>(
  parent: HTMLElement,
  items: readonly Item[],
  { make, update }: Keyed<Item>,
): void {
  const there = new Map([...parent.children].map(child => [(child as HTMLElement).dataset.id, child as HTMLElement]));
  let before = parent.firstElementChild;
  for (const item of items) {
    const child = there.get(item.id) ?? make(item);
    child.dataset.id = item.id;
    there.delete(item.id);
    update(child, item);
    if (child === before) before = before.nextElementSibling;
    // Moved, a film would stop.
    else parent.insertBefore(child, before);
  }
  for (const gone of there.values()) gone.remove();
}

/** The part of an element that has the class. @throws where it was drawn without: a bug. */
export function partOf<One extends Element = HTMLElement>(element: HTMLElement, name: string): One {
  const part = element.querySelector<One>(`.${name}`);
  if (!part) throw new Error(`nothing in ${element.className} is ${name}`);
  return part;
}

/** Leaves an unchanged text alone: a screen reader repeats nothing. */
export function write(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}
