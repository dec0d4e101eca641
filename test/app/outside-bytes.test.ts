/**
 * The same hostile bytes for each reader of what others have written: each ends in a value or in a sentence, never in a stack, an inner
 * shape or a printed megabyte. `test/doors.test.ts` holds that every other reader of files and JSON has a reason.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { StatementSync } from 'node:sqlite';
import { Readable } from 'node:stream';
import { deflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { modelLibrary } from '../../src/api/model-library.ts';
import { diskProjectFiles } from '../../src/app/disk-project-files.ts';
import { LocalFiles } from '../../src/app/local-files.ts';
import { progressFile, readProgress } from '../../src/app/reports/live-progress.ts';
import { baseLock } from '../../src/app/results/base-lock.ts';
import { survey } from '../../src/app/results/shared-survey.ts';
import { UsageError } from '../../src/cli/arguments.ts';
import { ignoreOutputs } from '../../src/cli/commands/init.ts';
import { pipelineText, readWorkflow } from '../../src/cli/commands/tools/import.ts';
import { CommandError, unhandledSystemErrorText } from '../../src/cli/errors/command-error.ts';
import { parseFieldValues } from '../../src/cli/generate/single-step.ts';
import { givenParams } from '../../src/cli/session/film-options.ts';
import { readSource, readText } from '../../src/cli/session/pipeline-text.ts';
import { ChatStream, decodeCompletion, readEvents } from '../../src/client/chat/chat-client.ts';
import {
  completedId,
  decodeFineTune,
  decodeGeneration,
  decodeHistoryPage,
  decodeModelList,
} from '../../src/client/wire/decode-generation.ts';
import { KeyRedactor } from '../../src/client/wire/key-redactor.ts';
import { bodyErrorText } from '../../src/client/wire/response-body.ts';
import { compile } from '../../src/language/compile.ts';
import { formatDiagnostics } from '../../src/language/yaml/excerpt.ts';
import { keysInLock } from '../../src/lsp/definitions.ts';
import { Document } from '../../src/lsp/document.ts';
import { readIfThere } from '../../src/machine/files/files.ts';
import { Refusal } from '../../src/model/run/decision-page.ts';
import { promotionIn } from '../../src/model/run/promotion.ts';
import { parseSelector } from '../../src/model/selector.ts';
import { readCues } from '../../src/plan/cut/cues.ts';
import { choiceRows } from '../../src/records/journal/choice-rows.ts';
import { bodyOf, withAsked } from '../../src/records/journal/journal-row.ts';
import { pastRuns } from '../../src/records/journal/past-runs.ts';
import { LockFile, readLockText } from '../../src/records/lock/lock-file.ts';
import { rejections } from '../../src/run/rejections.ts';
import { checkAnswer } from '../../src/run/requests/answer-check.ts';
import { readPipeline } from '../../src/sdk/pipeline-source.ts';
import { findCredentials } from '../../src/settings/aws-credentials.ts';
import { readSettingsFile } from '../../src/settings/settings-file.ts';
import { readAction } from '../../src/show/pages/review/action.ts';
import { schemaIn } from '../../src/studio/writer/writer.ts';
import { readJsonColumn } from '../../src/team/database/team-database.ts';
import { broadcastAfter } from '../../src/team/runs/broadcast-events.ts';
import { workIn } from '../../src/team/tasks/remote-task.ts';
import { PAYLOADS } from '../support/payloads.ts';
import { temporaryFolder } from '../support/temp.ts';

const MEGABYTE = 1024 ** 2;
const DEEP = 100_000;
const bombed = Array.from({ length: 30 }, (_, n) => `a${n + 1}: &a${n + 1} [*a${n}, *a${n}, *a${n}]`).join('\n');

/** Texts, and bytes that are none. */
const MONSTERS: Readonly<Record<string, string | Buffer>> = {
  nothing: '',
  'one blank': ' ',
  'a byte order mark alone': '\ufeff',
  'a byte order mark before JSON': '\ufeff{"a":1}',
  'NUL alone': '\0',
  'NUL in a name': '{"a\0b":1}',
  'UTF-16': Buffer.from('\ufeff{"a":1}', 'utf16le'),
  'UTF-16, the other way round': Buffer.from('\ufeff{"a":1}', 'utf16le').swap16(),
  'Latin-1': Buffer.from('{"a":"é"}', 'latin1'),
  'overlong UTF-8': Buffer.from([0x7b, 0xc0, 0xaf, 0x7d]),
  'half of a character': '{"a":"\\ud800","\\udc00":1}',
  'a picture': Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
  'brackets that open': '['.repeat(DEEP),
  'brackets that open and close': '['.repeat(DEEP) + ']'.repeat(DEEP),
  'braces that open': '{"a":'.repeat(DEEP),
  'braces that open and close': `${'{"a":'.repeat(DEEP)}1${'}'.repeat(DEEP)}`,
  'a few thousand levels': `${'{"a":['.repeat(3_000)}${']}'.repeat(3_000)}`,
  '65 levels': '['.repeat(65) + ']'.repeat(65),
  dashes: '- '.repeat(5_000),
  'question marks': '? '.repeat(5_000),
  'indented 500 times': Array.from({ length: 500 }, (_, n) => `${' '.repeat(n)}a:`).join('\n'),
  'brackets in a text': `{"a":"${'['.repeat(DEEP)}"}`,
  'aliases that multiply': `a0: &a0 [x, x, x]\n${bombed}\n`,
  'an alias of itself': 'a: &a [*a]\n',
  'an alias of nothing': 'a: *b\n',
  'a thousand anchors': `${Array.from({ length: 1_000 }, (_, n) => `a${n}: &b${n} 1`).join('\n')}\n`,
  'merge keys': 'a: &a { b: 1 }\nc: { <<: *a }\n',
  'the same key twice': '{"a":1,"a":2}',
  '3,000 keys': `${Array.from({ length: 3_000 }, (_, n) => `k${n}: 1`).join('\n')}\n`,
  prototypes:
    '{"__proto__":{"is":"text","type":"x"},"constructor":{"prototype":{"a":1}},"toString":1,"hasOwnProperty":1}',
  'prototypes in YAML': '__proto__: { a: 1 }\nconstructor: { name: x }\n',
  'a node of type __proto__':
    '{"1":{"class_type":"__proto__","inputs":{}},"2":{"class_type":"constructor","inputs":{"__proto__":["1",0]}}}',
  'saved nodes of such types':
    '{"nodes":[{"id":1,"type":"__proto__","widgets_values":["a"]},{"id":2,"type":"toString","widgets_values":[1]}],"links":[]}',
  'fal nodes of such types':
    '{"nodes":{"__proto__":{"type":"run","app":"x"},"n":{"type":"run","app":"fal-ai/flux","input":{"constructor":1,"__proto__":2}}}}',
  'a newline in a class name': '{"1":{"class_type":"KSampler\\nnot carried over: nothing at all","inputs":{}}}',
  'a name of 1 MB': JSON.stringify({ 1: { class_type: 'x'.repeat(MEGABYTE), inputs: {} } }),
  'a key of 1 MB': JSON.stringify({ ['k'.repeat(MEGABYTE)]: 1 }),
  'a step of 1 MB': `shotlist: 1\nname: film\nsteps:\n  ${'s'.repeat(MEGABYTE)}: { model: ${'m'.repeat(MEGABYTE)}, with: { prompt: x } }\n`,
  'a line of 1 MB': `a: ${'x'.repeat(MEGABYTE)}\n`,
  '20,000 lines': '\n'.repeat(20_000),
  'a long chain of nodes': JSON.stringify({
    ...Object.fromEntries(
      Array.from({ length: 2_000 }, (_, n) => [n, { class_type: 'Reroute', inputs: { '': [`${n + 1}`, 0] } }]),
    ),
    s: { class_type: 'SaveImage', inputs: { images: ['0', 0] } },
  }),
  '1e308': '{"a":1e308,"cost":1e308,"pricing":{"cost_per_second":1e308}}',
  '1e999': '{"a":1e999,"data":[{"id":"m","pricing":{"method":"per_video_output_second","cost_per_second":1e999}}]}',
  'minus zero': '{"a":-0}',
  'not a number': '{"a":NaN}',
  'infinity in YAML': 'a: .inf\nb: -.inf\nc: .nan\n',
  '2^53 + 1': '{"a":9007199254740993}',
  'a number of 400 digits': `{"a":${'9'.repeat(400)}}`,
  'one column of ids': 'id\n9007199254740993\n9007199254740992\n',
  'two columns of one name': 'a,a\n1,2\n',
  'a quote that is never closed': 'a,b\n"1,2\n',
  '20,000 columns': `${Array.from({ length: 20_000 }, (_, n) => `c${n}`).join(',')}\n`,
  'control characters': `a: "\\e]52;c;aGk=\\a"\nb: '\x1b[2J\x07'\n`,
  bidi: 'a: \u202egpj.exe\u202c\n',
  'line separators': '{"a":"\u2028\u2029\u0085"}',
  ...Object.fromEntries(
    PAYLOADS.filter((_, n) => n % 20 === 0).map((payload, n) => [
      `payload ${n}`,
      JSON.stringify({ [payload]: payload }),
    ]),
  ),
  'two documents': 'a: 1\n---\nb: 2\n',
  tags: 'a: !!js/function "function () {}"\nb: !ruby/object:x {}\n',
  'an old YAML': '%YAML 1.1\n---\na: yes\n',
  'a merge that failed': '<<<<<<< HEAD\na: 1\n=======\na: 2\n>>>>>>> other\n',
  'subtitles without end': `1\n00:00:00,000 --> 99:99:99,999\n${'x'.repeat(MEGABYTE)}`,
  HTML: '<!doctype html><html><head><title>502</title></head></html>',
  'a service of nothing else':
    '{"data":[null,1,"x",[],{"id":{}},{"id":"\\u001b[2J"}],"generations":[null],"error":{"error":{"error":{"error":{}}}}}',
  'half of a row': '{"is":"command","work":null}',
  'a choice of another shape': '{"key":1,"from":"x","called":[1],"chosen":null,"by":"nobody","who":[],"at":"now"}',
};

/** A film that reads one file in each of its ways. */
const FILM = (path: string) => `shotlist: 1
name: film
data: { rows: ${path} }
steps:
  shot:
    matrix: { row: "\${{ data.rows }}" }
    model: V-T2V-A
    with: { prompt: x }
`;
const USES = (path: string) => `shotlist: 1\nname: film\nsteps:\n  part: { uses: ${path} }\n`;
const ANSWER = (path: string) =>
  `shotlist: 1\nname: film\nsteps:\n  text: { model: C-D, with: { prompt: x }, schema: ${path} }\n`;

const checked = (source: { readonly path: string; readonly text: string }, root = dirname(source.path)): string =>
  formatDiagnostics(compile(source, modelLibrary, { files: diskProjectFiles(source.path, root) }).diagnostics);
const beside = (film: string) => (file: string) => checked({ path: join(dirname(file), 'film.yaml'), text: film });

const SETTINGS = { env: {}, home: '/nowhere' };
const NO_ACCESS = {} as unknown as Parameters<typeof findCredentials>[0];

/** Readers of a file by its name. They return what a person is shown. */
const FILES: Readonly<Record<string, (file: string) => unknown>> = {
  'a pipeline': file => checked(readSource(file)),
  'a pipeline of a program': async file => checked((await readPipeline({ file }, dirname(file))).source),
  ...Object.fromEntries(
    ['yaml', 'json', 'jsonl', 'csv', 'tsv', 'txt', 'srt'].map(ending => [
      `data in ${ending}`,
      (file: string) => {
        const path = `data.${ending}`;
        symlinkSync(file, join(dirname(file), path));
        return beside(FILM(path))(file);
      },
    ]),
  ),
  'a file that is used': beside(USES('./monster')),
  'a schema of an answer': beside(ANSWER('monster')),
  params: file => {
    symlinkSync(file, join(dirname(file), 'params.yaml'));
    return Object.keys(givenParams({ param: [join(dirname(file), 'params.yaml')] })).length;
  },
  settings: async file => {
    const problems: string[] = [];
    readSettingsFile(await readIfThere(file), 'project', problems);
    return problems.join('\n');
  },
  'keys of AWS': async file => {
    const found = await findCredentials(NO_ACCESS, {
      ...SETTINGS,
      env: { AWS_SHARED_CREDENTIALS_FILE: file },
      read: readIfThere,
    });
    return 'message' in found ? found.message : '';
  },
  'a lock': file => {
    const lock = LockFile.open(readLockText(file, 'film.lock.yaml'), 'studio', 'film.lock.yaml', false);
    return [...lock.everyResult()].length + lock.charges().length;
  },
  'the lock of a branch': async file =>
    (await baseLock({ lock: file }, { lockPath: file, section: 'studio', environment: {} })).fingerprints.size,
  'locks of a survey': async file => {
    const shared = { ask: async () => ({ is: 'absent' }) } as never;
    const found = await survey([file], { root: dirname(file), store: { has: () => false } as never, shared }, NEVER);
    return found.contents.length;
  },
  'a lock in an editor': file => {
    symlinkSync(file, join(dirname(file), 'film.lock.yaml'));
    return keysInLock({ file: join(dirname(file), 'film.yaml') } as Document, 'shot')?.keys.length;
  },
  'a workflow to import': file => {
    const imported = readWorkflow(readText(file), 'film');
    if (typeof imported === 'string') return imported;
    const said = [...imported.left.map(line => `not carried over: ${line}`), ...imported.files];
    for (const line of said) expect(line).not.toContain('\n');
    return [...said, checked({ path: file, text: pipelineText(imported) })].join('\n');
  },
  'what git ignores': async file => {
    const folder = join(dirname(file), 'repository');
    mkdirSync(join(folder, '.git'), { recursive: true });
    symlinkSync(file, join(folder, '.gitignore'));
    return (await ignoreOutputs(folder))?.did;
  },
  'how far a run is': async file => {
    symlinkSync(file, progressFile(dirname(file)));
    return (await readProgress(dirname(file))).size;
  },
  'media that a request names': async file => {
    const files = new LocalFiles(dirname(file), { probe: async () => undefined });
    files.get('monster');
    await files.load();
    const found = files.get('monster');
    return found && 'unusable' in found ? found.unusable : '';
  },
};

/** Another door to a reader above: it is given every place, and each seventh text. */
const AS_ABOVE: ReadonlySet<string> = new Set([
  'a pipeline of a program',
  'data in tsv',
  'a file that is used',
  'a schema of an answer',
  'the lock of a branch',
  'locks of a survey',
]);

const NEVER = new AbortController().signal;
const redactor = new KeyRedactor('sk-a-key-of-the-house', 8);
const body = (text: string) => redactor.parse(text);
const rows = (text: string) => (() => ({ all: () => [{ id: 1, body: text }] })) as unknown as () => StatementSync;
const answered = (text: string) => ({ is: 'answered', text, finish_reason: 'stop', usage: null }) as never;
const row = { type: 'object', required: ['a'], properties: { a: { type: 'number' } } } as const;

/** Readers of a text from a service, a database, a browser, an editor or a command line. */
const TEXTS: Readonly<Record<string, (text: string) => unknown>> = {
  'the catalog': text => JSON.stringify(decodeModelList(body(text)))?.slice(0, 100),
  'a generation': text => decodeGeneration(body(text))?.status,
  'a fine-tune': text => decodeFineTune(body(text), 'ft-1')?.status,
  'a page of the history': text => decodeHistoryPage(body(text))?.rows.length,
  'the stream of events': text => completedId(body(text)),
  'an error': text => bodyErrorText(text)?.slice(0, 300),
  'a completion': text => decodeCompletion(body(text))?.finish_reason,
  'a completion as a stream': async text => {
    const stream = new ChatStream(redactor, () => {});
    await readEvents(Readable.from([Buffer.from(`data: ${text}\n\ndata: [DONE]\n\n`)]), stream);
  },
  'an answer with a schema': async text => {
    const read = await checkAnswer(row, answered(text), {});
    return read.is === 'misfit' ? read.reason : '';
  },
  'a row of the journal': text => bodyOf({ body: text }, 'journal.db'),
  'what was asked': text => withAsked({ type: 'run_finished' } as never, { asked: text }),
  'a decision': text => choiceRows({ sql: rows(text), film: 'f', path: 'journal.db' }, undefined).after(0),
  'a kept plan': text => pastRuns({ sql: rows(text), path: 'journal.db' }).planOf('run' as never),
  'a kept plan, packed': text =>
    pastRuns({
      sql: (() => ({ all: () => [{ body: deflateRawSync(text) }] })) as unknown as () => StatementSync,
      path: 'journal.db',
    }).planOf('run' as never),
  'what was picked elsewhere': text => promotionIn(text),
  'what was rejected': text => rejections({ notes: { get: () => text } }).size,
  "a column of a team's tables": text => readJsonColumn(text) !== undefined,
  "events in a team's tables": async text =>
    (
      await broadcastAfter(
        { query: async () => [{ id: 1, body: text }] as never, warnUnreadable: () => false },
        'run',
        0,
      )
    ).events.length,
  "work in a team's tables": text => workIn(text),
  'a decision of a browser': text => readAction(text),
  subtitles: text => {
    const read = readCues(text);
    return 'problem' in read ? String(read.problem) : '';
  },
  'a selector': text => parseSelector(text.slice(0, 1_000_000)),
  'a field on the command line': text =>
    parseFieldValues(modelLibrary.get('I-GEN-A')!, [`prompt=${text}`, `seed=${text}`]),
  'a schema in a prompt': text => schemaIn(text),
  'an open editor': text => {
    const file = { uri: 'file:///film.yaml', version: 1, source: { path: 'film.yaml', text }, file: '/film.yaml' };
    const none = { read: () => ({ problem: 'x' }), list: () => ({ problem: 'x' }) };
    const files = { ...none, relativeTo: () => files };
    const document = new Document({ ...file, root: '/', files, library: modelLibrary });
    return document.isPipeline ? checked(document.source) : '';
  },
};

/** What is no file to read whole, at this path. */
const PLACES: Readonly<Record<string, (path: string) => void>> = {
  'a folder': path => mkdirSync(path),
  'a link to /dev/zero': path => symlinkSync('/dev/zero', path),
  'a link to a link to /dev/urandom': path => {
    symlinkSync('/dev/urandom', `${path}.2`);
    symlinkSync(`${path}.2`, path);
  },
  'a named pipe': path => void execFileSync('mkfifo', [path]),
  'a link to nothing': path => symlinkSync('nowhere', path),
  'a link to itself': path => symlinkSync(path, path),
  'a terabyte without a byte on the disk': path => {
    writeFileSync(path, '');
    truncateSync(path, 1024 ** 4);
  },
  'a link to a file that says it is empty': path => symlinkSync('/proc/self/status', path),
};

/** Judges the output of a reader, a refusal or a value. @returns what is wrong with it; undefined if nothing is. */
async function wrongWith(read: () => unknown): Promise<string | undefined> {
  let said: string;
  try {
    const value = await read();
    said = typeof value === 'string' ? value : '';
  } catch (error) {
    const isKnown = error instanceof Refusal || error instanceof UsageError || error instanceof CommandError;
    const sentence = isKnown ? error.message : unhandledSystemErrorText(error);
    if (sentence === undefined) return `a stack: ${String(error).slice(0, 300)}`;
    said = sentence;
  }
  if (said.length > 128 * 1024) return `${said.length} characters: ${said.slice(0, 200)}`;
  return /Maximum call stack|\bat \w+.*:\d+:\d+\)|\[object |\w+Error\b/.exec(said)?.[0];
}

async function faultsOf(cases: Readonly<Record<string, () => unknown>>): Promise<Readonly<Record<string, string>>> {
  const faults: Record<string, string> = {};
  for (const [name, read] of Object.entries(cases)) {
    const wrong = await wrongWith(read);
    if (wrong !== undefined) faults[name] = wrong;
  }
  return faults;
}

test('there are more than thirty kinds of them', () => {
  expect(Object.keys(MONSTERS).length + Object.keys(PLACES).length).toBeGreaterThan(60);
});

test.each(Object.entries(TEXTS))('every text as %s is a value or a sentence', async (_, read) => {
  const cases = Object.entries(MONSTERS).map(([name, monster]) => [name, () => read(monster.toString())] as const);
  expect(await faultsOf(Object.fromEntries(cases))).toEqual({});
});

test.each(Object.entries(FILES))('every file as %s is a value or a sentence', async (reader, read) => {
  const folder = await temporaryFolder();
  const makers = {
    ...Object.fromEntries(
      Object.entries(MONSTERS)
        .filter((_, n) => !AS_ABOVE.has(reader) || n % 7 === 0)
        .map(([name, monster]) => [name, (path: string) => writeFileSync(path, monster)]),
    ),
    ...PLACES,
  };
  const cases = Object.entries(makers).map(([name, make], n) => {
    const file = join(folder, `${n}`, 'monster');
    mkdirSync(dirname(file));
    make(file);
    return [name, () => read(file)] as const;
  });
  expect(await faultsOf(Object.fromEntries(cases))).toEqual({});
});
