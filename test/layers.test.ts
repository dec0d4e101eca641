/** Holds `src/` to its rooms: what a room may import is written in its own README.md, and read here. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { KINDS } from '../src/plan/kinds/index.ts';
import { imports, withoutCommentsAndTexts } from './support/source.ts';

const SRC = fileURLToPath(new URL('../src/', import.meta.url));

/** Who may look at the process that everything runs in, and why. */
const PROCESS: Readonly<Record<string, string>> = {
  'cli/': 'wires everything: arguments, environment, exit code, terminal',
  'machine/process/worker-program.ts': 'is the half of a worker that runs in a process of its own',
  'machine/process/process-group.ts':
    'tells other programs on the same disk who we are, and Node has no other way to signal a process group',
};

/** What computes, and touches nothing. */
const PURE_MODULES = ['node:crypto', 'node:path', 'node:path/posix', 'node:url', 'node:util', 'node:buffer'];

interface SourceFile {
  /** Below `src/`, with `/`. */
  readonly path: string;
  readonly text: string;
}

const files: readonly SourceFile[] = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter(path => /\.tsx?$/.test(path))
  .map(path => path.replaceAll('\\', '/'))
  .sort()
  .map(path => ({ path, text: readFileSync(join(SRC, path), 'utf8') }));

/** A folder whose README.md has a line `Imports:`. What lies below it belongs to it, unless that is a room itself. */
interface Room {
  readonly path: string;
  /** Rooms, or single files of rooms, that it may import. */
  readonly imports: readonly string[];
  readonly packages: readonly string[];
  /** It knows no clock, file, network or environment (invariant 2). */
  readonly isPure: boolean;
}

const heads = new Map(
  readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .map(path => path.replaceAll('\\', '/'))
    .filter(path => path.endsWith('/README.md'))
    .map(path => [dirname(path), readFileSync(join(SRC, path), 'utf8')]),
);
const listed = (head: string, name: string): readonly string[] =>
  [...(head.match(new RegExp(`^${name}: (.*)$`, 'm'))?.[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, one]) => one!);
const rooms: readonly Room[] = [...heads]
  .filter(([, head]) => /^Imports: /m.test(head))
  .map(([path, head]) => ({
    path,
    imports: listed(head, 'Imports'),
    packages: listed(head, 'Packages'),
    isPure: /^Pure:/m.test(head),
  }));

/** The innermost room that holds this file. */
const roomOf = (path: string): Room | undefined =>
  rooms
    .filter(room => path.startsWith(`${room.path}/`))
    .reduce<Room | undefined>((best, room) => (best && best.path.length > room.path.length ? best : room), undefined);

const belongsTo = (path: string, places: readonly string[]): boolean =>
  places.some(place => (place.endsWith('/') ? path.startsWith(place) : path === place));

/** What each file imports of `src/`, and of packages. */
const uses = files.map(({ path, text }) => ({
  path,
  room: roomOf(path),
  imported: imports(text).map(({ from, types }) => ({
    target: from.startsWith('.') ? join(dirname(path), from).replaceAll('\\', '/') : from,
    isOurs: from.startsWith('.'),
    types,
  })),
}));

test('each folder says in a sentence what it is, and every file belongs to a room', () => {
  const folders = new Set(
    files.map(({ path }) => dirname(path)).filter(folder => !/\/(data|props)(\/|$)/.test(folder)),
  );
  expect([...folders].filter(folder => !/^# \S+\n\n\S.*[.`]\n/.test(heads.get(folder) ?? ''))).toEqual([]);
  expect(files.map(({ path }) => path).filter(path => !roomOf(path))).toEqual([]);
});

test('a folder holds at most twenty files; commands have one each', () => {
  const counts = Map.groupBy(files, ({ path }) => dirname(path));
  expect(
    [...counts].filter(([folder, inside]) => inside.length > 20 && folder !== 'cli/commands').map(([folder]) => folder),
  ).toEqual([]);
});

test('a room imports what its README.md lists, and lists nothing else', () => {
  const wrong = uses.flatMap(({ path, room, imported }) =>
    imported
      .filter(({ target, isOurs }) => isOurs && !target.startsWith('..') && !mayImport(room, target))
      .map(({ target }) => `${path} imports ${target}`),
  );
  expect(wrong).toEqual([]);
  const unused = rooms.flatMap(room => {
    const used = uses.filter(one => one.room === room).flatMap(({ imported }) => imported);
    const targets = used.flatMap(({ target, isOurs }) => (isOurs ? [target, roomOf(target)?.path] : []));
    return [
      ...room.imports.filter(one => !targets.includes(one)),
      ...room.packages.filter(name => !used.some(({ target, isOurs }) => !isOurs && packageOf(target) === name)),
    ].map(name => `${room.path} imports no ${name}`);
  });
  expect(unused).toEqual([]);
});

function mayImport(room: Room | undefined, target: string): boolean {
  const other = roomOf(target);
  return other === room || [target, other?.path ?? ''].some(name => room?.imports.includes(name));
}

const packageOf = (name: string): string => name.match(/^(@[^/]+\/[^/]+|[^/]+)/)?.[0] ?? '';

test('no room imports itself by way of others', () => {
  const isReached = (from: Room, goal: Room, seen = new Set<Room>()): boolean =>
    from.imports.some(name => {
      const next = rooms.find(({ path }) => path === name) ?? roomOf(name);
      if (!next || seen.has(next)) return false;
      seen.add(next);
      return next === goal || isReached(next, goal, seen);
    });
  expect(rooms.filter(room => isReached(room, room)).map(({ path }) => path)).toEqual([]);
});

test('a package is imported where a room lists it', () => {
  const wrong = uses.flatMap(({ path, room, imported }) =>
    imported
      .filter(({ target, isOurs, types }) => !isOurs && !types && !target.startsWith('node:'))
      .map(({ target }) => packageOf(target))
      .filter(name => !room?.packages.includes(name))
      .map(name => `${path} imports ${name}`),
  );
  expect(wrong).toEqual([]);
});

test('the map names every folder at the top, and every file that it names is there', () => {
  const map = readFileSync(join(SRC, 'README.md'), 'utf8');
  const top = readdirSync(SRC, { withFileTypes: true }).flatMap(entry => (entry.isDirectory() ? [entry.name] : []));
  expect(top.filter(name => !map.includes(`\`${name}/`))).toEqual([]);
  const named = [...map.matchAll(/`(\w[\w-]*\/[\w/-]+\.tsx?)`/g)].map(([, path]) => path!);
  expect(named.length).toBeGreaterThan(15);
  expect(named.filter(path => !files.some(file => file.path === path))).toEqual([]);
  expect(map.split('\n').length).toBeLessThanOrEqual(131);
});

test('no file imports itself by way of others, types included', () => {
  const next = new Map(uses.map(({ path, imported }) => [path, imported.map(({ target }) => target)]));
  const reaches = (from: string, goal: string, seen = new Set<string>()): boolean =>
    (next.get(from) ?? []).some(target => {
      if (target === goal) return true;
      if (seen.has(target)) return false;
      seen.add(target);
      return reaches(target, goal, seen);
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
const CLOCKS = ['machine/', 'show/pages/parts/browser-clock.ts'];

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
    .filter(({ path }) => roomOf(path)?.isPure || path === 'run/engine/state.ts')
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
  'run/engine/state.ts': 'the engine: what follows for other instances',
  'run/engine/run-recorder.ts': 'the engine: what is recorded, and handed to the lock',
  'run/hide-secrets.ts': 'changes single events: no secret leaves in them',
  'records/journal/': 'how a single event is stored, and the tables that are kept of views',
  'team/journal/': 'how a single event is stored',
  'show/text/event-text.ts': 'the words of single events',
  'show/text/plain-lines.ts': 'which single events have a line of their own',
  'show/reporters/hook-reporter.ts': 'the words of single events',
  'cli/generate/generate-media.ts': 'the words of single events',
};

const INSTANCE_EVENTS: ReadonlySet<string> = new Set(
  [
    ...(
      readFileSync(join(SRC, 'model/run/event.ts'), 'utf8').match(/^export type InstanceEvent = .*?^\);/ms)?.[0] ?? ''
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

test('the list of views names every view', () => {
  const views = files.flatMap(({ path }) => path.match(/^records\/views\/(.*)/)?.[1] ?? []);
  expect(views.filter(view => !heads.get('records/views')?.includes(`\`${view}\``))).toEqual([]);
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
  const pure: Room = { path: 'a', imports: ['model', 'studio/index.ts'], packages: [], isPure: true };
  const targets = ['model/plan.ts', 'studio/index.ts', 'studio/shared/random.ts', 'run/engine/run.ts'];
  expect(targets.filter(target => mayImport(pure, target))).toEqual(targets.slice(0, 2));
  expect(roomOf('studio/service/serve.ts')?.path).toBe('studio/service');

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
