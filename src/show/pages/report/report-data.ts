/** What the report page is drawn from: a run, its media, and the graph as it was laid out when the report was made. */
import type { StepName } from '../../../model/run/key.ts';
import type { ReportedState, RunReport } from '../../../model/run/run-report.ts';
import type { MediaPlace } from '../page-data.ts';

export interface ReportData {
  readonly report: RunReport;
  /** By digest; of media that is not named here nothing can be shown. */
  readonly media: Readonly<Record<string, MediaPlace>>;
  readonly graph: ReportGraph;
  /** Where the run has more instances than a page shows: how many there are, and what became of them. */
  readonly whole: {
    readonly instances: number;
    readonly states: Readonly<Partial<Record<ReportedState, number>>>;
  } | null;
  /** Stills only, in one file. */
  readonly isSingle: boolean;
}

export interface ReportGraph {
  readonly nodes: readonly GraphNode[];
  /** Places in `nodes`: the second reads the first. */
  readonly edges: readonly (readonly [from: number, to: number])[];
  /** From left to right, and from top to bottom for what is narrow. */
  readonly wide: GraphLayout;
  readonly narrow: GraphLayout;
}

/** A step, or several that are folded into one. */
export interface GraphNode {
  readonly title: string;
  readonly steps: readonly StepName[];
}

/** Pixels. */
export interface GraphLayout {
  readonly width: number;
  readonly height: number;
  readonly node: { readonly width: number; readonly height: number };
  /** Left upper corners, in the order of the nodes. */
  readonly places: readonly (readonly [x: number, y: number])[];
  /** The ways of the edges, in their order. */
  readonly ways: readonly (readonly (readonly [x: number, y: number])[])[];
}
