/** What pages are made of, without a browser: the document, the graph's nodes and places, what is left out of a large run, words that changed. */
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { typeSheet } from '../../src/machine/files/page-bundle.ts';
import type { ReportedStep } from '../../src/model/run/run-report.ts';
import { foldWords, wordDifference } from '../../src/model/text/word-difference.ts';
import { pageDocument } from '../../src/show/pages/page-document.ts';
import { clock, money, sentence, span } from '../../src/show/pages/parts/format.ts';
import { graphNodes, layoutGraph, MAX_NODES } from '../../src/show/pages/report/graph-layout.ts';
import { capped } from '../../src/show/pages/report/report-html.ts';
import { answerLines } from '../../src/show/text/report/answer-lines.ts';
import { largeRun, northLight } from './runs.ts';

const document = (data: unknown, title = 'A film') =>
  pageDocument({
    ...{ title, generator: 'Shotlist report', type: '', body: '<main></main>', data },
    bundle: { script: 'draw()', style: 'body{}' },
  });
const blockIn = (html: string) => /id="data">([^<]*)<\/script>/.exec(html)?.[1] ?? '';

describe('a document', () => {
  test('allows its own script and sheet by their digests, and nothing that is said in it', () => {
    const [, policy] = /Content-Security-Policy" content="([^"]+)"/.exec(document({})) ?? [];
    expect(policy).toMatch(
      /^default-src 'none'; script-src 'sha256-[\w+/]{43}='; style-src 'sha256-[\w+/]{43}='; img-src 'self' data:; media-src 'self'; font-src data:; base-uri 'none'; form-action 'none'$/,
    );
  });

  test.each(['</script><script>x</script>', '<!--<script>', '\u2028', ']]>', '&lt;'])('holds %j as data', text => {
    const html = document({ text });
    expect(JSON.parse(blockIn(html))).toEqual({ text });
    expect(html.match(/<script/g)).toHaveLength(2);
  });

  test('is titled with text', () => {
    expect(document({}, '</title><script>"&\'')).toContain(
      '<title>&lt;/title&gt;&lt;script&gt;&quot;&amp;&apos;</title>',
    );
  });

  test('compresses a large block', () => {
    const data = { text: 'the same words again '.repeat(20_000) };
    const { gzip } = JSON.parse(blockIn(document(data)));
    expect(JSON.parse(gunzipSync(Buffer.from(gzip, 'base64')).toString())).toEqual(data);
  });

  test('has its fonts inside', async () => {
    expect((await typeSheet()).match(/font\/woff2;base64,d09GMg/g)).toHaveLength(4);
  });
});

describe('the graph', () => {
  const step = (name: string, kind = 'video'): ReportedStep => ({
    ...{ name: name as ReportedStep['name'], kind, model: null, by: null, needs: [], description: null, place: null },
  });
  const chain = (count: number) => {
    const steps = Array.from({ length: count }, (_, at) => step(`s${at}`));
    return { steps, edges: steps.slice(1).map(({ name }, at) => [steps[at]!.name, name] as const) };
  };

  test('has a node for each step, side by side and in both directions', async () => {
    const { nodes, edges } = graphNodes(northLight());
    expect(nodes.map(({ title }) => title)).toEqual(northLight().steps.map(({ name }) => name));
    const graph = await layoutGraph({ nodes, edges });
    for (const { places, ways, width, height, node } of [graph.wide, graph.narrow]) {
      for (const [at, [x, y]] of places.entries())
        for (const [otherX, otherY] of places.slice(at + 1))
          expect(Math.abs(x - otherX) >= node.width || Math.abs(y - otherY) >= node.height).toBe(true);
      // Nothing leaves the drawing, and each way ends where its step begins.
      for (const way of ways) {
        expect(way.length % 2).toBe(0);
        for (const [x, y] of way) expect(x >= 0 && x <= width && y >= 0 && y <= height).toBe(true);
      }
    }
    const [from, to] = edges[0]!;
    const { places, ways, node } = graph.wide;
    expect(ways[0]?.[0]).toEqual([places[from]![0] + node.width, places[from]![1] + node.height / 2]);
    expect(ways[0]?.at(-1)).toEqual([places[to]![0], places[to]![1] + node.height / 2]);
  });

  test('lays the longest path nearly in one line, and no two ways between the same ranks cross', async () => {
    const { steps, edges, critical, instances } = northLight();
    const path = [...new Set(critical.flatMap(key => instances.find(one => one.key === key)?.step ?? []))];
    const graph = await layoutGraph(graphNodes({ steps, edges }), path);
    const nodes = new Map(graph.nodes.map(({ title }, at) => [title, at]));
    for (const [{ places }, axis] of [
      [graph.wide, 1],
      [graph.narrow, 0],
    ] as const) {
      const place = (name: string) => places[nodes.get(name) ?? -1]?.[axis] ?? Number.NaN;
      const bends = path.slice(1).map((name, at) => Math.abs(place(name) - place(path[at] ?? '')));
      expect(bends.reduce((sum, bend) => sum + bend, 0)).toBeLessThan(80);
      const rank = (name: string) => places[nodes.get(name) ?? -1]?.[axis === 1 ? 0 : 1];
      const crossed = edges.flatMap(([a, b], at) =>
        edges
          .slice(at + 1)
          .filter(([c, d]) => rank(a) === rank(c) && rank(b) === rank(d))
          .filter(([c, d]) => (place(a) - place(c)) * (place(b) - place(d)) < 0),
      );
      expect(crossed).toEqual([]);
    }
  });

  test('folds files that are used, then kinds at one depth, then neighbours, above 300 nodes', () => {
    const inFiles = Array.from({ length: 40 }, (_, file) =>
      Array.from({ length: 10 }, (_, at) => step(`f${file}/s${at}`)),
    );
    expect(graphNodes({ steps: inFiles.flat(), edges: [] }).nodes.map(({ title }) => title)).toEqual(
      inFiles.map((_, file) => `f${file}`),
    );
    const beside = [...Array.from({ length: 400 }, (_, at) => step(`a${at}`)), step('b', 'chat')];
    expect(graphNodes({ steps: beside, edges: [] }).nodes.map(({ title }) => title)).toEqual(['a0 …', 'b']);
    const long = graphNodes(chain(1000));
    expect(long.nodes.length).toBeLessThanOrEqual(MAX_NODES);
    expect(long.nodes.flatMap(({ steps }) => steps)).toHaveLength(1000);
    expect(long.edges).toHaveLength(long.nodes.length - 1);
  });

  test('of one step, and of none, is drawn too', async () => {
    expect((await layoutGraph(graphNodes({ steps: [step('only')], edges: [] }))).wide.places).toEqual([[0, 0]]);
    expect((await layoutGraph(graphNodes({ steps: [], edges: [] }))).wide).toMatchObject({ width: 0, height: 0 });
  });

  test('of 300 steps is laid out within ten seconds', async () => {
    const steps = Array.from({ length: 300 }, (_, at) => step(`s${at}`));
    const edges = steps.flatMap(({ name }, at) =>
      [at * 2 + 1, at * 2 + 2].flatMap(to => (steps[to] ? [[name, steps[to].name] as const] : [])),
    );
    const { wide } = await layoutGraph(graphNodes({ steps, edges }));
    expect(wide.places).toHaveLength(300);
  });
});

test('a run of more instances than a page shows keeps what failed, and says how many there are', () => {
  const run = largeRun(6000);
  const { report, whole } = capped(run, 100);
  expect(report.instances).toHaveLength(100);
  expect(report.instances.map(({ key }) => key)).toContain('tall[beat=4]');
  expect(whole?.instances).toBe(6000);
  expect(Object.values(whole?.states ?? {}).reduce((sum, n) => sum + n, 0)).toBe(6000);
  expect(capped(northLight()).whole).toBeNull();
});

test('an answer in JSON is read as its fields and items, and anything else as it is', () => {
  const read = (text: string) =>
    answerLines(text)?.map(
      ({ depth, name, text }) => `${'  '.repeat(depth)}${name === null ? '' : `${name}: `}${text}`,
    );
  expect(
    read('{"title":"The Fox","beats":[{"words":"she runs: home","for":2},{"words":"a\\nb"}],"tags":["ice"],"none":[]}'),
  ).toEqual([
    'title: The Fox',
    'beats: ',
    ...['  1 words: she runs: home', '    for: 2', '  2 words: a\nb'],
    ...['tags: ', '  ice', 'none: []'],
  ]);
  for (const text of ['a fox', '"a fox"', '{"cut of', '[not json]']) expect(answerLines(text)).toBeNull();
});

test('prompts that differ in a few words are folded: what all say once, and of each what only it says', () => {
  const fox = (shot: string, end = '') => `a red fox waits in falling snow, ${shot}, film grain, muted colours${end}`;
  expect(foldWords([fox('wide shot'), fox('close-up, slow push in'), fox('low angle', ' of winter')])).toEqual({
    common: 'a red fox waits in falling snow, … film grain, muted colours …',
    own: ['wide shot', 'close-up, slow push in', 'low angle … of winter'],
  });
  expect(foldWords(['one\nprompt', 'one\nprompt'])).toEqual({ common: 'one\nprompt', own: ['', ''] });
  const apart = ['a fox runs', 'two whales', ''];
  expect(foldWords(apart)).toEqual({ common: '', own: apart });
});

test('words that went stand before words that came', () => {
  const told = (was: string, now: string) =>
    wordDifference(was, now)
      .map(({ is, text }) => (is === 'same' ? text : is === 'gone' ? `[-${text}]` : `[+${text}]`))
      .join('');
  expect(told('a fox runs home', 'a red fox walks home')).toBe('a[+ red] fox [-runs][+walks] home');
  expect(told('', 'new')).toBe('[+new]');
  expect(told('same', 'same')).toBe('same');
  expect(told('x '.repeat(2000), 'y')).toBe(`[-${'x '.repeat(2000)}][+y]`);
});

test('money, times and sentences read as on a page', () => {
  expect([0, 0.3, 0.0035, null].map(money)).toEqual(['–', '$0.30', '$0.0035', '?']);
  expect([0, 20, 196, 3723].map(clock)).toEqual(['0:00', '0:20', '3:16', '1:02:03']);
  expect([3.21, 59.96, 120, 3840].map(span)).toEqual(['3.2 s', '1 min', '2 min', '1 h 4 min']);
  expect(['never run', 'Its prompt changed.'].map(sentence)).toEqual(['Never run.', 'Its prompt changed.']);
});
