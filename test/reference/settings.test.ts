/** `schema/settings.schema.json` is what editors show; the reader of settings must say yes and no to the same files. */

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it, test } from 'vitest';
import { parse } from 'yaml';
import settingsSchema from '../../schema/settings.schema.json' with { type: 'json' };
import { reference } from '../../src/cli/reference/contents.ts';
import { withParts } from '../../src/cli/reference/reference-entry.ts';
import { MEASURES } from '../../src/model/budget.ts';
import { DEFAULT_LIMITS } from '../../src/run/engine/limits.ts';
import { VARIABLES, variableOf } from '../../src/settings/environment-variables.ts';
import { resolveSettings } from '../../src/settings/settings.ts';
import { CHOICES, LIMITS } from '../../src/settings/settings-values.ts';

const validate = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(settingsSchema);

/** Whether the reader of the user's own file has nothing to say. A service is chosen elsewhere, and may be missing. */
const readerAgrees = (userText: string): boolean =>
  resolveSettings({ flags: { service: 'studio' }, env: {}, projectText: null, userText }).problems.length === 0;

const GOOD = [
  '',
  'service: prod\n',
  'services: { prod: { url: https://a.example, key_env: K, key: sk, models: { V-T2V-A: x/y } } }\n',
  'services: { prod: }\n',
  'services:\n',
  'limits: { in_flight: 1, per_model: 2, submits_per_second: 3, attempts: 4, commands: 5, downloads: 6 }\n',
  'limits:\n',
  'services: { prod: { url: "http://127.0.0.1:9000", remote: true } }\n',
  'services: { prod: { url: https://a.example, idempotency: honoured } }\n',
  'publish: { s3: { bucket: films } }\n',
  'store: s3://films/results\n',
  'store: s3://films\n',
  'store: /mnt/team/shotlist\n',
  'store: ~/team\n',
  'store: ../shared results\n',
  'store: { at: s3://my.films/a/b=c, write: false, region: eu-central-1, profile: films }\n',
  'store: { at: s3://films, endpoint: https://s3.example.com, key_id_env: A, key_env: B, path_style: true }\n',
  'store: { at: ../team, write: false }\n',
  'publish: { s3: { bucket: my.films, prefix: a/b=c, region: eu-central-1, profile: films, expires: 7d } }\n',
  'publish: { s3: { bucket: films, endpoint: https://x.example, key_id_env: A, key_env: B, path_style: true } }\n',
  'publish: { command: [./publish.sh, --quietly], env: [RCLONE_CONFIG], expires: 30d }\n',
  'budget: { usd: 200, video_seconds: 0.5, images: 1, generations: 2, tokens: 3, unpriced: allow }\n',
  'budget:\n',
  'teams: { house: { database: "postgres://me@db/films", store: s3://films/results, project: foxes } }\n',
  'teams: { house: { database: postgresql://db.example:5433/films, store: { at: /mnt/team, write: true } } }\n',
  'teams: { house: }\n',
  'teams:\n',
  'on_unknown: ask\non_interrupt: cancel\nhistory: trusted\nui: quiet\n',
];
const BAD = [
  'servce: prod\n',
  'service: 7\n',
  'service: ""\n',
  'services: [prod]\n',
  'services: { studio: { url: https://a.example } }\n',
  'services: { prod: { ulr: https://a.example } }\n',
  'services: { prod: { url: 3 } }\n',
  'services: { prod: { key: 3 } }\n',
  'services: { prod: { models: { V-T2V-A: 3 } } }\n',
  'budget: 200\n',
  'budget: { usd: -1 }\n',
  'budget: { usd: "200" }\n',
  'budget: { images: 1.5 }\n',
  'budget: { dollars: 3 }\n',
  'budget: { unpriced: true }\n',
  'limits: { in_flight: 0 }\n',
  'limits: { in_flight: 1.5 }\n',
  'limits: { flights: 1 }\n',
  'services: { prod: { url: https://a.example, remote: perhaps } }\n',
  'services: { prod: { url: https://a.example, idempotency: true } }\n',
  'publish:\n',
  'publish: {}\n',
  'publish: { s3: { bucket: films }, command: [x] }\n',
  'publish: { s3: { bucket: films }, expires: 24h }\n',
  'publish: { s3: { bucket: films/in } }\n',
  'publish: { s3: { prefix: in } }\n',
  'publish: { s3: { bucket: films, expires: 3600 } }\n',
  'publish: { s3: { bucket: films, key_env: B } }\n',
  'publish: { s3: { bucket: films, secret_key: sk } }\n',
  'publish: { s3: { bucket: films, path_style: auto } }\n',
  'publish: { command: ./publish.sh }\n',
  'publish: { command: [] }\n',
  'publish: { command: [x], env: [A-B] }\n',
  'publish: { ftp: { host: x } }\n',
  'store:\n',
  'store: ""\n',
  'store: {}\n',
  'store: 7\n',
  'store: ftp://host/x\n',
  'store: s3://\n',
  'store: s3://a\n',
  'store: { at: s3://films, secret_key: sk }\n',
  'store: { at: s3://films, write: maybe }\n',
  'store: { at: s3://films, key_env: B }\n',
  'store: { at: s3://films, bucket: b }\n',
  'store: { write: false }\n',
  'on_unknown: never\n',
  'on_interrupt:\n',
  'teams: house\n',
  'teams: { house: { database: mysql://db/films } }\n',
  'teams: { house: { address: postgres://db/films } }\n',
  'history: whole\n',
  'expose: [A-B]\n',
  'expose: CDN_TOKEN\n',
  'ui: fancy\n',
  '- ui: plain\n',
];

describe('schema and reader', () => {
  it.each(GOOD)('both take %j', text => {
    expect([validate(parse(text)), readerAgrees(text)]).toEqual([true, true]);
  });

  it.each(BAD)('both refuse %j', text => {
    expect([validate(parse(text)), readerAgrees(text)]).toEqual([false, false]);
  });

  it('name the same settings, with the same values and defaults', () => {
    const { limits, budget, service, services, publish, store, teams, profile, expose, on, provenance, ...choices } =
      settingsSchema.properties;
    expect(Object.fromEntries(Object.entries(choices).map(([name, { enum: values }]) => [name, values]))).toEqual(
      CHOICES,
    );
    expect(Object.keys(limits.properties)).toEqual(LIMITS);
    expect(
      Object.fromEntries(
        Object.entries(limits.properties).map(([name, limit]) => [
          name,
          'default' in limit ? limit.default : undefined,
        ]),
      ),
    ).toEqual(DEFAULT_LIMITS);
    expect(Object.keys(budget.properties)).toEqual([...MEASURES, 'unpriced']);
    expect(
      [service, services, publish, store, teams, profile, expose, on, provenance].every(
        setting => setting.description !== '',
      ),
    ).toBe(true);
  });

  it('take every example', () => {
    const { settings } = reference();
    const examples = settings.entries.flatMap(({ examples = [] }) => examples);
    expect(examples.length).toBeGreaterThanOrEqual(settings.entries.length);
    for (const example of examples)
      expect([example, validate(parse(example)), readerAgrees(example)]).toEqual([example, true, true]);
    const bare = settings.entries.flatMap(withParts).filter(entry => (entry.examples ?? []).length === 0);
    expect(bare.map(({ name }) => name)).toEqual([]);
  });
});

test('every variable that the program reads or sets is told', () => {
  const src = fileURLToPath(new URL('../../src/', import.meta.url));
  const texts = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter(path => /\.tsx?$/.test(path))
    .map(path => readFileSync(src + path, 'utf8'));
  const used = new Set(texts.flatMap(text => [...text.matchAll(/\b(SHOTLIST_[A-Z_]*[A-Z])\b/g)].map(([name]) => name)));
  const known = new Set([
    ...VARIABLES.map(({ name }) => name),
    ...[...Object.keys(CHOICES), ...LIMITS].map(variableOf),
  ]);
  expect([...used].filter(name => !known.has(name))).toEqual([]);
  const others = new Set(
    texts.flatMap(text =>
      [...text.matchAll(/process\.env\.([A-Z_]+)|'([A-Z_]+)' in process\.env|\benv\.(XDG_[A-Z_]+)/g)].map(
        ([, read = '', asked = '', given = '']) => read || asked || given,
      ),
    ),
  );
  expect(others.size).toBeGreaterThan(3);
  expect([...others].filter(name => !known.has(name))).toEqual([]);
});
