/** Chinese is set in the type that the studio brings. The list of its slices is as large as the rest of the page: fetched when there is some. */
import { html } from '../../parts/element.ts';

const CHINESE = /[\u2e80-\u9fff\uac00-\ud7ff\uff00-\uffef]/;

let isDressed = false;

export function dressForChinese(told: unknown): void {
  if (isDressed || !CHINESE.test(JSON.stringify(told))) return;
  isDressed = true;
  document.head.append(html('link', { rel: 'stylesheet', href: '/page/chinese.css' }));
}
