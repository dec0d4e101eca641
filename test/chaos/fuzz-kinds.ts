/** The kinds of damage, and what must hold of each. A case gives what is wrong, or undefined. */
import { DatabaseSync } from 'node:sqlite';
import type { Json } from '../../src/model/text/json.ts';
import { WORKFLOWS } from '../cli/import/workflows.ts';
import type { Dice } from '../simulate/dice.ts';
import { pipelineFiles } from '../support/pipelines.ts';
import { expression } from './expressions.ts';
import { type FuzzService, hostileAnswer, hostileStream } from './fuzz-service.ts';
import { type FuzzStudio, hostileRequest } from './fuzz-studio.ts';
import type { FuzzWorld, Said } from './fuzz-world.ts';
import { anything, mutateBytes, mutateJson, mutateText, mutateYaml, STRINGS } from './mutate.ts';
import { slipShown } from './sentences.ts';

interface Grounds {
  readonly world: FuzzWorld;
  readonly service: FuzzService;
  readonly studio: FuzzStudio;
}

export type Kind = (dice: Dice, grounds: Grounds) => Promise<string | undefined>;

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
  file: async (dice, { world }) => {
    const text = mutateYaml(dice.pick([...films, RICH]), dice);
    const bytes = dice.chance(0.1) ? mutateBytes(Buffer.from(text), dice) : Buffer.from(text);
    world.reset({ 'film.yaml': bytes, 'film.lock.yaml': undefined });
    return heard(await world.cli('plan', 'film.yaml', '--draft'), bytes.toString(), FILE_PLACE);
  },

  expression: async (dice, { world }) => {
    const code = expression(dice);
    const written = JSON.stringify(dice.chance(0.7) ? `\${{ ${code} }}` : `a \${{ ${code} }} b`);
    const place = dice.pick([
      '"${{ params.idea }}, at dawn"',
      '"${{ matrix.seed }}"',
      '"${{ params.words.join(\',\') }}"',
      'x }',
    ]);
    const text = RICH.replace(place, () => (place === 'x }' ? `${written} }` : written));
    world.reset({ 'film.yaml': text, 'film.lock.yaml': undefined });
    return heard(await world.cli('plan', 'film.yaml', '--draft'), text, FILE_PLACE);
  },

  lock: async (dice, { world }) => {
    const lock = String(world.base.get('film.lock.yaml'));
    const bytes = dice.chance(0.2) ? mutateBytes(Buffer.from(lock), dice) : Buffer.from(mutateYaml(lock, dice));
    // Without the journal the lock is all there is; without the film's own store what it names is fetched.
    const journals = dice.chance(0.5) ? {} : Object.fromEntries(world.journals.map(path => [path, undefined]));
    world.reset({ 'film.lock.yaml': bytes, ...journals });
    return heard(await world.cli('plan', 'film.yaml', '--draft'), bytes.toString(), /film\.lock\.yaml|film\.yaml/);
  },

  settings: async (dice, { world }) => {
    const text = mutateYaml(String(world.base.get('shotlist.config.yaml')), dice);
    world.reset({ 'shotlist.config.yaml': text });
    const flags = dice.chance(0.7) ? ['--service', 'studio'] : ['--draft'];
    return heard(await world.cli('plan', 'film.yaml', ...flags), text, /shotlist\.config\.yaml|service|--draft/);
  },

  params: async (dice, { world }) => {
    const text = mutateYaml('idea: a fox\nspeed: 2\nwords: [a, b]\n', dice);
    world.reset({ 'film.yaml': RICH, 'film.lock.yaml': undefined, 'params.yaml': text });
    const more = dice.chance(0.5)
      ? ['--param', `${dice.pick(['idea', 'speed', 'words', 'x'])}=${dice.pick(STRINGS)}`]
      : [];
    const said = await world.cli('plan', 'film.yaml', '--draft', '--param', 'params.yaml', ...more);
    return heard(said, text + more.join(), /params\.yaml|--param|param|film\.yaml/);
  },

  data: async (dice, { world }) => {
    const ending = dice.pick(['csv', 'tsv', 'json', 'jsonl', 'yaml', 'txt', 'srt']);
    const text =
      ending === 'yaml' || ending === 'json'
        ? mutateYaml(JSON.stringify(ROWS), dice)
        : mutateText('name,age\nfox,3\nowl,7\n'.replaceAll(',', ending === 'tsv' ? '\t' : ','), dice);
    const bytes = dice.chance(0.1) ? mutateBytes(Buffer.from(text), dice) : Buffer.from(text);
    world.reset({
      'film.yaml': DATA.replace('ROWS', `rows.${ending}`),
      'film.lock.yaml': undefined,
      [`rows.${ending}`]: bytes,
    });
    return heard(await world.cli('plan', 'film.yaml', '--draft'), bytes.toString(), FILE_PLACE);
  },

  workflow: async (dice, { world }) => {
    const text = JSON.stringify(mutateJson(dice.pick<Json>(Object.values(WORKFLOWS)), dice));
    const damaged = dice.chance(0.2) ? mutateText(text, dice) : text;
    world.reset({ 'workflow.json': damaged });
    return heard(await world.cli('import', 'workflow.json'), damaged, /workflow\.json/);
  },

  link: async (dice, { world }) => {
    const path = dice.pick(['film.yaml', 'film.lock.yaml', 'shotlist.config.yaml', 'params.yaml', 'rows.csv']);
    const places = '/dev/zero /dev/full /dev/tty . nowhere /proc/self/status film.yaml.2'.split(' ');
    const linkTo = dice.pick([...places, path]);
    world.reset({ 'film.yaml': DATA.replace('ROWS', 'rows.csv'), 'rows.csv': 'name\nfox\n', [path]: { linkTo } });
    const params = path === 'params.yaml' ? ['--param', path] : [];
    return heard(await world.cli('plan', 'film.yaml', '--draft', ...params), '', /film|shotlist\.config|params|rows/);
  },

  journal: async (dice, { world, service }) => {
    const [path = ''] = world.journals;
    const bytes = mutateBytes(world.base.get(path) ?? Buffer.alloc(0), dice);
    world.reset({
      [path]: bytes,
      ...(dice.chance(0.2) && { [`${path}-wal`]: mutateBytes(Buffer.alloc(4096, 7), dice) }),
    });
    return heard(await onJournal(dice, world, service), bytes.toString('latin1'), /journal\.db|below \.shotlist/);
  },

  event: async (dice, { world, service }) => {
    const [path = ''] = world.journals;
    world.reset({});
    const given = rewriteEvents(path, dice);
    return heard(await onJournal(dice, world, service), given, /journal\.db|below \.shotlist/);
  },

  stream: (dice, { service }) => hostileStream(dice, service),
  answer: (dice, { service }) => hostileAnswer(dice, service),
  body: (dice, { studio }) => hostileRequest(dice, studio),
};

/** What reads a journal: the plan, a run on a service that says no to everything, and cancelling there. */
function onJournal(dice: Dice, world: FuzzWorld, service: FuzzService): Promise<Said> {
  service.answer(401, { error: 'unauthenticated' });
  switch (dice.below(3)) {
    case 0:
      return world.cli('plan', 'film.yaml', '--draft');
    case 1:
      return world.cli('run', 'film.yaml', '--service', service.url, '--ui', 'plain');
    default:
      return world.cli('cancel', 'film.yaml', '--service', service.url);
  }
}

/** The rows of a sound file, with other words in them: some are gone, so that what was closed is open. */
function rewriteEvents(path: string, dice: Dice): string {
  const database = new DatabaseSync(path);
  try {
    const rows = database.prepare('SELECT id, body FROM event ORDER BY id').all();
    const update = database.prepare('UPDATE event SET body = ? WHERE id = ?');
    let given = '';
    for (const { id, body } of rows) {
      if (dice.chance(0.1)) database.prepare('DELETE FROM event WHERE id = ?').run(id ?? 0);
      if (!dice.chance(0.3)) continue;
      const text = eventText(JSON.parse(String(body)) as Json, dice);
      given += text;
      update.run(text, id ?? 0);
    }
    return given;
  } finally {
    database.close();
  }
}

function eventText(event: Json, dice: Dice): string {
  if (dice.chance(0.2)) return mutateText(JSON.stringify(event), dice);
  return JSON.stringify(dice.chance(0.1) ? anything(dice, 3) : mutateJson(event, dice));
}
