/** The state of an instance as a mark; its word is beside it, never a colour alone. */
import type { ReportedState } from '../../../model/run/run-report.ts';
import { svg } from './element.ts';

/** What is drawn alike. `pending`: nothing of it is there. */
type Shape = 'made' | 'reused' | 'failed' | 'going' | 'pending';

export function shapeOf(state: ReportedState): Shape {
  switch (state) {
    case 'made':
    case 'reused':
    case 'failed':
      return state;
    case 'queued':
    case 'running':
    case 'fetching':
    case 'asks':
      return 'going';
    case 'blocked':
    case 'skipped':
    case 'left_out':
    case 'not_run':
    case 'waiting':
      return 'pending';
  }
}

const LINE = { fill: 'none', stroke: 'currentColor', 'stroke-width': 1.75 };

export const mark = (state: ReportedState): SVGSVGElement => markOf(shapeOf(state));

/** A disc, a ring, a cross, half a disc, dashes. */
export const markOf = (shape: Shape): SVGSVGElement =>
  svg('svg.mark', { viewBox: '0 0 12 12', 'aria-hidden': 'true' }, inside(shape));

function inside(shape: Shape): SVGElement {
  switch (shape) {
    case 'made':
      return svg('circle', { cx: 6, cy: 6, r: 4.5, fill: 'currentColor' });
    case 'reused':
      return svg('circle', { cx: 6, cy: 6, r: 4, ...LINE });
    case 'failed':
      return svg('path', { d: 'M2 2l8 8M10 2l-8 8', ...LINE });
    case 'going':
      return svg(
        'g',
        svg('circle', { cx: 6, cy: 6, r: 4, ...LINE }),
        svg('path', { d: 'M6 2a4 4 0 0 1 0 8z', fill: 'currentColor' }),
      );
    case 'pending':
      return svg('path', { d: 'M1 6h10', ...LINE, 'stroke-dasharray': '3 2' });
  }
}
