/** A run that has more instances than a page shows: those that failed or wait for somebody first, then in the order of the plan. */
import type { ReportedInstance, ReportedState, RunReport } from '../../domain/run-report.ts';
import type { ReportData } from './report-data.ts';

const MOST_INSTANCES = 5000;

export function capped(report: RunReport, most = MOST_INSTANCES): Pick<ReportData, 'report' | 'whole'> {
  const { instances } = report;
  if (instances.length <= most) return { report, whole: null };
  const first = instances.filter(({ state }) => state === 'failed' || state === 'asks').slice(0, most);
  const rest = instances.filter(({ state }) => state !== 'failed' && state !== 'asks');
  const kept = new Set<ReportedInstance>([...first, ...rest.slice(0, most - first.length)]);
  const states: Partial<Record<ReportedState, number>> = {};
  for (const { state } of instances) states[state] = (states[state] ?? 0) + 1;
  return {
    report: { ...report, instances: instances.filter(one => kept.has(one)) },
    whole: { instances: instances.length, states },
  };
}
