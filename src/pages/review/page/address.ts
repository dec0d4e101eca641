/** Where one is stands in the address, so that a reload, or a link that is kept, leads back: `#best[beat=3]&wipe`. */
import type { Desk } from './desk.ts';

export function followAddress(desk: Desk): void {
  const [key = '', ...more] = decoded(location.hash.slice(1)).split('&');
  if (desk.state.questions.some(one => one.key === key)) desk.go(key);
  if (more.includes('wipe')) desk.show('wipe');
  let before = '';
  desk.follow(() => {
    const now = desk.here ? `#${encodeURI(desk.here.key)}${desk.view === 'wipe' ? '&wipe' : ''}` : '';
    if (now === before) return;
    before = now;
    history.replaceState(null, '', now || '#');
  });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
