/** States of an instance in words: of `status`, of the report, and of its page. Each stands in a sentence (`is waiting for a person`) and alone. */
import type { ReportedState } from '../../domain/run-report.ts';

export const STATE_WORDS: Readonly<Record<ReportedState, string>> = {
  made: 'made',
  reused: 'reused',
  failed: 'failed',
  blocked: 'blocked',
  skipped: 'skipped',
  left_out: 'left out',
  not_run: 'not run',
  waiting: 'waiting',
  queued: 'queued',
  running: 'running',
  fetching: 'downloading',
  asks: 'waiting for a person',
};

/** In the order in which they are told. */
export const STATES = Object.keys(STATE_WORDS) as readonly ReportedState[];
