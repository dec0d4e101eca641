/** A list with rows that exist only near the window: each has its height beforehand, and is drawn when it comes near. */

export interface Row {
  /** Pixels. */
  readonly height: number;
  readonly draw: () => HTMLElement;
}

/** Pixels beyond the window in which rows are drawn. */
const MARGIN = 600;
/** Pixels of the page's head, under which nothing is seen. */
const HEAD = 72;

export class VirtualRows<One extends Row> {
  readonly #host: HTMLElement;
  #rows: readonly One[] = [];
  #tops: number[] = [];
  #height = 0;
  #drawn = new Map<number, HTMLElement>();
  /** How many rows are on paper; null: on a screen, those near the window. */
  #onPaper: number | null = null;
  #isAsked = false;

  constructor(host: HTMLElement) {
    this.#host = host;
    for (const event of ['scroll', 'resize']) addEventListener(event, () => this.#ask(), { passive: true });
  }

  get rows(): readonly One[] {
    return this.#rows;
  }

  set(rows: readonly One[]): void {
    this.#rows = rows;
    this.#tops = [];
    this.#height = 0;
    for (const { height } of rows) {
      this.#tops.push(this.#height);
      this.#height += height;
    }
    this.#drawAnew();
  }

  /** The first so many, one after the other, as paper needs it; null: those near the window again. */
  putOnPaper(rows: number | null): void {
    this.#onPaper = rows;
    this.#host.classList.toggle('all', rows !== null);
    this.#drawAnew();
  }

  /** Scrolls a row into sight, where it is not. */
  reach(at: number): HTMLElement | undefined {
    const [top, height] = [this.#tops[at] ?? 0, this.#rows[at]?.height ?? 0];
    const inPage = this.#host.getBoundingClientRect().top + scrollY + top;
    if (inPage < scrollY + HEAD || inPage + height > scrollY + innerHeight)
      scrollTo({ top: Math.max(0, inPage - innerHeight / 3) });
    this.#draw();
    return this.#drawn.get(at);
  }

  #ask(): void {
    if (this.#isAsked) return;
    this.#isAsked = true;
    requestAnimationFrame(() => this.#draw());
  }

  #draw(): void {
    this.#isAsked = false;
    const near = new Set(this.#onPaper === null ? this.#near() : this.#rows.slice(0, this.#onPaper).keys());
    for (const [at, element] of this.#drawn) {
      // A row with the keyboard's focus keeps it.
      if (near.has(at) || element.contains(document.activeElement)) continue;
      element.remove();
      this.#drawn.delete(at);
    }
    for (const at of near) if (!this.#drawn.has(at)) this.#drawn.set(at, this.#made(at));
    this.#inOrder();
  }

  *#near(): Generator<number> {
    const { top } = this.#host.getBoundingClientRect();
    const to = -top + innerHeight + MARGIN;
    for (let at = this.#firstBelow(-top - MARGIN); at < this.#rows.length && this.#tops[at]! < to; at++) yield at;
  }

  #firstBelow(edge: number): number {
    let [low, high] = [0, this.#rows.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#tops[middle]! + this.#rows[middle]!.height < edge) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #made(at: number): HTMLElement {
    const row = this.#rows[at]!;
    const element = row.draw();
    if (this.#onPaper === null) {
      element.style.transform = `translateY(${this.#tops[at]}px)`;
      element.style.height = `${row.height}px`;
    }
    return element;
  }

  /** The order of the document is the order in which they are read out. */
  #inOrder(): void {
    let next = this.#host.firstChild;
    for (const at of [...this.#drawn.keys()].sort((a, b) => a - b)) {
      const element = this.#drawn.get(at)!;
      if (element === next) next = next.nextSibling;
      else this.#host.insertBefore(element, next);
    }
  }

  #drawAnew(): void {
    for (const element of this.#drawn.values()) element.remove();
    this.#drawn = new Map();
    this.#host.style.height = this.#onPaper === null ? `${this.#height}px` : 'auto';
    this.#draw();
  }
}
