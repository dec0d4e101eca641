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
