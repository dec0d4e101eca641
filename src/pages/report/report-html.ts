/** The report as one document. */
import type { StepName } from '../../domain/key.ts';
import type { RunReport } from '../../domain/run-report.ts';
import { pageBundle, typeSheet } from '../../host/page-bundle.ts';
import type { MediaPlace } from '../page-data.ts';
import { pageDocument } from '../page-document.ts';
import { capped } from './capped.ts';
import { layoutGraph } from './graph-layout.ts';
import { graphNodes } from './graph-nodes.ts';
import { REPORT_BODY } from './page-body.ts';
import type { ReportData } from './report-data.ts';

/** How a report of ours is known again: it stands near the document's beginning. */
export const GENERATOR = 'Shotlist report';

/** Steps on the longest path, in its order. */
function pathOf({ critical, instances }: RunReport): readonly StepName[] {
  const stepOf = new Map(instances.map(({ key, step }) => [key, step]));
  return [...new Set(critical.flatMap(key => stepOf.get(key) ?? []))];
}

export async function reportHtml(
  all: RunReport,
  media: Readonly<Record<string, MediaPlace>>,
  { isSingle }: Pick<ReportData, 'isSingle'>,
): Promise<string> {
  const [bundle, type, graph] = await Promise.all([
    pageBundle('report'),
    typeSheet(),
    layoutGraph(graphNodes(all), pathOf(all)),
  ]);
  const data: ReportData = { ...capped(all), media, graph, isSingle };
  return pageDocument({
    title: `${all.run.name} · Shotlist`,
    generator: GENERATOR,
    bundle,
    type,
    body: REPORT_BODY,
    data,
  });
}
