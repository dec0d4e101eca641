/** One instance in full, over the margin of the page, which stays alive beside it. Its address is its key. */
import { addressed, byId } from '../../../parts/element.ts';
import { detailsOf } from '../details.ts';
import type { View } from '../view.ts';
import type { Gallery } from './gallery.ts';

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
