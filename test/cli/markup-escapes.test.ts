/** Every text that somebody else writes, in every file that a run leaves for a page, a CI system or a viewer: it is read, and never obeyed. */
import { instance } from '@viz-js/viz';
import { describe, expect, test } from 'vitest';
import type { StepName } from '../../src/model/run/key.ts';
import type { RunReport } from '../../src/model/run/run-report.ts';
import { safeJson } from '../../src/model/text/clean.ts';
import { markdownCode, markdownText, xmlAttribute, xmlText } from '../../src/model/text/markup.ts';
import { dot, mermaid } from '../../src/plan/graph/step-graph.ts';
import { reduce } from '../../src/records/views/reduce.ts';
import { emptyRunView } from '../../src/records/views/run-view.ts';
import { graphSvg } from '../../src/show/pages/graph-svg.ts';
import { reportHtml } from '../../src/show/pages/report/report-html.ts';
import { planMarkdown } from '../../src/show/plan/plan-markdown.ts';
import { githubReporter } from '../../src/show/reporters/github.ts';
import { junitDocument } from '../../src/show/reporters/junit.ts';
import { plainReporter } from '../../src/show/reporters/plain.ts';
import { crate } from '../../src/show/text/provenance/crate.ts';
import { c2paManifest, sidecar } from '../../src/show/text/provenance/sidecar.ts';
import { planned as planOf } from '../plan/support.ts';
import { Runner } from '../support/github-runner.ts';
import { story } from '../support/hostile-run.ts';
import { junitMistakes } from '../support/junit-schema.ts';
import { MARKUP, OBEYED, PAYLOADS } from '../support/payloads.ts';
import { mentionsIn, rendered, tagsIn } from '../support/rendered.ts';
import { reportOfOne } from '../support/report-of-one.ts';

const ALL = [...PAYLOADS, ...MARKUP];

/** The same function, which computes the value of each payload once. */
function once<T>(make: (payload: string) => T): (payload: string) => T {
  const made = new Map<string, T>();
  return payload => {
    if (!made.has(payload)) made.set(payload, make(payload));
    return made.get(payload) as T;
  };
}

/** All that the reporter writes, and the summary of the job. */
const inGithub = once(async (payload: string) => {
  const lines: string[] = [];
  let summary = '';
  const reporter = githubReporter({
    write: line => lines.push(line),
    summarise: async text => {
      summary += text;
    },
    placeOf: () => ({ file: `films/${payload}.yaml`, line: 1, column: 1 }),
    newToken: () => 'token-of-ours',
    command: `shotlist run ${payload}`,
  });
  const plain = plainReporter(line => lines.push(line));
  for (const event of story(payload)) {
    reporter.report(event);
    plain.report(event);
  }
  await reporter.close();
  return { lines, summary };
});

function inJunit(payload: string): string {
  const run = emptyRunView();
  for (const event of story(payload)) reduce(run, event);
  return junitDocument(run, payload);
}

const inPlan = once((payload: string): string => {
  const film = `shotlist: 1
name: ${JSON.stringify(`film${payload}`)}
steps:
  shot:
    model: V-T2V-A
    matrix: { mood: [${JSON.stringify(payload)}] }
    with: { prompt: ${JSON.stringify(payload)}, duration: 5 }
`;
  const { plan } = planOf(film, { service: payload });
  const base = { name: payload, isThere: true, fingerprints: new Map([[payload as never, 'f']]) };
  return planMarkdown(plan!, { base, command: payload });
});

const graphOf = (payload: string) => ({
  name: payload,
  nodes: [payload, `${payload} 2`].map(text => ({
    step: text as StepName,
    title: text,
    made: text,
    by: text,
    isPaid: true,
  })),
  edges: [[0, 1]] as const,
});

const crateOf = (report: RunReport, payload: string) =>
  crate(report, {
    workflow: { path: `film${payload}.yaml`, bytes: 1, mediaType: 'application/yaml' },
    outputs: [],
    others: [{ path: `x${payload}`, name: payload, bytes: 1, mediaType: 'application/json' }],
    license: null,
  });

/** Tags that we write ourselves. */
const OURS = [
  'h3',
  'h4',
  'p',
  'table',
  'thead',
  'tbody',
  'tr',
  'th',
  'th align',
  'td',
  'td align',
  'code',
  'ul',
  'li',
  'br',
  'details',
  'summary',
];

function expectHarmless(markdown: string, payload: string): void {
  const html = rendered(markdown);
  expect(
    tagsIn(html).filter(tag => !OURS.includes(tag)),
    JSON.stringify([payload, html]),
  ).toEqual([]);
  expect(mentionsIn(html), JSON.stringify([payload, html])).toEqual([]);
  expect(OBEYED.exec(markdown.replaceAll('\n', ''))?.[0], payload).toBe(undefined);
}

test('the corpus is whole', () => {
  expect(new Set(ALL).size).toBe(ALL.length);
  expect(MARKUP.length).toBeGreaterThanOrEqual(80);
});

describe('XML', () => {
  test('an element and an attribute hold nothing but text', () => {
    for (const payload of ALL) {
      expect(xmlText(payload)).not.toMatch(/[<>]|&(?!(amp|lt|gt|quot|apos);)/);
      expect(xmlAttribute(payload)).not.toMatch(/[<>"'\n\r\t]|&(?!(amp|lt|gt|quot|apos|#\d+);)/);
    }
  });

  test('JUnit: every one is valid, and has as many cases as the run', async () => {
    const documents = ALL.map(inJunit);
    expect(await junitMistakes(...documents)).toEqual([]);
    const cases = documents.map(document => document.match(/<testcase /g)?.length);
    expect(new Set(cases).size).toBe(1);
  });
});

describe('Markdown', () => {
  test('a text and a piece of code in a line, a list, a table and at the start', () => {
    for (const payload of ALL)
      for (const text of [markdownText(payload), markdownCode(payload)])
        expectHarmless([text, '', `- ${text}`, '', '| a |', '| --- |', `| ${text} |`].join('\n'), payload);
  });

  test('the plan under a pull request', () => {
    for (const payload of ALL) {
      const page = inPlan(payload).split('\n').slice(1).join('\n');
      // What the change adds, and nothing else, is strong.
      expect(rendered(page).match(/<strong>/g)).toHaveLength(1);
      expectHarmless(page.replace(/\*\*(.*?)\*\*/, '$1'), payload);
    }
  });

  test('its marker is one comment, whatever the file is called', () => {
    for (const payload of ALL) expect(inPlan(payload).split('\n')[0]).toMatch(/^<!-- shotlist plan [\w./-]+ -->$/);
  });

  test('the summary of a job', async () => {
    for (const payload of ALL) expectHarmless((await inGithub(payload)).summary, payload);
  });
});

test('GitHub: the runner obeys our orders alone, and is left listening', async () => {
  const usual = await ordersIn('calm');
  for (const payload of ALL) expect(await ordersIn(payload), JSON.stringify(payload)).toEqual(usual);
});

async function ordersIn(payload: string): Promise<readonly string[]> {
  const runner = new Runner();
  for (const line of (await inGithub(payload)).lines) for (const one of line.split(/\r?\n/)) runner.read(one);
  expect(runner.isStopped).toBe(false);
  return runner.orders;
}

test('JSON and JSON-LD read back as the same data, and hold nothing that a terminal obeys', () => {
  const types = JSON.stringify(crateOf(reportOfOne('calm'), 'calm')).match(/"@type":/g)?.length;
  for (const payload of ALL) {
    const report = reportOfOne(payload);
    const [instance] = report.instances;
    const file = { path: `out/${payload}.mp4`, media: instance!.media!, instance: instance!, marked: null };
    for (const value of [crateOf(report, payload), sidecar(report, file), c2paManifest(report, file)]) {
      const text = safeJson(value, 2);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      expect(OBEYED.exec(text.replaceAll('\n', ''))?.[0], payload).toBe(undefined);
    }
    // The keys and types of the graph are ours: no text becomes one.
    expect(JSON.stringify(crateOf(report, payload)).match(/"@type":/g)?.length).toBe(types);
  }
});

test('the report page holds each of them in its data alone', async () => {
  const calm = await reportHtml(reportOfOne('calm'), {}, { isSingle: true });
  for (const payload of MARKUP) {
    const html = await reportHtml(reportOfOne(payload), {}, { isSingle: true });
    const scripts = html.match(/<script\b/g)?.length;
    expect(scripts, payload).toBe(calm.match(/<script\b/g)?.length);
    expect(html).not.toMatch(/<(img|iframe|svg\/)[^>]*(onerror|onload|srcdoc)/i);
  }
});

describe('graphs', () => {
  test('DOT: Graphviz itself finds two nodes and an edge', async () => {
    const viz = await instance();
    for (const payload of ALL) {
      const drawn = viz.renderJSON(dot(graphOf(payload))) as { objects: unknown[]; edges: unknown[] };
      expect([drawn.objects.length, drawn.edges.length], JSON.stringify(payload)).toEqual([2, 1]);
    }
  });

  test('Mermaid: a text stays within its quotes', () => {
    const calm = mermaid(graphOf('calm')).split('\n').length;
    for (const payload of ALL) {
      const lines = mermaid(graphOf(payload)).split('\n');
      expect(lines.length).toBe(calm);
      expect(lines[1], JSON.stringify(payload)).toMatch(/^ {2}n0\["([\p{L}\p{N} .,×/_-]|#\d+;|<br>)*"\]$/u);
    }
  });

  test('SVG: no tag beside ours', async () => {
    const calm = tagsIn(await graphSvg(graphOf('calm')));
    for (const payload of MARKUP) expect(tagsIn(await graphSvg(graphOf(payload)))).toEqual(calm);
  });
});
