/** A value of the file against the JSON Schema of the request field (or param) it is for. */
import type { Span } from '../domain/diagnostic.ts';
import type { FieldSchema, MediaLimit } from '../domain/model.ts';
import type { ExpressionValue, TextValue, Value } from '../domain/pipeline.ts';
import type { Findings } from './findings.ts';
import { nearest } from './nearest.ts';
import { kindOfPath, type Possible, type Type } from './types.ts';
import { words } from './words.ts';

/** Where a field is: what the messages need to know. */
export interface Field {
  /** `` `seed` of V-T2V-A ``: how messages call it. */
  readonly called: string;
  readonly findings: Findings;
  readonly typeOf: (expression: ExpressionValue) => Type;
}

export function checkField(value: Value, schema: FieldSchema, field: Field): void {
  switch (value.is) {
    case 'literal':
      return checkLiteral(value.value, value.at, schema, field);
    case 'expression':
      return checkType(field.typeOf(value), value.at, schema, field);
    case 'text':
      checkText(value, field);
      if (schema.type !== 'string') field.findings.add(words.textForField(field.called, schema), value.at);
      return;
    case 'list':
      if (schema.type !== 'array') return field.findings.add(words.wrongType(field.called, schema, 'a list'), value.at);
      if (schema.maxItems !== undefined && value.items.length > schema.maxItems)
        field.findings.add(words.tooManyItems(field.called, schema.maxItems, value.items.length), value.at);
      for (const item of value.items) if (schema.items) checkField(item, schema.items, itemOf(field));
      return;
    case 'map':
      return field.findings.add(words.wrongType(field.called, schema, 'a mapping'), value.at);
  }
}

const itemOf = (field: Field): Field => ({ ...field, called: `an entry of ${field.called}` });

/** Each expression inside a text must give one plain value. */
export function checkText(text: TextValue, field: Pick<Field, 'findings' | 'typeOf'>): void {
  for (const part of text.parts) {
    if (typeof part === 'string') continue;
    const type = field.typeOf(part);
    if (type.is === 'list' || type.is === 'map' || type.is === 'record' || type.is === 'null')
      field.findings.add(words.notInText(part.code, type), part.at);
  }
}

function checkLiteral(value: null | boolean | number | string, at: Span, schema: FieldSchema, field: Field): void {
  const { findings, called } = field;
  if (value === null) return findings.add(words.emptyField(called), at);
  if (schema.enum && (typeof value === 'string' || typeof value === 'number') && !schema.enum.includes(value))
    return findings.add(words.notInEnum(called, schema.enum, value, nearestOf(value, schema.enum)), at);
  const problem = literalProblem(value, schema, field);
  if (problem) findings.add(problem, at);
  else if (typeof value === 'string' && schema.type === 'string' && isMedia(schema)) checkSource(value, at, schema.media, field);
}

/** What is wrong with one plain value; undefined when it fits. */
function literalProblem(value: boolean | number | string, schema: FieldSchema, { called }: Pick<Field, 'called'>) {
  const fits =
    schema.type === 'string'
      ? typeof value === 'string'
      : schema.type === 'boolean'
        ? typeof value === 'boolean'
        : schema.type === 'array'
          ? false
          : typeof value === 'number' && (schema.type === 'number' || Number.isInteger(value));
  if (!fits) return words.wrongLiteral(called, schema, value);
  if (typeof value === 'number') {
    const { minimum, maximum } = schema;
    if ((minimum !== undefined && value < minimum) || (maximum !== undefined && value > maximum))
      return words.outOfRange(called, schema, value);
  }
  if (typeof value === 'string') {
    const length = [...value].length;
    if (schema.maxLength !== undefined && length > schema.maxLength) return words.textTooLong(called, schema.maxLength, length);
    if (schema.minLength !== undefined && length < schema.minLength) return words.textTooShort(called, schema.minLength, length);
    if (isMedia(schema) && value.trim() === '') return words.emptyField(called);
  }
  return undefined;
}

/** `5` or `5 s` for an enum with `5s` is near enough, and so is a slip of the fingers. */
function nearestOf(value: string | number, allowed: readonly (string | number)[]): string | number | undefined {
  const text = String(value).toLowerCase().replaceAll(' ', '');
  const same = allowed.find(option => String(option).toLowerCase() === text || String(option).toLowerCase() === `${text}s`);
  return same ?? nearest(text, allowed.map(String));
}

const isMedia = (schema: FieldSchema): boolean => schema.format === 'uri' || schema.media !== undefined;

/** An `https://` address, or a path relative to the file; `http://` only to this very machine (the built-in studio). */
export function checkSource(text: string, at: Span, media: MediaLimit | undefined, field: Pick<Field, 'called' | 'findings'>): void {
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text)?.[1]?.toLowerCase();
  const problem = scheme === undefined ? pathProblem(text) : addressProblem(text, scheme);
  if (problem) return field.findings.add(problem, at);
  const kind = kindOfPath(text);
  if (kind && media && kind !== media.kind) field.findings.add(words.wrongSourceKind(field.called, media.kind, kind), at);
}

function pathProblem(text: string) {
  if (/^[/\\~]/.test(text)) return words.absolutePath(text);
  return undefined;
}

function addressProblem(text: string, scheme: string) {
  if (/^[a-z]:[\\/]/i.test(text)) return words.absolutePath(text);
  if (scheme !== 'https' && scheme !== 'http') return words.badScheme(scheme);
  if (!URL.canParse(text)) return words.badAddress(text);
  const { hostname } = new URL(text);
  const loopback = hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
  return scheme === 'http' && !loopback ? words.plainHttp() : undefined;
}

function checkType(type: Type, at: Span, schema: FieldSchema, field: Field): void {
  const { findings, called } = field;
  if (type.is === 'any' || type.is === 'wrong') return;
  if (schema.type === 'array') {
    if (type.is === 'list') return schema.items ? checkType(type.of, at, schema.items, itemOf(field)) : undefined;
    return findings.add(words.needsList(called, schema, type), at);
  }
  if (type.is === 'list') return findings.add(words.listGiven(called, schema, type), at);
  if (isMedia(schema) && (type.is === 'record' || type.is === 'text')) return checkLeadsTo(type, at, schema.media, field);
  const fits =
    schema.type === 'string'
      ? type.is === 'text'
      : schema.type === 'boolean'
        ? type.is === 'bool'
        : type.is === 'int' || (type.is === 'double' && schema.type === 'number');
  if (!fits) return findings.add(words.typeGiven(called, schema, type), at);
  if ('values' in type && type.values) for (const possible of type.values) checkPossible(possible, at, schema, field);
}

function checkLeadsTo(type: Extract<Type, { is: 'record' | 'text' }>, at: Span, media: MediaLimit | undefined, field: Field): void {
  const { findings, called } = field;
  if (type.is === 'record') return findings.add(words.recordForMedia(called, type), at);
  if (type.leadsTo === 'none') return findings.add(words.notMedia(called, media?.kind), at);
  if (type.leadsTo && type.leadsTo !== 'media' && media && type.leadsTo !== media.kind)
    findings.add(words.wrongKind(called, media.kind, type.leadsTo), at);
}

/** A value that an axis or an enum may bring: wrong where it is written, with a note where it is used. */
function checkPossible({ value, at }: Possible, usedAt: Span, schema: FieldSchema, field: Field): void {
  const problem =
    schema.enum && !schema.enum.includes(value)
      ? words.notInEnum(field.called, schema.enum, value, nearestOf(value, schema.enum))
      : literalProblem(value, schema, field);
  if (problem) field.findings.add(problem, at, [{ message: words.usedHere, span: usedAt }]);
}
