/** Holds `src/` to the map in `src/README.md`: the table there is read, not repeated here. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { KINDS } from '../src/plan/kinds/index.ts';
import { imports, withoutCommentsAndTexts } from './support/source.ts';

const SRC = fileURLToPath(new URL('../src/', import.meta.url));

/** Who may use what belongs to one room. Folders end in a slash. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  preact: ['pages/'],
  ink: ['ui/'],
  react: ['ui/'],
  undici: ['client/', 'artifacts/'],
  eventsource: ['client/'],
  'eventsource-parser': ['client/'],
  aws4fetch: ['artifacts/'],
  execa: ['host/'],
  sixel: ['ui/'],
  'p-queue': ['run/', 'artifacts/', 'host/', 'reporters/', 'session/team/', 'cluster/database/'],
  'vscode-languageserver': ['lsp/'],
  'vscode-languageserver-textdocument': ['lsp/'],
  yaml: ['language/', 'host/', 'records/lock/', 'run/', 'cli/'],
};

/** Who may look at the process that everything runs in, and why. */
const PROCESS: Readonly<Record<string, string>> = {
  'cli/': 'wires everything: arguments, environment, exit code, terminal',
  'host/worker-program.ts': 'is the half of a worker that runs in a process of its own',
  'host/process-group.ts':
    'tells other programs on the same disk who we are, and Node has no other way to signal a process group',
};

/** The parts that decide know no clock, file, network or environment (invariant 2). */
const PURE = ['domain/', 'api/', 'language/', 'plan/', 'records/views/', 'telling/', 'show/', 'run/state.ts'];
/** What computes, and touches nothing. */
const PURE_MODULES = ['node:crypto', 'node:path', 'node:path/posix', 'node:url', 'node:util', 'node:buffer'];

interface SourceFile {
  /** Below `src/`, with `/`. */
  readonly path: string;
  readonly folder: string;
  readonly text: string;
}

const files: readonly SourceFile[] = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter(path => /\.tsx?$/.test(path))
  .map(path => path.replaceAll('\\', '/'))
  .sort()
  .map(path => ({ path, folder: path.split('/')[0] ?? '', text: readFileSync(join(SRC, path), 'utf8') }));

/** `| 5 | `ui/` · `client/` | … |` → folder → floor. Folders on one floor never import one another, whichever line they stand on. */
const floors = new Map(
  readFileSync(join(SRC, 'README.md'), 'utf8')
    .split('\n')
    .map(line => line.match(/^\| (\d+) \| ([^|]+) \|/))
    .filter(row => row !== null)
    .flatMap(([, floor, folders]) =>
      [...folders!.matchAll(/`(\w+)\/`/g)].map(([, folder]) => [folder!, Number(floor)]),
    ),
);

const belongsTo = (path: string, places: readonly string[]): boolean =>
  places.some(place => (place.endsWith('/') ? path.startsWith(place) : path === place));

test('the map names every folder, and only those that exist', () => {
  const there = new Set(
    readdirSync(SRC, { withFileTypes: true }).flatMap(entry => (entry.isDirectory() ? [entry.name] : [])),
  );
  expect([...floors.keys()].sort()).toEqual([...there].sort());
});

test('every file that the map names by its path is there', () => {
  const named = [...readFileSync(join(SRC, 'README.md'), 'utf8').matchAll(/`(\w[\w-]*\/[\w/-]+\.tsx?)`/g)].map(
    ([, path]) => path!,
  );
  const there = new Set(files.map(({ path }) => path));
  expect(named.length).toBeGreaterThan(50);
  // The table of the studio's rooms names doors from the studio's root.
  expect(named.filter(path => !there.has(path) && !there.has(`studio/${path}`))).toEqual([]);
});

test('every place a rule names is there', () => {
  const places = [...Object.values(PACKAGES).flat(), ...Object.keys(PROCESS), ...PURE];
  expect(places.filter(place => !files.some(({ path }) => belongsTo(path, [place])))).toEqual([]);
});

test('imports point down', () => {
  const wrong = files.flatMap(({ path, folder, text }) =>
    imports(text)
      .filter(({ from }) => from.startsWith('.'))
      .map(({ from }) => relative(SRC, join(SRC, dirname(path), from)).replaceAll('\\', '/'))
      .filter(target => !target.startsWith('..') && !isDown(folder, target.split('/')[0] ?? ''))
      .map(target => `${path} imports ${target}`),
  );
  expect(wrong).toEqual([]);
});

function isDown(from: string, to: string): boolean {
  if (from === to) return true;
  const [high, low] = [floors.get(from), floors.get(to)];
  if (high === undefined || low === undefined) return false;
  // The words import each other, and nothing else.
  return low < high || (low === 0 && high === 0);
}

/** What a program's compiler reads: declared where nothing leads on to Node's types, which a program may not have. */
const SDK_TYPES = ['studio/service/options.ts', 'studio/service/vices/vice-table.ts'];

test('the studio has one door', () => {
  const wrong = files.flatMap(({ path, folder, text }) =>
    folder === 'studio'
      ? []
      : imports(text)
          .map(({ from }) => (from.startsWith('.') ? join(dirname(path), from).replaceAll('\\', '/') : from))
          .filter(target => target.startsWith('studio/') && target !== 'studio/index.ts')
          .filter(target => folder !== 'sdk' || !SDK_TYPES.includes(target))
          .map(target => `${path} imports ${target}`),
  );
  expect(wrong).toEqual([]);
});

/** `| `studio/service/` | `animatic/index.ts` · … | … |` → room → the files of other rooms that it may import. */
const studioRooms = new Map(
  [...readFileSync(join(SRC, 'README.md'), 'utf8').matchAll(/^\| `studio\/(\w+)\/` \| ([^|]*)\|/gm)].map(
    ([, room, doors]) => [room!, [...doors!.matchAll(/`([\w/-]+\.ts)`/g)].map(([, door]) => door!)] as const,
  ),
);

/** The studio's file that this names, below `studio/`; undefined for anybody else's. */
const inStudio = (importer: string, from: string): string | undefined => {
  const target = from.startsWith('.') ? join(dirname(importer), from).replaceAll('\\', '/') : '';
  return target.startsWith('studio/') ? target.slice('studio/'.length) : undefined;
};

/** Tables that several rooms read stand at the root, too. */
const roomOf = (path: string): string | undefined =>
  path.includes('/') && !path.startsWith('data/') ? path.split('/')[0] : undefined;

test('the map names every room of the studio', () => {
  const there = files.flatMap(({ path }) => roomOf(inStudio('', `./${path}`) ?? '') ?? []);
  expect([...studioRooms.keys()].sort()).toEqual([...new Set(there)].sort());
});

test('the studio’s rooms use one another as the map says, through their doors', () => {
  const wrong = files.flatMap(({ path, text }) => {
    const file = inStudio('', `./${path}`);
    if (file === undefined || file === 'index.ts') return [];
    return imports(text).flatMap(({ from }) => {
      const target = inStudio(path, from);
      return target === undefined || mayUse(file, target) ? [] : [`${path} imports ${target}`];
    });
  });
  expect(wrong).toEqual([]);
});

/** What several rooms need stands at the studio's root, and knows none of them. */
function mayUse(file: string, target: string): boolean {
  const [room, other] = [roomOf(file), roomOf(target)];
  if (other === undefined) return target !== 'index.ts';
  if (room === undefined) return false;
  return room === other || studioRooms.get(room)?.includes(target) === true;
}

test('no file imports itself by way of others, types included', () => {
  const uses = new Map(
    files.map(({ path, text }) => [
      path,
      imports(text).map(({ from }) => (from.startsWith('.') ? join(dirname(path), from).replaceAll('\\', '/') : from)),
    ]),
  );
  const reaches = (from: string, goal: string, seen = new Set<string>()): boolean =>
    (uses.get(from) ?? []).some(next => {
      if (next === goal) return true;
      if (seen.has(next)) return false;
      seen.add(next);
      return reaches(next, goal, seen);
    });
  expect(files.map(({ path }) => path).filter(path => reaches(path, path))).toEqual([]);
});

/** A row a kind of step: what one kind means to the language, to planning and to a run. */
const KIND_TABLES = ['language/kinds/', 'plan/kinds/', 'run/kinds/'];
const KIND = `'(?:${Object.keys(KINDS).join('|')})'`;

/** `step.kind === 'run'`, either way around; a switch over a step's kind, or one of its cases; a table of one's own. */
const asksForKind = (text: string): readonly string[] =>
  [
    new RegExp(String.raw`\bkind\s*[!=]==?\s*${KIND}`, 'g'),
    new RegExp(String.raw`${KIND}\s*[!=]==?\s*[\w.?!]*\bkind\b`, 'g'),
    /\bswitch \([^)]*\bstep\.kind\)/g,
    /\[\w+ in Step\['kind'\]|\bRecord<Step\['kind'\]/g,
  ].flatMap(rule => [...text.matchAll(rule)].map(([found]) => found));

test('what kind a step is, is asked in the tables of kinds alone', () => {
  expect(KIND_TABLES.filter(table => !files.some(({ path }) => path.startsWith(table)))).toEqual([]);
  const wrong = files
    .filter(({ path }) => !belongsTo(path, KIND_TABLES))
    .flatMap(({ path, text }) => asksForKind(text).map(found => `${path}: ${found}`));
  expect(wrong).toEqual([]);
});

test('the rule on kinds sees what it is made for', () => {
  expect(asksForKind("if (step.kind !== 'generate') x;")).toHaveLength(1);
  expect(asksForKind("const { kind } = step; return 'run' === kind || 'run' === step.kind;")).toHaveLength(2);
  expect(asksForKind('switch (instance.step.kind) {')).toHaveLength(1);
  expect(asksForKind("const NAMES: Record<Step['kind'], string>")).toHaveLength(1);
  expect(asksForKind("decision.is === 'run' || limit.kind === 'video' || model.kind !== 'retake'")).toEqual([]);
});

test('a package stays in its room', () => {
  const wrong = files.flatMap(({ path, text }) =>
    imports(text)
      .filter(({ types }) => !types)
      .map(({ from }) => from.match(/^(@[^/]+\/[^/]+|[^/]+)/)?.[0] ?? '')
      .filter(name => name in PACKAGES && !belongsTo(path, PACKAGES[name] ?? []))
      .map(name => `${path} imports ${name}`),
  );
  expect(wrong).toEqual([]);
});

test('the process is looked at where the list says', () => {
  const wrong = files
    .filter(({ path }) => !belongsTo(path, Object.keys(PROCESS)))
    .flatMap(({ path, text }) => [
      ...(/(?<![.\w])process\s*\??\.\s*\w+/.exec(withoutCommentsAndTexts(text)) ?? []).map(
        found => `${path} uses ${found}`,
      ),
      ...imports(text).flatMap(({ from }) =>
        from === 'node:process' || from === 'process' ? [`${path} imports ${from}`] : [],
      ),
    ]);
  expect(wrong).toEqual([]);
});

/** A page has a browser's, and reads it in one place. */
const CLOCKS = ['host/', 'pages/parts/browser-clock.ts'];

test('the clock is read in host/ alone', () => {
  const wrong = files
    .filter(({ path }) => !belongsTo(path, CLOCKS))
    .flatMap(({ path, text }) =>
      (/\bDate\.now\b|\bnew Date\(\s*\)|\bperformance\.now\b/.exec(withoutCommentsAndTexts(text)) ?? []).map(
        found => `${path} uses ${found}`,
      ),
    );
  expect(wrong).toEqual([]);
});

test('what decides touches nothing', () => {
  const wrong = files
    .filter(({ path }) => belongsTo(path, PURE))
    .flatMap(({ path, text }) => [
      ...imports(text)
        .filter(({ from, types }) => !types && from.startsWith('node:') && !PURE_MODULES.includes(from))
        .map(({ from }) => `${path} imports ${from}`),
      ...(
        /\b(setTimeout|setInterval|fetch|Math\.random|crypto\.randomUUID)\b(?=\s*\()/.exec(
          withoutCommentsAndTexts(text),
        ) ?? []
      )
        .slice(0, 1)
        .map(found => `${path} uses ${found}`),
    ]);
  expect(wrong).toEqual([]);
});

/** The events of an instance are folded in `records/views/`. Who else looks at more than two of them, and why. */
const LOOK_AT_EVENTS: Readonly<Record<string, string>> = {
  'records/views/': 'each view, once',
  'run/state.ts': 'the engine: what follows for other instances',
  'run/run-recorder.ts': 'the engine: what is recorded, and handed to the lock',
  'run/hide-secrets.ts': 'changes single events: no secret leaves in them',
  'records/journal/': 'how a single event is stored, and the tables that are kept of views',
  'cluster/journal/': 'how a single event is stored',
  'telling/event-text.ts': 'the words of single events',
  'telling/plain-lines.ts': 'which single events have a line of their own',
  'reporters/hooks.ts': 'the words of single events',
  'cli/generate/generate-media.ts': 'the words of single events',
};

const INSTANCE_EVENTS: ReadonlySet<string> = new Set(
  [
    ...(
      readFileSync(join(SRC, 'domain/event.ts'), 'utf8').match(/^export type InstanceEvent = .*?^\);/ms)?.[0] ?? ''
    ).matchAll(/readonly type: '(\w+)'/g),
  ].map(([, type]) => type!),
);

/** The events that a text asks for: `event.type === 'failed'`, the cases of a switch over a type, a set of types. */
function eventsAskedFor(text: string): readonly string[] {
  const compared = [...text.matchAll(/\btype\s*[!=]==?\s*'(\w+)'|'(\w+)'\s*[!=]==?\s*[\w.?!]*\btype\b/g)];
  const switches = [...text.matchAll(/^( *)switch \([\w.]*\btype\) \{$(.*?)^\1\}/gms)].map(([, , cases]) => cases!);
  const sets = [...text.matchAll(/Set<(?:EventType|\w+\['type'\])> = new Set\(\[(.*?)\]\)/gs)].map(
    ([, types]) => types!,
  );
  const listed = [
    ...switches.flatMap(cases => [...cases.matchAll(/\bcase '(\w+)'/g)]),
    ...sets.flatMap(types => [...types.matchAll(/'(\w+)'/g)]),
  ];
  const named = [...compared, ...listed].map(([, one, other]) => one ?? other!);
  return [...new Set(named)].filter(name => INSTANCE_EVENTS.has(name));
}

test('a view of a run’s events is written once', () => {
  const wrong = files
    .filter(({ path }) => !belongsTo(path, Object.keys(LOOK_AT_EVENTS)))
    .map(({ path, text }) => ({ path, events: eventsAskedFor(text) }))
    .filter(({ events }) => events.length > 2)
    .map(({ path, events }) => `${path} folds ${events.join(', ')}: read a view of records/views/`);
  expect(wrong).toEqual([]);
});

test('the map names every view', () => {
  const named = readFileSync(join(SRC, 'README.md'), 'utf8').match(/^\| view \| file \|.*?\n\n/ms)?.[0] ?? '';
  const views = files.flatMap(({ path }) => path.match(/^records\/views\/(.*)/)?.[1] ?? []);
  expect(views.filter(view => !named.includes(`\`${view}\``))).toEqual([]);
});

test('the rule on views sees what it is made for', () => {
  expect(INSTANCE_EVENTS.size).toBeGreaterThan(25);
  expect(eventsAskedFor("if (event.type === 'failed' || 'reused' !== one.type) x;")).toEqual(['failed', 'reused']);
  expect(eventsAskedFor("  switch (event.type) {\n    case 'failed':\n    case 'chosen':\n  }\n")).toEqual([
    'failed',
    'chosen',
  ]);
  expect(
    eventsAskedFor("const WORK: ReadonlySet<RecordedEvent['type']> = new Set(['failed', 'succeeded']);"),
  ).toHaveLength(2);
  expect(
    eventsAskedFor(
      "switch (state.is) {\n  case 'failed':\n}\n record({ type: 'failed' }); event.type === 'run_started'",
    ),
  ).toEqual([]);
});

test('the rules see what they are made for', () => {
  const ways = [
    'cli ui',
    'run artifacts',
    'domain api',
    'artifacts run',
    'plan run',
    'language host',
    'plan media',
    'client studio',
  ];
  expect(ways.filter(way => isDown(...(way.split(' ') as [string, string])))).toEqual([
    'cli ui',
    'run artifacts',
    'domain api',
  ]);

  const uses = [
    'service/render-queue.ts animatic/index.ts',
    'service/render-queue.ts animatic/job.ts',
    'writer/writer.ts animatic/index.ts',
    'writer/writer.ts service/route.ts',
    'writer/writer.ts reply.ts',
    'writer/writer.ts index.ts',
    'reply.ts writer/index.ts',
    'vocabulary.ts data/vocabulary.json',
  ];
  expect(uses.filter(use => mayUse(...(use.split(' ') as [string, string])))).toEqual([
    'service/render-queue.ts animatic/index.ts',
    'writer/writer.ts reply.ts',
    'vocabulary.ts data/vocabulary.json',
  ]);

  const text = `
import type { A } from './a.ts';
import { type B, b } from "../b/b.ts";
import c, * as d from 'c';
import './side-effect.ts';
export { e } from './e.ts';
export type { F } from './f.ts';
const g = await import('./g.ts');
// import h from 'h'; process.exit()
const url = 'process.env in a text'; const deep = \`\${process.argv}\`; const regex = /['"\`]/; process.on('x');
/* Date.now() */ child.process.kill();
`;
  expect(imports(text).map(({ from, types }) => `${from}${types ? ' (types)' : ''}`)).toEqual([
    './a.ts (types)',
    '../b/b.ts',
    'c',
    './side-effect.ts',
    './e.ts',
    './f.ts (types)',
    './g.ts',
  ]);
  expect(withoutCommentsAndTexts(text).match(/(?<![.\w])process\.\w+/g)).toEqual(['process.argv', 'process.on']);
});
