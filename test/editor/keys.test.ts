/** Wherever the language and the settings take keys, an editor says which one is wrong, and offers the right ones. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { YamlLanguageServer } from './language-server.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
let editor: YamlLanguageServer;
beforeAll(async () => {
  editor = await YamlLanguageServer.start(join(ROOT, 'pipelines'));
});
afterAll(() => editor[Symbol.asyncDispose]());

const FILM = '# yaml-language-server: $schema=../schema/editor.schema.json\nshotlist: 1\nname: film\n';
const SETTINGS = '# yaml-language-server: $schema=../schema/settings.schema.json\n';
const STEPS = 'steps: { b: { run: ls } }\n';
const step = (...lines: readonly string[]): string => `steps:\n  a:\n${lines.map(line => `    ${line}\n`).join('')}`;
const B = '"${{ steps.b }}"';
const cut = (...lines: readonly string[]): string =>
  step('cut:', `  clips: [ ${B} ]`, ...lines.map(line => `  ${line}`));

/** Where, a text in which `‸` stands for a key, the wrong one, and keys that are offered in its place. */
type Row = readonly [where: string, text: string, wrong: string, offered: readonly string[]];

const OF_A_FILM: readonly Row[] = [
  ['the top', `${STEPS}‸`, 'profile: {}', ['params', 'data', 'budget', 'models', 'profiles', 'outputs', 'concurrency']],
  ['params', `${STEPS}params:\n  idea:\n    ‸`, 'typ: string', ['type', 'default', 'enum', 'secret']],
  ['models', `${STEPS}models:\n  film:\n    id: fox-look\n    ‸`, 'activat: true', ['activate']],
  ['budget', `${STEPS}budget:\n  ‸`, 'dollars: 12', ['usd', 'video_seconds', 'images', 'generations', 'tokens']],
  ['profiles', `${STEPS}profiles:\n  draft:\n    ‸`, 'model: {}', ['models', 'defaults', 'params', 'budget']],
  ['the budget of a profile', `${STEPS}profiles:\n  draft:\n    budget:\n      ‸`, 'dollars: 1', ['usd', 'images']],
  ['outputs', `${STEPS}outputs:\n  film:\n    from: ${B}\n    ‸`, 'too: out/x.mp4', ['to']],
  ['uses', step('uses: ./b.yaml', '‸'), 'wiht: {}', ['with', 'each', 'until', 'matrix', 'cache']],
  ['until', step('run: ls', 'until:', '  ‸'), 'hold: x', ['holds', 'max']],
  ['retry', step('run: ls', 'retry:', '  ‸'), 'atempts: 2', ['attempts', 'backoff', 'on']],
  ['timeout', step('run: ls', 'timeout:', '  ‸'), 'que: 2m', ['queue', 'run', 'total']],
  ['pick', step(`pick: ${B}`, '‸'), 'rul: x', ['rule', 'judge', 'count']],
  ['judge', step(`pick: ${B}`, 'judge:', '  model: C-B', '  ‸'), 'promt: x', ['prompt', 'images', 'frames']],
  ['approve', step(`approve: ${B}`, '‸'), 'aks: x', ['ask', 'each']],
  ['run', step('run: ls', '‸'), 'efect: true', ['effect', 'files', 'creates', 'env', 'shell']],
  ['a chat', step('model: C-A', 'with: { prompt: x }', '‸'), 'schma: {}', ['schema']],
  ['tokenize', step('tokenize:', '  ‸'), 'repo: a/b', ['repository', 'fine_tune']],
  ['cut', cut('‸'), 'musik: a.wav', ['join', 'music', 'over', 'subtitles', 'loudness', 'size', 'fps', 'fit', 'codec']],
  ['a clip', step('cut:', '  clips:', '    - title: x', '      ‸'), 'fro: 2s', ['for', 'voice', 'over', 'speed']],
  ['join', cut('join:', '  ‸'), 'disolve: 0.4s', ['dissolve']],
  ['music', cut('music:', '  from: a.wav', '  ‸'), 'levl: -18', ['level', 'duck', 'fade_out']],
  ['over', cut('over:', '  from: a.png', '  ‸'), 'att: top', ['at', 'size']],
  ['subtitles', cut('subtitles:', '  from: a.srt', '  ‸'), 'stile: word', ['style', 'at', 'track']],
];

const OF_THE_SETTINGS: readonly Row[] = [
  [
    'the top',
    '‸',
    'stor: ../team',
    ['service', 'services', 'store', 'publish', 'on', 'budget', 'provenance', 'limits'],
  ],
  ['publish', 'publish:\n  ‸', 'comand: [x]', ['s3', 'command']],
  ['a bucket', 'publish:\n  s3:\n    bucket: films\n    ‸', 'prefiks: x', ['prefix', 'endpoint', 'expires', 'key_env']],
  ['store', 'store:\n  at: s3://films/results\n  ‸', 'wirte: false', ['write', 'endpoint', 'region', 'profile']],
  ['on', 'on:\n  ‸', 'fialed: [x]', ['waiting', 'failed', 'finished', 'budget']],
  ['one that is told', 'on:\n  failed:\n    ‸', 'comand: [x]', ['command', 'url', 'url_env']],
  ['budget', 'budget:\n  ‸', 'dollars: 12', ['usd', 'tokens']],
  ['provenance', 'provenance:\n  ‸', 'sidecar: true', ['sidecars']],
  ['a service', 'services:\n  prod:\n    url: https://a.example\n    ‸', 'rate: {}', ['key_env', 'models', 'rates']],
];

describe.each([
  ['a film', FILM, OF_A_FILM],
  ['the settings', SETTINGS, OF_THE_SETTINGS],
] as const)('of %s', (_, head, rows) => {
  test.each(rows)(
    'below %s: a wrong key is told by its name, and the keys are offered',
    async (_, text, wrong, offered) => {
      const found = await editor.diagnostics(`${head}${text.replace('‸', wrong)}\n`);
      expect(found).toContainEqual(
        expect.stringMatching(new RegExp(` Property ${wrong.split(':')[0]} is not allowed\\.$`)),
      );
      const labels = (await editor.completions(`${head}${text}\n`)).map(({ label }) => label);
      expect(labels).toEqual(expect.arrayContaining([...offered]));
    },
  );
});
