/** The sections of the page, and the head that leads to them. */
import { byId } from '../../parts/element.ts';

const linkTo = (id: string): HTMLAnchorElement | null => document.querySelector(`.top nav a[href="#${id}"]`);

/** Where there is nothing to tell. */
export function hideSection(id: string): void {
  byId(id).hidden = true;
  const link = linkTo(id);
  if (link) link.hidden = true;
}

/** In the head, the section that is being read. */
export function markSection(): void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('.top nav a')];
  const seen = new IntersectionObserver(
    entries => {
      for (const { target, isIntersecting } of entries)
        if (isIntersecting)
          for (const link of links)
            if (link.hash === `#${target.id}`) link.setAttribute('aria-current', 'true');
            else link.removeAttribute('aria-current');
    },
    { rootMargin: '-20% 0px -70%' },
  );
  for (const { hash } of links) {
    const section = document.getElementById(hash.slice(1));
    if (section) seen.observe(section);
  }
}
