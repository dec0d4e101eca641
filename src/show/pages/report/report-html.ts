/** The report as one document. */

import { pageBundle, typeSheet } from '../../../machine/files/page-bundle.ts';
import type { StepName } from '../../../model/run/key.ts';
import type { ReportedInstance, RunReport } from '../../../model/run/run-report.ts';
import { countStates } from '../../text/report/state-words.ts';
import type { MediaPlace } from '../page-data.ts';
import { PAGE_SIGN, pageDocument } from '../page-document.ts';
import { graphNodes, layoutGraph } from './graph-layout.ts';
import type { ReportData } from './report-data.ts';

/** The sign by which our report is recognised: it is near the document's beginning. */
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

/** The page before anything is drawn: places with names. Nothing of a run is in it. */
const REPORT_BODY = `<header class="top mid">
<span class="brand mid">${PAGE_SIGN}Shotlist</span>
<nav class="note" aria-label="Sections"><a href="#the-film">Film</a><a href="#the-instances">Instances</a><a href="#the-graph">Graph</a><a href="#the-time">Time</a><a href="#the-trouble" data-trouble id="to-trouble" hidden>Trouble</a></nav>
<label class="find mid"><span class="away">Filter instances</span><input id="find" type="search" placeholder="Filter by key, model, prompt" autocomplete="off" spellcheck="false"><kbd aria-hidden="true">/</kbd></label>
</header>
<main id="main">
<noscript><p class="without">This report is drawn by the script that stands in it; this browser runs none.</p></noscript>
<div id="the-film">
<div class="stage" id="stage" hidden><div class="screen" id="screen"></div><img class="print" id="film-print" alt=""><div class="cuts" id="cuts" role="group" aria-label="What is on screen" hidden></div></div>
<div class="head"><div><h1 class="large" id="title"></h1><p class="about soft" id="about"></p></div><dl class="figures" id="figures"></dl></div>
<div class="notices" id="notices"></div>
<ul class="outputs flow" id="outputs" aria-label="What it gives"></ul>
</div>
<section id="the-instances" aria-labelledby="h-instances"><div class="bar flow"><h2 id="h-instances">Instances</h2><p class="note" id="shown" role="status"></p><div class="right mid flow"><div class="chips note flow" id="chips" role="group" aria-label="Show"></div></div></div><p class="on-paper" id="on-paper"></p><div class="list" id="gallery"></div><p class="none soft" id="none" hidden>Nothing fits this filter. <button type="button" class="copy" id="clear">Show everything</button></p></section>
<section id="the-graph" aria-labelledby="h-graph"><div class="bar flow"><h2 id="h-graph">Graph</h2><p class="note" id="critical"></p></div><div class="sheet" id="sheet" tabindex="0" role="region" aria-label="Graph, scrolls sideways"></div><div class="fold mid flow" id="fold"></div></section>
<section id="the-time" aria-labelledby="h-time"><div class="bar flow"><h2 id="h-time">Time</h2><p class="note" id="time-said"></p><div class="right mid flow"><div class="legend flow" id="legend"></div><button class="act small" type="button" id="zoom-out" aria-label="Zoom out">&minus;</button><button class="act small" type="button" id="zoom-in" aria-label="Zoom in">+</button><button class="act small" type="button" id="zoom-fit">Fit</button></div></div>
<div class="time" id="time-body"><div class="axis"><span class="lab">Attempt</span><div class="ruler" id="ruler" tabindex="0" role="group" aria-label="Time axis: plus and minus zoom, arrow keys move, 0 fits"></div><span class="lab" id="cost-head">Cost</span></div><div class="list" id="bars" role="list" aria-label="Attempts in the order they began"></div><div class="hair" id="hair" hidden></div></div></section>
<section id="the-trouble" aria-labelledby="h-trouble" hidden><div class="bar flow"><h2 id="h-trouble">Trouble</h2><p class="note" id="trouble-said"></p></div><div id="fails"></div></section>
</main>
<footer class="note flow" id="foot"></footer>
<aside class="drawer" id="drawer" aria-labelledby="drawer-key" hidden><header class="mid"><h2 class="cut" id="drawer-key" tabindex="-1"></h2><button class="act small" type="button" id="drawer-previous" aria-label="Previous instance">&uarr;</button><button class="act small" type="button" id="drawer-next" aria-label="Next instance">&darr;</button><button class="act small" type="button" id="drawer-close">Close <kbd aria-hidden="true">Esc</kbd></button></header><div class="body" id="drawer-body" tabindex="0" role="region" aria-label="Details"></div></aside>
<div class="toast" id="toast" role="status"></div>`;

// A run with more instances than a page shows: failed and waiting ones first, then in the order of the plan.

const MAX_INSTANCES = 5000;

export function capped(report: RunReport, most = MAX_INSTANCES): Pick<ReportData, 'report' | 'whole'> {
  const { instances } = report;
  if (instances.length <= most) return { report, whole: null };
  const first = instances.filter(({ state }) => state === 'failed' || state === 'asks').slice(0, most);
  const rest = instances.filter(({ state }) => state !== 'failed' && state !== 'asks');
  const kept = new Set<ReportedInstance>([...first, ...rest.slice(0, most - first.length)]);
  return {
    report: { ...report, instances: instances.filter(one => kept.has(one)) },
    whole: { instances: instances.length, states: countStates(instances) },
  };
}
