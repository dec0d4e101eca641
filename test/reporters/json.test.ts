import { readFileSync } from 'node:fs';
import { Ajv2020, type AnySchemaObject } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { jsonLine, jsonReporter } from '../../src/show/reporters/json-lines.ts';
import * as recordings from '../text/recordings.ts';
import { key, stamped } from '../text/recordings.ts';
import { FAILURES, SAMPLES } from '../text/samples.ts';

const schema = JSON.parse(readFileSync(new URL('../../schema/events.schema.json', import.meta.url), 'utf8'));
/** For this test alone nothing undocumented may pass: each branch refuses what it does not name. */
const validate = new Ajv2020({ strict: true, allowUnionTypes: true, strictRequired: false }).compile(
  sealed(schema) as AnySchemaObject,
);

const undocumented = (line: string): string => {
  validate(JSON.parse(line));
  return JSON.stringify(validate.errors ?? []);
};

const fileOf = (sha256: string) => `/store/${sha256}.mp4`;

test.each(Object.entries(SAMPLES))('%s is documented, field by field', (type, event) => {
  expect(event.type).toBe(type);
  expect(undocumented(jsonLine(event, fileOf))).toBe('[]');
});

test.each(Object.entries(FAILURES))('a failure %s is documented, field by field', (_code, failure) => {
  expect(undocumented(jsonLine({ ...stamped([[1, { type: 'failed', key: key('shot'), failure }]])[0]! }, fileOf))).toBe(
    '[]',
  );
});

test('what a command leaves is documented', () => {
  for (const event of recordings.bulk) expect(undocumented(jsonLine(event, fileOf))).toBe('[]');
});

test('a program is told where each file lies, and nothing of how it is found', () => {
  const { result } = JSON.parse(jsonLine(SAMPLES.succeeded, fileOf));
  expect([result.file, result.extension]).toEqual([`/store/${result.sha256}.mp4`, undefined]);
  const { result: gone } = JSON.parse(jsonLine(SAMPLES.succeeded, () => undefined));
  expect(gone.file).toBe('');
});

test('the documentation refuses what is no event', () => {
  const line = jsonLine(SAMPLES.blocked, fileOf).replace('"script"', '7');
  expect(undocumented(line)).not.toBe('[]');
  expect(undocumented(line.replace('"v":1', '"v":2'))).not.toBe('[]');
});

test('a line holds one event, its version first', () => {
  const lines: string[] = [];
  jsonReporter(line => lines.push(line), fileOf).report(SAMPLES.progress);
  expect(lines).toEqual([
    '{"v":1,"seq":1,"at":1795176001000,"type":"progress","key":"shot","status":"queued","position":3,"fraction":null}',
  ]);
});

test('text that a terminal would obey is escaped, and reads back as it was', () => {
  const event = stamped([[1, { type: 'skipped', key: key('shot'), why: recordings.HOSTILE }]])[0]!;
  const line = jsonLine(event, fileOf);
  expect(line).toMatch(/^[\x20-\x7e]*$/);
  expect(JSON.parse(line).why).toBe(recordings.HOSTILE);
});

function sealed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(sealed);
  if (typeof node !== 'object' || node === null) return node;
  const inner = Object.fromEntries(Object.entries(node).map(([name, value]) => [name, sealed(value)]));
  return 'properties' in inner && !('oneOf' in inner) && inner.type === 'object' ? { ...inner, ...seal(inner) } : inner;
}

/** Events share `v`, `seq` and `at` with the object around them. */
function seal(branch: Readonly<Record<string, unknown>>): object {
  const properties = branch.properties as Record<string, { const?: string }>;
  const isEvent = properties.type?.const !== undefined;
  return {
    properties: isEvent ? { v: true, seq: true, at: true, ...properties } : properties,
    additionalProperties: false,
  };
}
