/** What a step does, in a word or two. */
import type { ReportedStep } from '../../../domain/run-report.ts';

const WORDS: Readonly<Record<string, string>> = {
  run: 'command',
  pick: 'a person chooses',
  approve: 'a person says yes',
  cut: 'cut, on this machine',
};

/** `V-T2V-A, video, 6 × 3` */
export const summaryOfKind = ({ model, kind, by }: ReportedStep): string =>
  [model, WORDS[kind] ?? kind, by].filter(Boolean).join(', ');

/** In a node of the graph: who makes it. */
export const makerOf = ({ model, kind }: ReportedStep): string =>
  model ?? (kind === 'pick' || kind === 'approve' ? 'a person' : kind === 'run' ? 'command' : kind);
