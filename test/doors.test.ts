/** Two rules that no type holds: every word leaves through one door, and no value becomes part of a shell's text. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { imports, withoutCommentsAndTexts } from './support/source.ts';

const SRC = fileURLToPath(new URL('../src/', import.meta.url));
const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter(path => /\.tsx?$/.test(path))
  .map(path => path.replaceAll('\\', '/'))
  .map(path => ({ path, text: readFileSync(`${SRC}${path}`, 'utf8') }));

const using = (pattern: RegExp, text: (file: (typeof files)[number]) => string = ({ text }) => text): string[] =>
  files.filter(file => pattern.test(text(file))).map(({ path }) => path);
const code = ({ text }: (typeof files)[number]): string => withoutCommentsAndTexts(text);

test('standard output and standard error are written to through their door alone', () => {
  expect(using(/\bconsole\.\w+\(|\bstd(out|err)\b\s*\??\.\s*write\(/, code)).toEqual([]);
  // Before the rest wakes, and after it is gone.
  expect(using(/\bwriteSync\(\s*(to|STD|[12]\b)/, code).sort()).toEqual([
    'cli/entry.ts',
    'cli/terminal/real-terminal.ts',
    'cli/terminal/signals.ts',
  ]);
});

test('JSON that a command prints is what a terminal may be shown', () => {
  const printers = files.filter(
    ({ path, text }) => path.startsWith('cli/') && /from '(\.\.?\/)+outlets\.ts'/.test(text),
  );
  expect(printers.length).toBeGreaterThan(5);
  expect(printers.filter(file => /\bJSON\.stringify\(/.test(code(file))).map(({ path }) => path)).toEqual([]);
});

test('programs are started in these places alone, and never by a text that a shell reads', () => {
  const starting = files.filter(({ text }) =>
    imports(text).some(({ from }) => /^(node:)?child_process$|^execa$/.test(from)),
  );
  expect(starting.map(({ path }) => path).sort()).toEqual([
    'machine/process/command-runner.ts',
    'machine/process/shell.ts',
    'machine/process/small-program.ts',
    'machine/process/worker-process.ts',
  ]);
  // `exec` and its kind, and `shell: true`, take a text where a list of arguments belongs.
  expect(using(/\b(exec|execSync|execCommand|execaCommand|execFileSync|spawnSync)\s*\(\s*[^)\s]/, startedBy)).toEqual(
    [],
  );
  expect(using(/\bshell\s*:\s*(true|['"`/])/)).toEqual([]);
});

/** Only what those three files call: `exec` of a pattern or a database is another one. */
const startedBy = ({ path, text }: (typeof files)[number]): string =>
  [
    'machine/process/shell.ts',
    'machine/process/small-program.ts',
    'machine/process/command-runner.ts',
    'machine/process/worker-process.ts',
  ].includes(path)
    ? withoutCommentsAndTexts(text).replaceAll(/\.exec\(/g, '')
    : '';

test('whatever stands in the text for our own shell is quoted, or ours', () => {
  const text = readFileSync(`${SRC}machine/process/shell.ts`, 'utf8');
  const pasted = [...text.matchAll(/\$\{((?:[^{}]|\{[^{}]*\})*)\}/g)].map(([, expression = '']) => expression.trim());
  expect(pasted.filter(expression => !isOurs(expression))).toEqual([]);
  // What is ours is made in that file, of quoted parts and constants.
  expect(text).toContain('const exports = Object.entries(env).map(([name, value]) => ` ${name}=${quoted(value)}`);');
});

const isOurs = (expression: string): boolean =>
  /^quoted\([\w.]+\)$/.test(expression) ||
  [
    'MARK',
    // What quotes.
    `text.replaceAll("'", "'\\\\''")`,
    // A random name, a name that `isVariableName` has let through, and the parts that are quoted themselves.
    ...['crypto.randomUUID()', 'name', 'launch', 'setUp', 'to', "argv.map(quoted).join(' ')"],
    "exports.length > 0 ? ` export${exports.join('')};` : ''",
    "exports.join('')",
  ].includes(expression);

/** Modules that read a file without `machine/files/outside-file.ts`, and why that is safe. */
const OTHER_READERS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      'machine/process/small-program.ts',
      'machine/process/process-group.ts',
      'machine/process/worker-process.ts',
      'studio/animatic/cache/cached-renderer.ts',
    ].map(path => [path, 'the kernel wrote it']),
  ),
  ...Object.fromEntries(
    [
      'cli/commands/explain.ts',
      'machine/files/page-bundle.ts',
      'media/encode/typography.ts',
      'studio/animatic/cache/drawing-code.ts',
      'studio/animatic/scene/prop.ts',
      'studio/animatic/scene/subjects/glyph.ts',
      'studio/service/routes/page.ts',
    ].map(path => [path, 'it comes with this package, or with one that it depends on']),
  ),
  ...Object.fromEntries(
    [
      'records/store/partial-download.ts',
      'records/store/publish/checked-upload.ts',
      'records/store/shared/result-cache.ts',
      'team/tasks/team-executor.ts',
      'media/encode/clean-plate.ts',
      'media/marking/byte-edits.ts',
      'media/probe.ts',
      'show/pages/report/write-report.ts',
      'show/pages/review/serve-file.ts',
      'app/reports/small-picture.ts',
      'studio/animatic/cache/render-entries.ts',
      'studio/service/inputs/chat-images.ts',
      'studio/service/routes/results.ts',
      'studio/service/vices/results.ts',
    ].map(path => [path, 'a store of ours made it, or `app/local-files.ts` has let it in']),
  ),
  'records/store/shared/shared-folder.ts': 'it is seen to be a regular file of a known size',
  'cli/entry.ts': 'it is seen to be a regular file of a bounded size',
  'machine/files/file-watch.ts': 'it is seen to be a regular file of a bounded size',
  'app/film/film-records.ts': 'it is seen to be a regular file of a known digest',
  'team/worker/pack-project.ts': 'it is seen to be a regular file of a known digest',
};

/** Modules that parse JSON without `model/text/json.ts`, and why that is safe. */
const OTHER_PARSERS: Readonly<Record<string, string>> = {
  'language/yaml/yaml-fast-path.ts': 'it is one text in quotes',
  'media/encode/typography.ts': 'it comes with a font',
  'show/pages/parts/read-page-data.ts': 'the page holds what we wrote',
  'show/pages/review/page/main.ts': 'the server of the page wrote it',
  'plan/graph/gathered-candidates.ts': 'it was written in the same line',
  'show/reporters/hook-reporter.ts': 'it was written in the same line',
  'records/journal/local-journal.ts': 'it was written in the line above',
  'studio/animatic/cache/drawing-code.ts': 'it is the manifest of this package',
  'studio/animatic/scene/subjects/glyph.ts': 'it comes with a font',
  'studio/service/http/body.ts': 'a body is small, and looked through level by level',
  'studio/service/records/generations.ts': 'such a body was kept',
  'studio/service/records/idempotent-calls.ts': 'such a body was kept',
};

test('bytes from outside come through one door, and JSON is read by one reader', () => {
  const reads = /(?<!function )\b(readFile|readFileSync|createReadStream)\(/;
  const readers = using(reads, file => (file.path.startsWith('language/') ? '' : code(file)));
  expect(readers.sort()).toEqual(Object.keys(OTHER_READERS).sort());
  expect(using(/\bJSON\.parse\(/, code).sort()).toEqual([...Object.keys(OTHER_PARSERS), 'model/text/json.ts'].sort());
  // Each of these counts levels before it begins.
  expect(using(/\b(parseDocument|parseAllDocuments|new Composer)\(/, code).sort()).toEqual([
    'language/yaml/yaml-tree.ts',
    'records/lock/lock-yaml.ts',
    'settings/settings-file.ts',
  ]);
});
