/** `shotlist explain`: what a word means, and how it is told. */
import { describe, expect, test } from 'vitest';
import { modelLibrary } from '../../src/api/model-library.ts';
import { find } from '../../src/cli/commands/explain.ts';
import { entryJson, reference } from '../../src/cli/reference/contents.ts';
import { contentsPage, entryPage, pageWidth } from '../../src/cli/reference/page.ts';
import { type Entry, withParts } from '../../src/cli/reference/reference-entry.ts';
import { entriesOf } from '../../src/cli/reference/schema-entries.ts';
import { cellWidth } from '../../src/model/text/cells.ts';
import { STATE_WORDS } from '../../src/show/text/report/state-words.ts';

const whole = reference();
const found = (...words: readonly string[]) => find(words, whole, modelLibrary.labels);
/** What is found, and what else goes by the name. */
const told = (...words: readonly string[]): string => {
  const result = found(...words);
  if (result.is === 'unknown') return `unknown; near ${result.near.join(', ')}`;
  const named = ({ topic, name }: Entry) => `${topic} ${name}`;
  const first = result.is === 'model' ? `model ${result.label}` : named(result.entry);
  return [first, ...result.also.map(named)].join('; ');
};
const page = (width: number, color: boolean, ...words: readonly string[]): string => {
  const result = found(...words);
  if (result.is !== 'entry') throw new Error(`${words.join(' ')} is no entry`);
  return entryPage(result.entry, result.also, whole, { width, color });
};
const everything = Object.values(whole).flatMap(section => ('entries' in section ? section.entries : []));

describe('a word', () => {
  test('is a key, with or without the keys around it, or with the names an author gave', () => {
    expect(told('steps.matrix')).toBe('key steps.matrix');
    expect(told('matrix')).toBe('key steps.matrix; expression matrix');
    expect(told('steps.shot.timeout.queue')).toBe('key steps.timeout.queue');
    expect(told('outputs.film.to')).toBe('key outputs.to');
    expect(told('timeout')).toBe('key defaults.timeout; key profiles.defaults.timeout; key steps.timeout');
  });

  test('is a model, a setting, its variable or its flag, an event, an exit code', () => {
    expect(told('V-RT')).toBe('model V-RT');
    expect(told('v-rt')).toBe('model V-RT');
    expect(told('model', 'C-A')).toBe('model C-A');
    expect(told('SHOTLIST_API_KEY')).toBe('variable SHOTLIST_API_KEY');
    expect(told('SHOTLIST_IN_FLIGHT')).toBe('setting limits.in_flight');
    expect(told('--on-unknown')).toBe('setting on_unknown');
    expect(told('on-unknown')).toBe('setting on_unknown');
    expect(told('slug')).toBe('function slug');
    expect(told('math.ceil()')).toBe('function math.ceil');
    expect(told('ceil')).toBe('function math.ceil');
    expect(told('submit_unknown')).toBe('event submit_unknown; failure submit_unknown');
    expect(told('exit', '3')).toBe('exit 3');
    expect(told('exit', 'code', '3')).toBe('exit 3');
    expect(told('130')).toBe('exit 130');
  });

  test('that a plan, `why`, `status` or the report prints is explained', () => {
    for (const word of ['hit', 'fetch', 'sent', 'maybe', 'skip', 'left out', 'open', 'draft', 'fan-out'])
      expect(told(...word.split(' '))).toBe(`word ${word}`);
    expect(told('out')).toBe('word left out; key steps.cut.clips.out');
    for (const word of Object.values(STATE_WORDS))
      expect(found('word', ...word.split(' ')), word).toMatchObject({ is: 'entry' });
    expect(told('run')).toMatch(/^word run; .*key steps\.run/);
    expect(page(60, false, 'open')).toMatchInlineSnapshot(`
      "open  a word of plans and reports

        The step has no instances yet, because another step writes
        its list. Its name is followed by \`×?\`. The plan counts at
        most as many instances as \`max\` or the schema of the list
        allows."
    `);
  });

  test('that means two things is told apart by what stands before it', () => {
    expect(told('failure', 'submit_unknown')).toBe('failure submit_unknown');
    expect(told('expression', 'matrix')).toBe('expression matrix');
    expect(told('setting', 'SHOTLIST_BASE_URL')).toBe('variable SHOTLIST_BASE_URL');
  });

  test('that means nothing brings up what is near', () => {
    expect(told('steps.matrx')).toBe('unknown; near steps.matrix, matrix');
    expect(told('V-TR')).toBe('unknown; near V-RT');
    expect(told('SHOTLIST_API_KEI')).toBe('unknown; near SHOTLIST_API_KEY');
    expect(told('slgu')).toBe('unknown; near slug');
    expect(told('exit', '99')).toBe('unknown; near ');
    expect(told('wholly different')).toBe('unknown; near ');
    expect(told('__proto__', 'constructor')).toBe('unknown; near ');
    expect(told('constructor')).toBe('unknown; near ');
    expect(told('')).toBe('unknown; near ');
  });
});

describe('a page', () => {
  test('is one thing in full', () => {
    expect(page(80, false, 'steps.timeout')).toBe(`steps.timeout  a key of the file

  How long one attempt may take: one duration for everything, or \`{ queue, run,
  total }\`. Before it is given up the service is asked once more. A generation
  that takes longer is left at the service, and the next run takes it up (see
  \`on_timeout\`); a command is stopped. What waits for a person is never decided
  by a time.

  takes  duration or mapping
  of     a step with \`model\`, \`run\`, \`tokenize\` or \`cut\`

  examples
    timeout: 10m
    timeout: { queue: 5m, run: 20m, total: 30m }

  in it
    queue  duration. From the moment that the service has taken it until it is
           worked on there. Where the service does not tell, it is all of the
           time until it is made.
    run    duration. Being worked on.
    total  duration. From the moment that the service has taken it until it is
           made; of a command, all of its time.`);
  });

  test('of an event has the fields of every event', () => {
    const text = page(80, false, 'progress');
    expect(text).toContain('    fraction  ');
    expect(text).toContain('  in every event\n    v    `1`. Version of this shape.');
  });

  test('fits its columns, for every entry', () => {
    const names = everything.flatMap(withParts).filter(({ topic, name }) => found(topic, name).is === 'entry');
    expect(names.length).toBeGreaterThan(100);
    // Examples are whole: they are there to be pasted.
    for (const { topic, name } of names)
      for (const line of page(60, false, topic, name).split('\n'))
        if (!line.startsWith('    ')) expect(cellWidth(line), `${name}: ${line}`).toBeLessThanOrEqual(60);
    const contents = contentsPage(whole, modelLibrary.labels, { width: 80, color: false }).split('\n');
    expect(contents.filter(line => cellWidth(line) > 80 || line !== line.trimEnd())).toEqual([]);
  });

  test('is between 40 and 100 cells wide, whatever a terminal says', () => {
    expect([undefined, 0, 3, 60, 240].map(pageWidth)).toEqual([80, 80, 40, 60, 100]);
    for (const { topic, name } of everything) if (found(topic, name).is === 'entry') page(40, true, topic, name);
  });

  test('is painted at a terminal alone', () => {
    expect(page(80, true, 'exit', '3').split('\n')[0]).toContain('\x1b[1mexit code 3\x1b[22m');
    expect(page(80, false, 'exit', '3')).not.toContain('\x1b');
  });

  test('as JSON has the same parts', () => {
    const result = found('limits.in_flight');
    expect(result.is === 'entry' && entryJson(result.entry)).toEqual({
      topic: 'setting',
      name: 'limits.in_flight',
      about: 'Generations at the service at one time.',
      takes: 'whole number (1 or more)',
      required: false,
      default: 32,
      variable: 'SHOTLIST_IN_FLIGHT',
      examples: ['in_flight: 8'],
    });
  });
});

test('everything is told in a sentence', () => {
  const silent = [...everything, ...whole.eventFields]
    .flatMap(withParts)
    .filter(({ topic, about, parts = [] }) => about === '' && !(topic === 'expression' && parts.length > 0));
  expect(silent.map(({ topic, name }) => `${topic} ${name}`)).toEqual([]);
});

test('a key that says one thing in one kind of step and another in another is two', () => {
  const text = { type: 'string', description: 'the same' };
  const form = (key: string, about: string) => ({
    type: 'object',
    required: [key],
    properties: { [key]: text, with: { type: 'object', description: about }, if: text },
  });
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  const steps = { if: { required: ['uses'] }, then: form('uses', 'params of a file'), else: form('model', 'fields') };
  expect(entriesOf(steps, 'key').map(({ name, about, of = [] }) => [name, about, ...of])).toEqual([
    ['model', 'the same', 'model'],
    ['with', 'fields', 'model'],
    ['if', 'the same'],
    ['uses', 'the same', 'uses'],
    ['with', 'params of a file', 'uses'],
  ]);
});
