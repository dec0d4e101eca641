/** Event streams that tell too much, or nothing. */
import { COMPLETED } from '../../../api/routes.ts';
import type { Vices } from './hooks.ts';

const isEvent = (frame: string): boolean => frame.startsWith('event: ');

const GARBAGE = [
  `event: ${COMPLETED}\ndata: {"generation_id":\n\n`,
  `event: ${COMPLETED}\ndata: null\n\n`,
  `event: ${COMPLETED}\ndata: {"generation_id":7}\n\n`,
  `event: ${COMPLETED}\n\n`,
  'event: maintenance\ndata: {"until":"tomorrow"}\n\n',
  'data: \u0000\u0007\ufffd\n\n',
  '<html><body>502 Bad Gateway</body></html>\n\n',
  `: ${'x'.repeat(10_000)}\n\n`,
] as const;

export const EVENT_VICES = {
  'events-for-others': ({ random }) => {
    const other = () => {
      const generation_id = `of-somebody-else-${Math.floor(random() * 1e9).toString(36)}`;
      return `event: ${COMPLETED}\ndata: ${JSON.stringify({ generation_id })}\n\n`;
    };
    return { frame: frame => (isEvent(frame) ? `${other()}${frame}${other()}` : frame) };
  },
  'events-garbage': ({ random }) => {
    const garbage = () => GARBAGE[Math.floor(random() * GARBAGE.length)] ?? '';
    return { frame: frame => (isEvent(frame) ? `${garbage()}${garbage()}${frame}${garbage()}` : frame) };
  },
  'events-silent': () => ({ frame: frame => (frame === ': listening\n\n' ? frame : '') }),
} satisfies Vices;
