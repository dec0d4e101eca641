/** The kinds of damage, and what must hold of each. A case gives what is wrong, or undefined. */
import { DatabaseSync } from 'node:sqlite';
import type { Json } from '../../src/model/text/json.ts';
import { WORKFLOWS } from '../cli/import/workflows.ts';
import { pipelineFiles } from '../support/pipelines.ts';
import { expression } from './expressions.ts';
import { type FuzzService, hostileAnswer, hostileStream } from './fuzz-service.ts';
import { type FuzzStudio, hostileRequest } from './fuzz-studio.ts';
import type { FuzzWorld, Said } from './fuzz-world.ts';
import { anything, type Chance, mutateBytes, mutateJson, mutateText, mutateYaml, STRINGS } from './mutate.ts';
import { slipShown } from './sentences.ts';

export interface Grounds {
  readonly world: FuzzWorld;
  readonly service: FuzzService;
  readonly studio: FuzzStudio;
}

export type Kind = (chance: Chance, grounds: Grounds) => Promise<string | undefined>;

/** Every kind, as often as it is named. */
export const SLOTS = [
  ...['file', 'file', 'file', 'file', 'file', 'expression', 'expression', 'expression', 'expression', 'expression'],
  ...['lock', 'lock', 'settings', 'params', 'journal', 'event', 'stream', 'answer', 'body', 'body'],
  ...['data', 'data', 'workflow', 'link'],
] as const;
export type KindName = (typeof SLOTS)[number];

const films = pipelineFiles().map(({ text }) => text);

/** Much of the language in one file. */
const RICH = `shotlist: 1
name: film
params:
  idea: { type: string, default: a red fox }
  speed: { type: number, default: 1, minimum: 0 }
  words: { type: array, items: { type: string }, default: [a, b] }
env: [HOME]
models: { film: V-T2V-A }
defaults:
  with: { resolution: 720P }
  timeout: { queue: 10m, run: 1.5h }
steps:
  shot:
    model: film
    matrix: { seed: [11, 22], include: [{ seed: 3 }], exclude: [{ seed: 11 }] }
    with: { prompt: "\${{ params.idea }}, at dawn", seed: "\${{ matrix.seed }}" }
  other: { model: film, with: &w { prompt: x } }
  more: { model: film, with: *w }
  final:
    each: \${{ steps.shot }}
    needs: [cmd]
    if: \${{ params.speed / 2 > 0.1 && steps.shot.all(s, s.bytes > 3) }}
    model: V-UP
    with: { input_video: "\${{ each.result_url }}" }
  cmd:
    run: |
      echo "$x"
    env: { x: "\${{ params.words.join(',') }}" }
    files: { clip: "\${{ steps.other }}" }
    creates: { out: out.mp4 }
    save: out/x.mp4
outputs:
  film: { from: "\${{ steps.final }}", to: "out/{seed}.mp4" }
`;

const ROWS = [
  { name: 'fox', age: 3, of: { den: [1, 2] } },
  { name: 'owl', age: 7, of: { den: [] } },
];

const DATA = `shotlist: 1
name: film
data: { rows: ROWS }
steps:
  shot:
    matrix: { row: "\${{ data.rows }}" }
    model: I-GEN-A
    with: { prompt: "\${{ string(matrix.row) }}" }
`;

/** A command on files of a project: it ends with a known code, and says why in a sentence that names one of `places`. */
function heard({ exit, stdout, stderr }: Said, given: string, places: RegExp): string | undefined {
  if (![0, 1, 2, 3, 6].includes(exit)) return `it ended with ${exit}: ${stderr}`;
  const slip = slipShown(stderr, given) ?? slipShown(stdout.slice(0, 15_000), given);
  if (slip !== undefined) return slip;
  if (exit === 2 && !places.test(stderr)) return `no place is named: ${stderr || '(nothing is said)'}`;
  return undefined;
}

const FILE_PLACE = /^film\.yaml:\d+:\d+: error: |film\.yaml: |--param|still|shotlist: /m;

export const KINDS: Readonly<Record<KindName, Kind>> = {
  file: async (chance, { world }) => {
    const text = mutateYaml(chance.of([...films, RICH]), chance);
    const bytes = chance.is(0.1) ? mutateBytes(Buffer.from(text), chance) : Buffer.from(text);
    world.reset({ 'film.yaml': bytes, 'film.lock.yaml': undefined });
    return heard(await world.cli('plan', 'film.yaml', '--draft'), bytes.toString(), FILE_PLACE);
  },

  expression: async (chance, { world }) => {
    const code = expression(chance);
    const written = JSON.stringify(chance.is(0.7) ? `\${{ ${code} }}` : `a \${{ ${code} }} b`);
    const place = chance.of([
      '"${{ params.idea }}, at dawn"',
      '"${{ matrix.seed }}"',
      '"${{ params.words.join(\',\') }}"',
      'x }',
    ]);
    const text = RICH.replace(place, () => (place === 'x }' ? `${written} }` : written));
    world.reset({ 'film.yaml': text, 'film.lock.yaml': undefined });
    return heard(await world.cli('plan', 'film.yaml', '--draft'), text, FILE_PLACE);
  },

  lock: async (chance, { world }) => {
    const lock = String(world.base.get('film.lock.yaml'));
    const bytes = chance.is(0.2) ? mutateBytes(Buffer.from(lock), chance) : Buffer.from(mutateYaml(lock, chance));
    // Without the journal the lock is all there is; without the film's own store what it names is fetched.
    const journals = chance.is(0.5) ? {} : Object.fromEntries(world.journals.map(path => [path, undefined]));
    world.reset({ 'film.lock.yaml': bytes, ...journals });
    return heard(await world.cli('plan', 'film.yaml', '--draft'), bytes.toString(), /film\.lock\.yaml|film\.yaml/);
  },

  settings: async (chance, { world }) => {
    const text = mutateYaml(String(world.base.get('shotlist.config.yaml')), chance);
    world.reset({ 'shotlist.config.yaml': text });
    const flags = chance.is(0.7) ? ['--service', 'studio'] : ['--draft'];
    return heard(await world.cli('plan', 'film.yaml', ...flags), text, /shotlist\.config\.yaml|service|--draft/);
  },

  params: async (chance, { world }) => {
    const text = mutateYaml('idea: a fox\nspeed: 2\nwords: [a, b]\n', chance);
    world.reset({ 'film.yaml': RICH, 'film.lock.yaml': undefined, 'params.yaml': text });
    const more = chance.is(0.5)
      ? ['--param', `${chance.of(['idea', 'speed', 'words', 'x'])}=${chance.of(STRINGS)}`]
      : [];
    const said = await world.cli('plan', 'film.yaml', '--draft', '--param', 'params.yaml', ...more);
    return heard(said, text + more.join(), /params\.yaml|--param|param|film\.yaml/);
  },

  data: async (chance, { world }) => {
    const ending = chance.of(['csv', 'tsv', 'json', 'jsonl', 'yaml', 'txt', 'srt']);
    const text =
      ending === 'yaml' || ending === 'json'
        ? mutateYaml(JSON.stringify(ROWS), chance)
        : mutateText('name,age\nfox,3\nowl,7\n'.replaceAll(',', ending === 'tsv' ? '\t' : ','), chance);
    const bytes = chance.is(0.1) ? mutateBytes(Buffer.from(text), chance) : Buffer.from(text);
    world.reset({
      'film.yaml': DATA.replace('ROWS', `rows.${ending}`),
      'film.lock.yaml': undefined,
      [`rows.${ending}`]: bytes,
    });
    return heard(await world.cli('plan', 'film.yaml', '--draft'), bytes.toString(), FILE_PLACE);
  },

  workflow: async (chance, { world }) => {
    const text = JSON.stringify(mutateJson(chance.of<Json>(Object.values(WORKFLOWS)), chance));
    const damaged = chance.is(0.2) ? mutateText(text, chance) : text;
    world.reset({ 'workflow.json': damaged });
    return heard(await world.cli('import', 'workflow.json'), damaged, /workflow\.json/);
  },

  link: async (chance, { world }) => {
    const path = chance.of(['film.yaml', 'film.lock.yaml', 'shotlist.config.yaml', 'params.yaml', 'rows.csv']);
    const linkTo = chance.of([
      '/dev/zero',
      '/dev/full',
      '/dev/tty',
      '.',
      'nowhere',
      path,
      '/proc/self/status',
      'film.yaml.2',
    ]);
    world.reset({ 'film.yaml': DATA.replace('ROWS', 'rows.csv'), 'rows.csv': 'name\nfox\n', [path]: { linkTo } });
    const params = path === 'params.yaml' ? ['--param', path] : [];
    return heard(await world.cli('plan', 'film.yaml', '--draft', ...params), '', /film|shotlist\.config|params|rows/);
  },

  journal: async (chance, { world, service }) => {
    const [path = ''] = world.journals;
    const bytes = mutateBytes(world.base.get(path) ?? Buffer.alloc(0), chance);
    world.reset({
      [path]: bytes,
      ...(chance.is(0.2) && { [`${path}-wal`]: mutateBytes(Buffer.alloc(4096, 7), chance) }),
    });
    return heard(await onJournal(chance, world, service), bytes.toString('latin1'), /journal\.db|below \.shotlist/);
  },

  event: async (chance, { world, service }) => {
    const [path = ''] = world.journals;
    world.reset({});
    const given = rewriteEvents(path, chance);
    return heard(await onJournal(chance, world, service), given, /journal\.db|below \.shotlist/);
  },

  stream: (chance, { service }) => hostileStream(chance, service),
  answer: (chance, { service }) => hostileAnswer(chance, service),
  body: (chance, { studio }) => hostileRequest(chance, studio),
};

/** What reads a journal: the plan, a run on a service that says no to everything, and cancelling there. */
function onJournal(chance: Chance, world: FuzzWorld, service: FuzzService): Promise<Said> {
  service.answer(401, { error: 'unauthenticated' });
  switch (chance.below(3)) {
    case 0:
      return world.cli('plan', 'film.yaml', '--draft');
    case 1:
      return world.cli('run', 'film.yaml', '--service', service.url, '--ui', 'plain');
    default:
      return world.cli('cancel', 'film.yaml', '--service', service.url);
  }
}

/** The rows of a sound file, with other words in them: some are gone, so that what was closed is open. */
function rewriteEvents(path: string, chance: Chance): string {
  const database = new DatabaseSync(path);
  try {
    const rows = database.prepare('SELECT id, body FROM event ORDER BY id').all();
    const update = database.prepare('UPDATE event SET body = ? WHERE id = ?');
    let given = '';
    for (const { id, body } of rows) {
      if (chance.is(0.1)) database.prepare('DELETE FROM event WHERE id = ?').run(id ?? 0);
      if (!chance.is(0.3)) continue;
      const text = eventText(JSON.parse(String(body)) as Json, chance);
      given += text;
      update.run(text, id ?? 0);
    }
    return given;
  } finally {
    database.close();
  }
}

function eventText(event: Json, chance: Chance): string {
  if (chance.is(0.2)) return mutateText(JSON.stringify(event), chance);
  return JSON.stringify(chance.is(0.1) ? anything(chance, 3) : mutateJson(event, chance));
}
